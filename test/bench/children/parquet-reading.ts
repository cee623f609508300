import { cpuUsage } from 'node:process';
import { report } from '../child.ts';

const [who, path] = process.argv.slice(2) as ['ours' | 'duckdb', string];
const batches = await (who === 'ours' ? openOurs() : openDuckDb());
// Without the start, in which ours compiles its modules from source.
const before = cpuUsage();
let rows = 0;
for await (const { length } of batches) rows += length;
const { user, system } = cpuUsage(before);
report({ rows, cpuMs: (user + system) / 1000 });

/** Every value of every row, as an import takes them. */
async function openOurs(): Promise<AsyncIterable<unknown[]>> {
  const { readParquet } = await import('../../../src/format/parquet/read.ts');
  await import('../../../src/format/parquet/row-groups.ts');
  return readParquet(path);
}

/** Every value of every row as JSON, read in one thread. */
async function openDuckDb(): Promise<AsyncIterable<unknown[]>> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  return {
    async *[Symbol.asyncIterator]() {
      yield* (await connection.stream(`SELECT * FROM read_parquet('${path}')`)).yieldRowsJson();
    },
  };
}
