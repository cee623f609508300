import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { Trial } from '../trial.ts';

/** A million rows as CSV and Parquet against the least that it takes, and DuckDB. */
export const exportMillion: Trial = {
  name: 'export-million',
  async run({ folder, million }) {
    const { mirror, folder: source } = await million();
    const target = join(folder, 'export.out');
    const run = (how: string, from = mirror) => runChild('export-file', [how, from, target]);
    const joined = await run('joined');
    const csv = await run('csv');
    const parquet = await run('parquet');
    const duckdb = await run('duckdb', join(source, 'content.ndjson'));
    rmSync(target, { force: true });
    const seconds = ({ figures }: typeof csv) => figures.seconds!;
    return [
      {
        name: 'CSV of 1,000,000 rows',
        ours: `${seconds(csv).toFixed(1)} s`,
        peer: `the same rows read and joined ${seconds(joined).toFixed(1)} s`,
        ratio: seconds(csv) / seconds(joined),
        must: { most: 1.5 },
        rssMb: csv.rssMb,
        mostRssMb: 200,
      },
      {
        name: 'Parquet of 1,000,000 rows',
        ours: `${seconds(parquet).toFixed(1)} s`,
        peer: `DuckDB from NDJSON ${seconds(duckdb).toFixed(1)} s, ${duckdb.rssMb} MB`,
        ratio: seconds(parquet) / seconds(duckdb),
        must: null,
        rssMb: parquet.rssMb,
      },
    ];
  },
};
