import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildRun, runChild, runProgram } from '../child.ts';
import { median, type Trial, type Workspace } from '../trial.ts';

const roundCount = 3;

/** The runs of one round, one directly after the other. */
type Round = Record<'csv' | 'joinedValues' | 'parquet' | 'duckdb', ChildRun>;

/**
 * Wall time of whole processes that export a million generated records: CSV beside a loop that only reads and joins the
 * values, Parquet beside DuckDB.
 */
export const exportMillion: Trial = {
  name: 'export-million',
  async run(workspace) {
    const rounds = await runRounds(workspace);
    const secondsOf = (run: keyof Round) => `${median(rounds.map((round) => round[run].seconds)).toFixed(1)} s`;
    const ratioOf = (run: keyof Round, peer: keyof Round) =>
      median(rounds.map((round) => round[run].seconds / round[peer].seconds));
    const peakMbOf = (run: keyof Round) => Math.max(...rounds.map((round) => round[run].rssMb));
    const duckdbMb = median(rounds.map(({ duckdb }) => duckdb.rssMb));
    return [
      {
        name: 'export of 1,000,000 rows as CSV',
        result: secondsOf('csv'),
        reference: `same rows read and joined ${secondsOf('joinedValues')}`,
        ratio: ratioOf('csv', 'joinedValues'),
        requiredRatio: { atMost: 1.5 },
        rssMb: peakMbOf('csv'),
        maxRssMb: 200,
      },
      {
        name: 'export of 1,000,000 rows as Parquet',
        result: secondsOf('parquet'),
        reference: `DuckDB from NDJSON, one thread ${secondsOf('duckdb')}, ${duckdbMb} MB`,
        ratio: ratioOf('parquet', 'duckdb'),
        requiredRatio: { atMost: 3.2 },
        rssMb: peakMbOf('parquet'),
        maxRssMb: Math.floor(duckdbMb / 2),
      },
    ];
  },
};

/** Alternates the programs, so that other load on the machine affects all of them. */
async function runRounds(workspace: Workspace): Promise<Round[]> {
  const { mirror, folder: source } = await workspace.millionRecords();
  const target = join(workspace.folder, 'export');
  const peerTarget = `${target}.out`;
  const rounds: Round[] = [];
  for (let round = 0; round < roundCount; round += 1)
    rounds.push({
      csv: await exportContent(workspace, mirror, `${target}.csv`),
      joinedValues: await runChild('export-peers', ['joined-values', mirror, peerTarget]),
      parquet: await exportContent(workspace, mirror, `${target}.parquet`),
      duckdb: await runChild('export-peers', ['duckdb', join(source, 'content.ndjson'), peerTarget]),
    });
  for (const path of [`${target}.csv`, `${target}.parquet`, peerTarget]) rmSync(path, { force: true });
  return rounds;
}

function exportContent({ root, folder }: Workspace, mirror: string, target: string): Promise<ChildRun> {
  return runProgram(root, ['export', 'content', '--quiet', '--db', mirror, '-o', target], { HOME: folder });
}
