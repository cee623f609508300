import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildRun, runChild, runProgram } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { median, type Row, type Trial, type Workspace } from '../trial.ts';

/** Tables with long texts, nested lists and short values. */
const tables = ['content', 'ballots', 'politicians'];

const roundCount = 3;

/**
 * Parquet of the records beside DuckDB: processor time to write it (whole process), processor time to read it, and
 * file size.
 */
export const exportReal: Trial = {
  name: 'export-real',
  async run(workspace) {
    const mirror = await importedMirror(workspace);
    const rows: Row[] = [];
    for (const table of tables) rows.push(...(await measureTable(workspace, mirror, table)));
    return rows;
  },
};

/** One run of Hemicycle and one of DuckDB, one directly after the other. */
type Pair = Record<'hemicycle' | 'duckdb', ChildRun>;

async function measureTable(workspace: Workspace, mirror: string, table: string): Promise<Row[]> {
  const pathOf = (extension: string) => join(workspace.folder, `real-${table}.${extension}`);
  const ndjson = pathOf('ndjson');
  const hemicycleParquet = pathOf('parquet');
  const duckdbParquet = pathOf('duckdb.parquet');
  const exportTo = (target: string) =>
    runProgram(workspace.root, ['export', table, '--db', mirror, '-o', target, '--quiet'], { HOME: workspace.folder });
  await exportTo(ndjson);
  const writes: Pair[] = [];
  const reads: Pair[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    writes.push({
      hemicycle: await exportTo(hemicycleParquet),
      duckdb: await runChild('export-peers', ['duckdb', ndjson, duckdbParquet]),
    });
    // Both read the same file.
    reads.push({
      hemicycle: await runChild('parquet-reading', ['hemicycle', hemicycleParquet]),
      duckdb: await runChild('parquet-reading', ['duckdb', hemicycleParquet]),
    });
  }
  const hemicycleKb = kilobytesOf(hemicycleParquet);
  const duckdbKb = kilobytesOf(duckdbParquet);
  for (const path of [ndjson, hemicycleParquet, duckdbParquet]) rmSync(path);
  return [
    timeRow(`write ${table} as Parquet`, 'DuckDB from NDJSON, one thread', writes),
    timeRow(`read ${table} from Parquet`, 'DuckDB, one thread', reads),
    {
      name: `file size of ${table} as Parquet`,
      result: `${hemicycleKb} kB`,
      reference: `DuckDB ${duckdbKb} kB`,
      ratio: hemicycleKb / duckdbKb,
      requiredRatio: null,
      rssMb: null,
    },
  ];
}

/** Median processor times, and the median of their ratios. */
function timeRow(name: string, peer: string, pairs: Pair[]): Row {
  const cpuMsOf = (side: keyof Pair) => Math.round(median(pairs.map((pair) => pair[side].cpuMs)));
  return {
    name,
    result: `${cpuMsOf('hemicycle')} ms CPU`,
    reference: `${peer} ${cpuMsOf('duckdb')} ms CPU`,
    ratio: median(pairs.map(({ hemicycle, duckdb }) => hemicycle.cpuMs / duckdb.cpuMs)),
    requiredRatio: null,
    rssMb: Math.max(...pairs.map(({ hemicycle }) => hemicycle.rssMb)),
  };
}

function kilobytesOf(path: string): number {
  return Math.round(statSync(path).size / 1000);
}
