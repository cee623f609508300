import { performance } from 'node:perf_hooks';
import { DuckDBInstance } from '@duckdb/node-api';
import { exportTable } from '../../../src/mirror/export-tables.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { writeAtomically } from '../../../src/output/atomic-file.ts';
import { type ExportFormat, writeTable } from '../../../src/output/export-table.ts';
import { openMirror } from '../../../src/store/open.ts';
import { rows } from '../../../src/store/rows.ts';
import { report } from '../child.ts';

const [how, path, target] = process.argv.slice(2) as [ExportFormat | 'read' | 'duckdb', string, string];
const begin = performance.now();
if (how === 'duckdb') await copyWithDuckDb();
else if (how === 'read') readRows();
else await exportRows(how);
report({ seconds: (performance.now() - begin) / 1000 });

function readRows(): void {
  const mirror = openMirror(path);
  let fields = 0;
  for (const row of rows(mirror, kindOf('content'))) fields += Object.keys(row).length;
  mirror.close();
  if (fields === 0) throw new Error('nothing was read');
}

async function exportRows(format: ExportFormat): Promise<void> {
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
