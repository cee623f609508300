import { closeSync, openSync, writeSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { kindOf } from '../../../src/model/kinds.ts';
import { openMirror } from '../../../src/store/open.ts';
import { rows } from '../../../src/store/rows.ts';
import { report } from '../child.ts';

const [how, path, target] = process.argv.slice(2) as ['joined' | 'duckdb', string, string];
if (how === 'duckdb') await copyWithDuckDb();
else joinRows();
report({});

/** The least that an export has to do: read the same rows, and write their values joined, unquoted and unchecked. */
function joinRows(): void {
  const mirror = openMirror(path);
  const file = openSync(target, 'w');
  let text = '';
  for (const row of rows(mirror, kindOf('content'))) {
    text += `${Object.values(row).join(',')}\n`;
    if (text.length < 65_536) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text);
  closeSync(file);
  mirror.close();
}

/** `path` is the NDJSON that the mirror was made from: DuckDB reads it itself, in one thread. */
async function copyWithDuckDb(): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run(
    `COPY (SELECT * FROM read_json('${path}', format = 'newline_delimited')) TO '${target}' (FORMAT parquet, COMPRESSION zstd)`,
  );
}
