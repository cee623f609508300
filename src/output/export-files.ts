import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { writeAtomically } from './atomic-file.ts';
import { dataPackage, type Resource } from './data-package.ts';
import { type ExportFormat, type ExportTable, isOpenData, writeTable } from './export-table.ts';
import { attributionText, checksums, fileMeta, licenceText } from './licence-files.ts';
import { reasonOf } from './reason.ts';

export type ExportOptions = {
  format: ExportFormat;
  header: boolean;
  /** The moment that the data stands for, ISO 8601. */
  created: string;
  /** Told of each file when it is complete. */
  done?: (file: { path: string; rows: number; bytes: number }) => void;
};

/** Writes one table into a file, and `FILE.meta.json` beside it. */
export async function exportFile(table: ExportTable, path: string, options: ExportOptions): Promise<void> {
  const { rows, bytes, sha256 } = await writeOne(table, path, options);
  const meta = fileMeta({
    path: basename(path),
    created: options.created,
    attribution: table.attribution,
    columns: table.columns,
    rows,
    bytes,
    sha256,
  });
  await writeAtomically(`${path}.meta.json`, (sink) => sink.write(meta));
}

/** Writes tables into a folder as a data package: the files, their description, licence, attribution and sums. */
export async function exportFolder(
  tables: ExportTable[],
  folder: string,
  options: ExportOptions,
): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new BadTargetError(folder, reasonOf(error));
  });
  const resources: Resource[] = [];
  for (const table of tables) {
    const path = `${table.name}.${options.format}`;
    const written = await writeOne(table, join(folder, path), options);
    const { name, columns, attribution } = table;
    resources.push({ name, path, format: options.format, columns, licence: attribution.licence, ...written });
  }
  const sums = resources.map(({ path, sha256 }) => ({ path, sha256 }));
  for (const [name, text] of Object.entries(companions(tables, resources, options))) {
    const file = await writeAtomically(join(folder, name), (sink) => sink.write(text));
    sums.push({ path: name, sha256: file.sha256() });
  }
  await writeAtomically(join(folder, 'SHA256SUMS'), (sink) => sink.write(checksums(sums)));
}

async function writeOne(
  table: ExportTable,
  path: string,
  { format, header, done }: ExportOptions,
): Promise<{ rows: number; bytes: number; sha256: string }> {
  let rows = 0;
  const file = await writeAtomically(path, async (sink) => {
    rows = await writeTable(table, { format, header }, sink);
  });
  done?.({ path, rows, bytes: file.bytes });
  return { rows, bytes: file.bytes, sha256: file.sha256() };
}

function companions(
  tables: ExportTable[],
  resources: Resource[],
  { created }: ExportOptions,
): Record<string, string> {
  const pathOf = (table: ExportTable) => resources.find(({ name }) => name === table.name)!.path;
  const attributions = tables.map(({ attribution }) => attribution);
  const general = attributions.find(({ licence }) => licence === null) ?? attributions[0]!;
  return {
    'datapackage.json': dataPackage({
      title: `Export of ${general.name}`,
      created,
      attribution: general,
      resources,
    }),
    'LICENSE.txt': licenceText({
      datasets: tables.filter(isOpenData).map(pathOf),
      others: tables.filter((table) => !isOpenData(table)).map(pathOf),
      attribution: general,
    }),
    'ATTRIBUTION.txt': attributionText(attributions),
  };
}
