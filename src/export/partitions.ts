import { appendFileSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { aimed, writeAtomically } from '../format/atomic-file.ts';
import { isInside } from '../format/foreign-file.ts';
import { readJsonFile, resourcesOf } from '../format/package-description.ts';
import { type Document, documentsIn } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import { makeFolder } from '../store/folder.ts';
import { attributionText, licenceText } from './companions.ts';
import type { ExportedTable } from './folder.ts';
import { beginIn, partsList, putInPlace, refuseForeignFiles, writeTexts } from './folder-switch.ts';
import { formerTables, type Gates, hashOfFile, refuseShrunken } from './former.ts';
import { type ExportWatch, writeTable } from './table.ts';
import type { WarehouseTable } from './warehouse.ts';

/** Hive's partition value for null. */
const unstated = '__HIVE_DEFAULT_PARTITION__';

type PartitionOptions = Gates & {
  /** When the newest data was retrieved, ISO 8601. */
  created: string;
  watch: ExportWatch;
};

type Partition = { path: string; rows: number; bytes: number; sha256: string };

type Described = { name: string; rows: number; columns: string[]; files: Partition[] };

/**
 * Writes Hive-partitioned Parquet by chamber and year (`ballots/chamber=AN/year=2026/ballots.parquet`), and its manifest
 * last. Unchanged files stay untouched; throws a BadTargetError if a foreign file is in the way.
 */
export async function exportPartitions(
  tables: WarehouseTable[],
  folder: string,
  options: PartitionOptions,
): Promise<ExportedTable[]> {
  const staged = await beginIn(folder);
  try {
    const former = await readJsonFile(join(staged.place, partsList));
    const owned = new Map(resourcesOf(former).flatMap(filesOf));
    const described: Described[] = [];
    for (const table of tables) {
      const written = await writeParts(table, { staged: staged.path, folder, watch: options.watch });
      refuseShrunken({ ...table, rows: written.rows }, formerTables(former).get(table.name), options);
      described.push(written);
    }
    const kept = resourcesOf(former).filter(({ name }) => !tables.some((table) => table.name === name));
    const about = tables.map(({ attribution, name, columns }) => {
      return { name, path: `${name}/`, columns, attribution };
    });
    const companions = {
      'LICENSE.txt': licenceText(about),
      'ATTRIBUTION.txt': attributionText(tables.map(({ attribution }) => attribution)),
    };
    const taken = described.flatMap(filesOf).map(([path]) => path);
    if (former === null) taken.push(...Object.keys(companions), 'datapackage.json');
    const isHeld = (path: string) => lstatSync(join(staged.place, path), { throwIfNoEntry: false });
    await aimed(folder, async () =>
      refuseForeignFiles(
        folder,
        taken.filter((path) => !owned.has(path) && isHeld(path)),
      ),
    );
    const same = new Set<string>();
    for (const [path, sha256] of described.flatMap(filesOf)) {
      if ((await hashOfFile(join(staged.place, path))) !== sha256) continue;
      same.add(path);
      await rm(join(staged.path, path));
    }
    const files = await writeTexts(companions, { staged: staged.path, folder });
    const resources = [...described, ...kept];
    const list = JSON.stringify({ created: options.created, files, resources }, null, 2);
    await writeTexts({ [partsList]: `${list}\n` }, { staged: staged.path, folder });
    const now = new Map(resources.flatMap(filesOf));
    const gone = [...owned.keys()].filter((path) => !now.has(path));
    await aimed(folder, () => putInPlace(staged.path, { place: staged.place, target: folder, gone }));
    return described.map(({ name, rows, files }) => {
      const isSame = files.every((file) => same.has(file.path));
      const path = join(folder, name);
      return { name, path, rows, bytes: null, sha256: null, outcome: isSame ? 'unchanged' : 'written' };
    });
  } finally {
    await staged.abort();
  }
}

function filesOf({ files }: Document | Described): [string, string][] {
  const all = documentsIn(files) as unknown as Partition[];
  return all.filter(({ path }) => isInside(String(path))).map(({ path, sha256 }) => [path, sha256]);
}

async function writeParts(
  table: WarehouseTable,
  { staged, folder, watch }: { staged: string; folder: string; watch: ExportWatch },
): Promise<Described> {
  const { names, parts } = await divide(table, { staged, watch });
  const columns = table.columns
    .filter(({ name }) => !names.includes(name))
    // A fixed type gives every partition the same schema.
    .map(({ isGuessed: _, ...column }): Column => column);
  const files: Partition[] = [];
  for (const [place, spilled] of [...parts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const path = join(table.name, place, `${table.name}.parquet`);
    makeFolder(dirname(join(staged, path)));
    const { name, attribution } = table;
    const lines = () => readFileSync(spilled.path, 'utf8').split('\n').values();
    const rows = () =>
      lines()
        .filter(Boolean)
        .map((line): Document => JSON.parse(line));
    const plain = { name, attribution, columns, rows, count: () => spilled.rows };
    const written = await writeAtomically(
      join(staged, path),
      async (sink) => void (await writeTable(plain, { format: 'parquet', header: true }, sink)),
      join(folder, path),
    );
    rmSync(spilled.path);
    files.push({ path, rows: spilled.rows, bytes: written.bytes, sha256: written.sha256() });
  }
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return { name: table.name, rows, columns: table.columns.map(({ name }) => name), files };
}

type Spilled = { path: string; rows: number };

/** Splits a table's rows into one line file per partition; `names` are the partition columns. */
async function divide(
  table: WarehouseTable,
  { staged, watch }: { staged: string; watch: ExportWatch },
): Promise<{ names: string[]; parts: Map<string, Spilled> }> {
  const has = (name: string) => table.columns.some((column) => column.name === name);
  const isDated = has('date');
  const names = isDated && has('chamber') ? ['chamber'] : [];
  const parts = new Map<string, Spilled & { waiting: string[] }>();
  const flush = ({ path, waiting }: { path: string; waiting: string[] }) =>
    appendFileSync(path, waiting.splice(0).join(''));
  let [count, length] = [0, 0];
  for (const row of table.rows()) {
    const place = isDated ? placeOf(row, names) : '';
    let part = parts.get(place);
    if (!part) {
      part = { path: join(staged, `${table.name}-${parts.size}.ndjson`), rows: 0, waiting: [] };
      parts.set(place, part);
    }
    const line = `${JSON.stringify(row)}\n`;
    part.waiting.push(line);
    part.rows += 1;
    length += line.length;
    if (length > mostWaiting) {
      for (const each of parts.values()) flush(each);
      length = 0;
    }
    count += 1;
    if (count % 500 === 0) await watch(table, count);
  }
  // A table without a row has its columns in one empty file.
  if (parts.size === 0 && !isDated)
    parts.set('', { path: join(staged, `${table.name}.ndjson`), rows: 0, waiting: [] });
  for (const each of parts.values()) flush(each);
  await watch(table, count);
  return { names, parts };
}

const mostWaiting = 8 << 20;

function placeOf(row: Document, names: string[]): string {
  const year = /^\d{4}(?=-)/.exec(String(row.date ?? ''))?.[0] ?? unstated;
  const stated = names.map((name) => {
    const value = row[name];
    return `${name}=${typeof value === 'string' && value !== '' ? encodeURIComponent(value) : unstated}`;
  });
  return join(...stated, `year=${year}`);
}
