import { cpuUsage } from 'node:process';
import { report } from '../child.ts';

// Prints the processor time of reading all values of a Parquet file, by Hemicycle or by DuckDB.
const [reader, path] = process.argv.slice(2) as ['hemicycle' | 'duckdb', string];
const batches = await (reader === 'hemicycle' ? openWithHemicycle() : openWithDuckDb());
// The start is left out: Hemicycle compiles its modules from source here.
const before = cpuUsage();
let rows = 0;
for await (const { length } of batches) rows += length;
const { user, system } = cpuUsage(before);
report({ rows, cpuMs: (user + system) / 1000 });

/** Batches of rows, as an import reads them. */
async function openWithHemicycle(): Promise<AsyncIterable<unknown[]>> {
  const { readParquet } = await import('../../../src/format/parquet/read.ts');
  await import('../../../src/format/parquet/row-groups.ts');
  return readParquet(path);
}

/** Batches of rows as JSON, read in one thread. */
async function openWithDuckDb(): Promise<AsyncIterable<unknown[]>> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  return {
    async *[Symbol.asyncIterator]() {
      const result = await connection.stream(`SELECT * FROM read_parquet('${path}')`);
      yield* result.yieldRowsJson();
    },
  };
}
