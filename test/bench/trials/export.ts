import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildRun, runChild, runProgram, timed } from '../child.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';

const sqlite = '/usr/bin/sqlite3';

type Turn = {
  csv: ChildRun;
  joined: ChildRun;
  bySqlite: number | null;
  parquet: ChildRun;
  duckdb: ChildRun;
  duckdbFree: ChildRun;
};

/**
 * A million rows as CSV and Parquet, by the command as built, against the least that it takes, the program of SQLite
 * and DuckDB; whole processes all.
 */
export const exportMillion: Trial = {
  name: 'export-million',
  async run(place) {
    const turns = await takeTurns(place);
    const of = (name: string, ours: 'csv' | 'parquet', peer: (turn: Turn) => number | null) =>
      compared(`${name} of 1,000,000 rows`, turns, { ours: (turn) => turn[ours], peer });
    const joined = of('CSV', 'csv', (turn) => turn.joined.seconds);
    const table = of('CSV', 'csv', (turn) => turn.bySqlite);
    const parquet = of('Parquet', 'parquet', (turn) => turn.duckdb.seconds);
    const free = of('Parquet', 'parquet', (turn) => turn.duckdbFree.seconds);
    const duckdbMb = median(turns.map(({ duckdb }) => duckdb.rssMb));
    const freeMb = median(turns.map(({ duckdbFree }) => duckdbFree.rssMb));
    return [
      {
        ...joined,
        peer: `the same rows read and joined ${joined.peer}`,
        must: { most: 1.5 },
        mostRssMb: 200,
      },
      {
        ...table,
        peer: table.peer ? `sqlite3 -csv of a plain table of them ${table.peer}` : `no ${sqlite} here`,
        must: { most: 3 },
      },
      {
        ...parquet,
        peer: `DuckDB from NDJSON, one thread ${parquet.peer}, ${duckdbMb} MB`,
        must: { most: 3.2 },
        mostRssMb: Math.floor(duckdbMb / 2),
      },
      { ...free, peer: `DuckDB, a thread for each core ${free.peer}, ${freeMb} MB`, must: null },
    ];
  },
};

/** In turn, and three times: what else the machine does falls on both sides. */
async function takeTurns(place: Place): Promise<Turn[]> {
  const { mirror, folder: source } = await place.million();
  const target = join(place.folder, 'export');
  const plain = await plainTable(place, mirror);
  const peer = (how: string, from: string, ...more: string[]) =>
    runChild('export-file', [how, from, `${target}.out`, ...more]);
  const turns: Turn[] = [];
  for (let n = 0; n < 3; n += 1)
    turns.push({
      csv: await exported(place, ['--db', mirror, '-o', `${target}.csv`]),
      joined: await peer('joined', mirror),
      bySqlite: plain === null ? null : await writtenBySqlite(plain, `${target}.out`),
      parquet: await exported(place, ['--db', mirror, '-o', `${target}.parquet`]),
      duckdb: await peer('duckdb', join(source, 'content.ndjson'), '1'),
      duckdbFree: await peer('duckdb', join(source, 'content.ndjson')),
    });
  for (const ending of ['csv', 'parquet', 'out', 'db']) rmSync(`${target}.${ending}`, { force: true });
  return turns;
}

/** Ours beside the peer of the same turn, in seconds; without a ratio where there is no peer. */
function compared(
  name: string,
  turns: Turn[],
  { ours, peer }: { ours: (turn: Turn) => ChildRun; peer: (turn: Turn) => number | null },
): Omit<Row, 'must'> {
  const shown = (seconds: number[]) => `${median(seconds).toFixed(1)} s`;
  const peers = turns.map(peer).filter((seconds) => seconds !== null);
  const runs = turns.map(ours);
  return {
    name,
    ours: shown(runs.map(({ seconds }) => seconds)),
    peer: peers.length > 0 ? shown(peers) : '',
    ratio: peers.length > 0 ? median(runs.map(({ seconds }, n) => seconds / peers[n]!)) : null,
    rssMb: Math.max(...runs.map(({ rssMb }) => rssMb)),
  };
}

function exported({ root, folder }: Place, argv: string[]): Promise<ChildRun> {
  return runProgram(root, ['export', 'content', '--quiet', ...argv], { HOME: folder });
}

/** A file with the same rows in a table of their columns; null where no program of SQLite could read it. */
async function plainTable(place: Place, mirror: string): Promise<string | null> {
  if (!existsSync(sqlite)) return null;
  const file = join(place.folder, 'export.db');
  await exported(place, ['--db', mirror, '--sqlite', file]);
  return file;
}

async function writtenBySqlite(file: string, target: string): Promise<number> {
  const output = openSync(target, 'w');
  const seconds = await timed(sqlite, ['-csv', '-header', file, 'SELECT * FROM content'], { output });
  closeSync(output);
  return seconds;
}
