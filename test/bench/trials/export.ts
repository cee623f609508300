import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildRun, runChild, runProgram } from '../child.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';

type Turn = Record<'csv' | 'joined' | 'parquet' | 'duckdb', ChildRun>;

/** A million rows as CSV and Parquet, by the command as built, against the least that it takes and DuckDB; whole processes all. */
export const exportMillion: Trial = {
  name: 'export-million',
  async run(workspace) {
    const turns = await takeTurns(workspace);
    const joined = compared('CSV of 1,000,000 rows', turns, { ours: 'csv', peer: 'joined' });
    const parquet = compared('Parquet of 1,000,000 rows', turns, { ours: 'parquet', peer: 'duckdb' });
    const duckdbMb = median(turns.map(({ duckdb }) => duckdb.rssMb));
    return [
      {
        ...joined,
        peer: `the same rows read and joined ${joined.peer}`,
        must: { most: 1.5 },
        mostRssMb: 200,
      },
      {
        ...parquet,
        peer: `DuckDB from NDJSON, one thread ${parquet.peer}, ${duckdbMb} MB`,
        must: { most: 3.2 },
        mostRssMb: Math.floor(duckdbMb / 2),
      },
    ];
  },
};

/** In turn, and three times: what else the machine does falls on both sides. */
async function takeTurns(workspace: Place): Promise<Turn[]> {
  const { mirror, folder: source } = await workspace.million();
  const target = join(workspace.folder, 'export');
  const peer = (how: string, from: string) => runChild('export-file', [how, from, `${target}.out`]);
  const turns: Turn[] = [];
  for (let n = 0; n < 3; n += 1)
    turns.push({
      csv: await exported(workspace, ['--db', mirror, '-o', `${target}.csv`]),
      joined: await peer('joined', mirror),
      parquet: await exported(workspace, ['--db', mirror, '-o', `${target}.parquet`]),
      duckdb: await peer('duckdb', join(source, 'content.ndjson')),
    });
  for (const ending of ['csv', 'parquet', 'out']) rmSync(`${target}.${ending}`, { force: true });
  return turns;
}

/** Ours beside the peer of the same turn, in seconds. */
function compared(name: string, turns: Turn[], { ours, peer }: Record<'ours' | 'peer', keyof Turn>): Omit<Row, 'must'> {
  const shown = (which: keyof Turn) => `${median(turns.map((run) => run[which].seconds)).toFixed(1)} s`;
  return {
    name,
    ours: shown(ours),
    peer: shown(peer),
    ratio: median(turns.map((run) => run[ours].seconds / run[peer].seconds)),
    rssMb: Math.max(...turns.map((run) => run[ours].rssMb)),
  };
}

function exported({ root, folder }: Place, argv: string[]): Promise<ChildRun> {
  return runProgram(root, ['export', 'content', '--quiet', ...argv], { HOME: folder });
}
