import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildRun, runChild, runProgram } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';

/** Tables with long texts, nested lists and short values. */
const tables = ['content', 'ballots', 'politicians'];

/** Each pair of runs is repeated so many times, in turn. */
const turns = 3;

/** Parquet of real tables beside DuckDB: processor time of whole processes to write and to read a file, and its bytes. */
export const exportReal: Trial = {
  name: 'export-real',
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const rows: Row[] = [];
    for (const table of tables) rows.push(...(await compareTable(workspace, mirror, table)));
    return rows;
  },
};

async function compareTable(workspace: Place, mirror: string, table: string): Promise<Row[]> {
  const file = (ending: string) => join(workspace.folder, `real-${table}.${ending}`);
  const [lines, ours, theirs] = ['ndjson', 'parquet', 'duckdb.parquet'].map(file) as [string, string, string];
  const write = (target: string) =>
    runProgram(workspace.root, ['export', table, '--db', mirror, '-o', target, '--quiet'], { HOME: workspace.folder });
  await write(lines);
  const written: Pair[] = [];
  const read: Pair[] = [];
  for (let n = 0; n < turns; n += 1) {
    written.push({ ours: await write(ours), peer: await runChild('export-file', ['duckdb', lines, theirs]) });
    // Both read the same file.
    const reading = (who: string) => runChild('parquet-reading', [who, ours]);
    read.push({ ours: await reading('ours'), peer: await reading('duckdb') });
  }
  const kilobytes = (path: string) => Math.round(statSync(path).size / 1000);
  const size = { ours: kilobytes(ours), peer: kilobytes(theirs) };
  for (const path of [lines, ours, theirs]) rmSync(path);
  return [
    compared(`Parquet of ${table}, written`, written, 'DuckDB from NDJSON, one thread'),
    compared(`Parquet of ${table}, read`, read, 'DuckDB, one thread'),
    {
      ...{ name: `Parquet of ${table}, size`, ours: `${size.ours} kB`, peer: `DuckDB ${size.peer} kB` },
      ...{ ratio: size.ours / size.peer, must: null, rssMb: null },
    },
  ];
}

type Pair = Record<'ours' | 'peer', ChildRun>;

function compared(name: string, pairs: Pair[], peer: string): Row {
  const shown = (which: keyof Pair) => `${Math.round(median(pairs.map((pair) => pair[which].cpuMs)))} ms of CPU`;
  return {
    name,
    ours: shown('ours'),
    peer: `${peer} ${shown('peer')}`,
    ratio: median(pairs.map(({ ours, peer }) => ours.cpuMs / peer.cpuMs)),
    must: null,
    rssMb: Math.max(...pairs.map(({ ours }) => ours.rssMb)),
  };
}
