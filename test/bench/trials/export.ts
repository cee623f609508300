import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { Row, Trial } from '../trial.ts';

/** A million rows as CSV and Parquet against reading the same rows, with DuckDB beside. */
export const exportMillion: Trial = {
  name: 'export-million',
  async run({ folder, million }) {
    const { mirror, folder: source } = await million();
    const target = join(folder, 'export.out');
    const run = (how: string, from = mirror) => runChild('export-file', [how, from, target]);
    const read = await run('read');
    const csv = await run('csv');
    const parquet = await run('parquet');
    const duckdb = await run('duckdb', join(source, 'content.ndjson'));
    rmSync(target, { force: true });
    const beside = `DuckDB from NDJSON ${duckdb.figures.seconds!.toFixed(1)} s, ${duckdb.rssMb} MB`;
    const row = (name: string, ours: typeof csv, peer: string): Row => ({
      name,
      ours: `${ours.figures.seconds!.toFixed(1)} s`,
      peer,
      ratio: ours.figures.seconds! / read.figures.seconds!,
      must: null,
      rssMb: ours.rssMb,
    });
    const reading = `reading the rows ${read.figures.seconds!.toFixed(1)} s`;
    return [
      row('CSV of 1,000,000 rows', csv, reading),
      row('Parquet of 1,000,000 rows', parquet, `${reading}; ${beside}`),
    ];
  },
};
