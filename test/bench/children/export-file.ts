import { closeSync, openSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { DuckDBInstance } from '@duckdb/node-api';
import { exportTable } from '../../../src/mirror/export-tables.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { writeAtomically } from '../../../src/output/atomic-file.ts';
import { type ExportFormat, writeTable } from '../../../src/output/export-table.ts';
import { keepHeapSmall } from '../../../src/output/small-heap.ts';
import { openMirror } from '../../../src/store/open.ts';
import { rows } from '../../../src/store/rows.ts';
import { report } from '../child.ts';

const [how, path, target] = process.argv.slice(2) as [ExportFormat | 'joined' | 'duckdb', string, string];
const begin = performance.now();
if (how === 'duckdb') await copyWithDuckDb();
else if (how === 'joined') joinRows();
else await exportRows(how);
report({ seconds: (performance.now() - begin) / 1000 });

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

async function exportRows(format: ExportFormat): Promise<void> {
  keepHeapSmall(4);
  const mirror = openMirror(path);
  const citation = { name: 'bench', siteUrl: null };
  const table = exportTable(mirror, kindOf('content'), { citation, filter: {} });
  await writeAtomically(target, async (sink) => {
    await writeTable(table, { format, header: true }, sink);
  });
  mirror.close();
}

/** `path` is the NDJSON that the mirror was made from: DuckDB reads it itself. */
async function copyWithDuckDb(): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run(
    `COPY (SELECT * FROM read_json('${path}', format = 'newline_delimited')) TO '${target}' (FORMAT parquet, COMPRESSION zstd)`,
  );
}
