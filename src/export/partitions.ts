import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { aimed, writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile, resourcesOf } from '../format/package-description.ts';
import type { Document } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import { attributionText, licenceText } from './companions.ts';
import type { ExportedTable } from './files.ts';
import { alone, beginIn } from './folder-switch.ts';
import { type FormerTable, type Gates, refuseShrunken } from './former.ts';
import { type ExportWatch, writeTable } from './table.ts';
import type { WarehouseTable } from './warehouse.ts';

/** What says which files of a folder are ours, with their sums: always put in place last. */
const listName = 'partitions.json';

/** What Hive, and all that read as it does, call the part of rows without a value. */
const unstated = '__HIVE_DEFAULT_PARTITION__';

type PartitionOptions = Gates & {
  /** The moment that the data stands for, ISO 8601. */
  created: string;
  watch: ExportWatch;
};

/** One file of a table: where it is in the folder, its rows and its SHA-256. */
type Partition = { path: string; rows: number; sha256: string };

type Described = { name: string; rows: number; columns: string[]; files: Partition[] };

/**
 * Writes tables into a folder as Parquet in parts: a folder for each, in it one for each chamber and year where its rows
 * have them (`ballots/chamber=AN/year=2026/ballots.parquet`), and columns that a path states are not in the file. Each
 * file appears whole, those that say what they said stay untouched, and what no table has any more goes. Throws a
 * BadTargetError where a file of somebody else stands in the way.
 */
export async function exportPartitions(
  tables: WarehouseTable[],
  folder: string,
  options: PartitionOptions,
): Promise<ExportedTable[]> {
  const staged = await beginIn(folder);
  try {
    const former = await readJsonFile(join(staged.place, listName));
    const owned = new Map(resourcesOf(former).flatMap(filesOf));
    const described: Described[] = [];
    for (const table of tables) {
      const written = await writeParts(table, { staged: staged.path, folder, watch: options.watch });
      refuseShrunken({ ...table, rows: written.rows }, formerTable(former, table.name), options);
      described.push(written);
    }
    const kept = resourcesOf(former).filter(({ name }) => !tables.some((table) => table.name === name));
    const about = tables.map(({ attribution, name, columns }) => ({
      name,
      path: `${name}/`,
      columns,
      attribution,
    }));
    const companions = {
      'LICENSE.txt': licenceText(about),
      'ATTRIBUTION.txt': attributionText(tables.map(({ attribution }) => attribution)),
    };
    const { created } = options;
    const list = JSON.stringify({ created, resources: [...described, ...kept] }, null, 2);
    await refuseOthers(staged.place, folder, {
      described,
      owned,
      others: Object.keys(companions),
      isOurs: former !== null,
    });
    await alone(staged.place, folder, async () => {
      const now = new Map([...described, ...kept].flatMap(filesOf));
      for (const [path, sha256] of described.flatMap(filesOf))
        if (owned.get(path) !== sha256 || !(await isFile(join(staged.place, path))))
          await aimed(folder, async () => {
            await mkdir(dirname(join(staged.place, path)), { recursive: true });
            await rename(join(staged.path, path), join(staged.place, path));
          });
      for (const path of owned.keys()) if (!now.has(path)) await removePart(staged.place, path);
      for (const [path, text] of Object.entries(companions))
        await writeAtomically(join(staged.place, path), (sink) => sink.write(text));
      await writeAtomically(join(staged.place, listName), (sink) => sink.write(`${list}\n`));
    });
    return described.map(({ name, rows, files }) => {
      const isSame = files.every(({ path, sha256 }) => owned.get(path) === sha256);
      const path = join(folder, name);
      return { name, path, rows, bytes: null, sha256: null, outcome: isSame ? 'unchanged' : 'written' };
    });
  } finally {
    await staged.abort();
  }
}

const isFile = async (path: string) => (await lstat(path).catch(() => null))?.isFile() ?? false;

/** The files of a table that a list describes, with their sums. */
function filesOf({ files }: Document | Described): [string, string][] {
  const all = (Array.isArray(files) ? files : []) as Partition[];
  return all.filter(({ path }) => isInside(String(path))).map(({ path, sha256 }) => [path, sha256]);
}

/** True for a path that leads nowhere else. */
const isInside = (path: string) => !path.startsWith('/') && !path.split(/[/\\]/).includes('..');

function formerTable(former: Document | null, name: string): FormerTable | null {
  const table = resourcesOf(former).find((each) => each.name === name);
  if (!table) return null;
  const { rows, columns } = table;
  return {
    rows: typeof rows === 'number' ? rows : null,
    columns: Array.isArray(columns) ? columns.map(String) : null,
  };
}

/** Removes a file that is no longer, and the folders that are empty then. */
async function removePart(place: string, path: string): Promise<void> {
  await rm(join(place, path), { force: true });
  for (let up = dirname(path); up !== '.' && up !== sep; up = dirname(up)) {
    const held = await readdir(join(place, up)).catch(() => ['']);
    if (held.length > 0) return;
    await rm(join(place, up), { recursive: true, force: true });
  }
}

async function refuseOthers(
  place: string,
  folder: string,
  {
    described,
    owned,
    others,
    isOurs,
  }: { described: Described[]; owned: Map<string, string>; others: string[]; isOurs: boolean },
): Promise<void> {
  const taken = described
    .flatMap(filesOf)
    .map(([path]) => path)
    .filter((path) => !owned.has(path));
  if (!isOurs) taken.push(...others, 'datapackage.json');
  const held: string[] = [];
  for (const path of taken) if (await lstat(join(place, path)).catch(() => null)) held.push(path);
  if (held.length === 0) return;
  throw new BadTargetError(
    folder,
    say`it holds files that no export of the folder wrote, and that this one would replace: ${held.sort().join(', ')}`,
    say`move them, or export into another folder`,
  );
}

/** Writes the parts of a table into a folder in the making. */
async function writeParts(
  table: WarehouseTable,
  { staged, folder, watch }: { staged: string; folder: string; watch: ExportWatch },
): Promise<Described> {
  const { names, parts } = await divide(table, { staged, watch });
  const columns = table.columns.filter(({ name }) => !names.includes(name)).map(settled);
  const files: Partition[] = [];
  let rows = 0;
  for (const [place, spilled] of [...parts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const path = join(table.name, place, `${table.name}.parquet`);
    await mkdir(dirname(join(staged, path)), { recursive: true });
    const { name, attribution } = table;
    const plain = { name, attribution, columns, rows: () => rowsIn(spilled.path), count: () => spilled.rows };
    const written = await writeAtomically(
      join(staged, path),
      async (sink) => void (await writeTable(plain, { format: 'parquet', header: true }, sink)),
      join(folder, path),
    );
    rmSync(spilled.path);
    files.push({ path, rows: spilled.rows, sha256: written.sha256() });
    rows += spilled.rows;
  }
  return { name: table.name, rows, columns: table.columns.map(({ name }) => name), files };
}

/** A column whose type is the same in every part, whatever its values there are. */
const settled = ({ isGuessed: _, ...column }: Column): Column => column;

type Spilled = { path: string; rows: number };

/** Divides the rows of a table by where they belong, into files of lines; `names` are columns that paths state. */
async function divide(
  table: WarehouseTable,
  { staged, watch }: { staged: string; watch: ExportWatch },
): Promise<{ names: string[]; parts: Map<string, Spilled> }> {
  const has = (name: string) => table.columns.some((column) => column.name === name);
  const isDated = has('date');
  const names = isDated && has('chamber') ? ['chamber'] : [];
  const parts = new Map<string, Spilled & { waiting: string[]; length: number }>();
  const flush = (part: { path: string; waiting: string[]; length: number }) => {
    const file = openSync(part.path, 'a');
    writeSync(file, part.waiting.join(''));
    closeSync(file);
    [part.waiting, part.length] = [[], 0];
  };
  let [count, length] = [0, 0];
  for (const row of table.rows()) {
    const place = isDated ? placeOf(row, names) : '';
    let part = parts.get(place);
    if (!part) {
      part = { path: join(staged, `${table.name}-${parts.size}.ndjson`), rows: 0, waiting: [], length: 0 };
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
    parts.set('', { path: join(staged, `${table.name}.ndjson`), rows: 0, waiting: [], length: 0 });
  for (const each of parts.values()) flush(each);
  await watch(table, count);
  return { names, parts };
}

/** So many characters of rows are held before they are written down. */
const mostWaiting = 8 << 20;

/** The folders of a row, as Hive names them. */
function placeOf(row: Document, names: string[]): string {
  const year = /^\d{4}(?=-)/.exec(String(row.date ?? ''))?.[0] ?? unstated;
  const stated = names.map((name) => {
    const value = row[name];
    return `${name}=${typeof value === 'string' && value !== '' ? encodeURIComponent(value) : unstated}`;
  });
  return join(...stated, `year=${year}`);
}

function* rowsIn(path: string): Generator<Document> {
  for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') yield JSON.parse(line);
}
