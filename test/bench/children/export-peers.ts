import { closeSync, openSync, writeSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { kindOf } from '../../../src/model/kinds.ts';
import { openMirror } from '../../../src/store/open.ts';
import { rows } from '../../../src/store/rows.ts';
import { report } from '../child.ts';

// The peers of exports: minimal CSV from the mirror, or Parquet by DuckDB from NDJSON.
const [peer, source, target] = process.argv.slice(2) as ['joined-values' | 'duckdb', string, string];
if (peer === 'duckdb') await writeParquetWithDuckDb(source);
else writeJoinedValues(source);
report({});

/** The minimum of a CSV export: reads the rows of content and writes their values, without quoting or validation. */
function writeJoinedValues(mirrorPath: string): void {
  const mirror = openMirror(mirrorPath);
  const file = openSync(target, 'w');
  let buffer = '';
  for (const row of rows(mirror, kindOf('content'))) {
    buffer += `${Object.values(row).join(',')}\n`;
    if (buffer.length < 65_536) continue;
    writeSync(file, buffer);
    buffer = '';
  }
  writeSync(file, buffer);
  closeSync(file);
  mirror.close();
}

/** DuckDB parses the NDJSON and writes Parquet, in one thread. */
async function writeParquetWithDuckDb(ndjsonPath: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const query = `SELECT * FROM read_json('${ndjsonPath}', format = 'newline_delimited')`;
  await connection.run(`COPY (${query}) TO '${target}' (FORMAT parquet, COMPRESSION zstd)`);
}
