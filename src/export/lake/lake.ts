import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { BadTargetError, LockedError } from '../../errors.ts';
import { guardTarget } from '../../format/atomic-file.ts';
import { byCodeUnit } from '../../language/fold.ts';
import { type Document, documentsIn, isDocument } from '../../model/document.ts';
import { dayMs } from '../../model/moment.ts';
import { say } from '../../words/speech.ts';
import { attributionText, licenceText } from '../companions.ts';
import type { ExportedTable } from '../folder.ts';
import { refuseShrunken } from '../former-export.ts';
import questionViews from '../question-views.json' with { type: 'json' };
import { tableMark } from '../table.ts';
import { stateOfMark, type WarehouseOptions, type WarehouseTable } from '../warehouse.ts';
import { partitionKey, partitionOf, writeFiles, yearsOf } from './data-files.ts';
import { commitVersion, type DataFile, type DeltaTable, readTable, removeOldCommits } from './delta-log.ts';
import { columnsOfSchema, deltaSchema } from './delta-schema.ts';
import type { LakeStorage } from './storage.ts';

/** File name of a lake's manifest: the version of each table after each run. */
export const lakeManifest = 'versions.json';

/** The files at the top of a lake; all others are below the folder of a table. */
export const lakeFiles = ['LICENSE.txt', 'ATTRIBUTION.txt', 'QUESTIONS.sql', lakeManifest];

/** Options of an export to a lake. */
export type LakeOptions = WarehouseOptions & {
  /** Number of withheld records of a table's kinds; if it grows, obsolete files are removed at once. */
  countWithheld(table: WarehouseTable): number;
  /** True if data files were deleted because of withheld records, while the log still lists them. */
  hasLostFiles?: boolean;
  /** The moment of the mirror, ISO 8601. */
  moment: string;
  /** Versions and files older than this are removed; null keeps all. */
  keepMs: number | null;
  nowMs: number;
};

/** A table in the manifest: its Delta version, its content (`tableMark`), and the number of its withheld records. */
type StoredTable = { version: number; mark: string | null; withheld: number };

/** Size and time of the stored files, by path. */
type FileListing = Awaited<ReturnType<LakeStorage['list']>>;

/** Commits changed partitions; returns a result per table. Throws a BadTargetError (foreign files) or a LockedError. */
export async function exportLake(tables: WarehouseTable[], storage: LakeStorage, options: LakeOptions) {
  let storedFiles = await storage.list();
  if (options.hasLostFiles) {
    for (const { name } of tables) await removeMissingFromLog(storage, name, storedFiles);
    storedFiles = await storage.list(); // with the commits above
  }
  const storedManifest = await readManifest(storage, storedFiles);
  const storedEntries = Object.entries(isDocument(storedManifest?.tables) ? storedManifest.tables : {});
  const tableEntries = new Map(storedEntries as unknown as [string, StoredTable][]);
  const exportedTables = await Array.fromAsync(tables, async (table) => {
    const storedTable = tableEntries.get(table.name);
    const update = await updateTable(table, { storage, options, storedTable, storedFiles });
    tableEntries.set(table.name, update.newEntry);
    return update.result;
  });
  const newStoredTables = Object.fromEntries([...tableEntries].sort(([one], [other]) => byCodeUnit(one, other)));
  if (JSON.stringify(newStoredTables) === JSON.stringify(storedManifest?.tables)) return exportedTables;
  await storage.replace('LICENSE.txt', licenceText(tables.map((table) => ({ ...table, path: `${table.name}/` }))));
  await storage.replace('ATTRIBUTION.txt', attributionText(tables.map(({ attribution }) => attribution)));
  if (tables.some(({ name }) => name === 'votes')) await storage.replace('QUESTIONS.sql', viewStatements());
  const versions = publishedVersions(storedManifest, newStoredTables, options.moment);
  const manifest = { format: 'delta', tables: newStoredTables, versions };
  await storage.replace(lakeManifest, `${JSON.stringify(manifest, null, 1)}\n`);
  return exportedTables;
}

/** The history of table versions, oldest first: that of the manifest, and the current versions if they are new. */
function publishedVersions(manifest: Document | null, storedTables: Record<string, StoredTable>, moment: string) {
  const tables = Object.fromEntries(Object.entries(storedTables).map(([name, { version }]) => [name, version]));
  const versions = documentsIn(manifest?.versions);
  const isNew = JSON.stringify(versions.at(-1)?.tables) !== JSON.stringify(tables);
  return isNew ? [...versions, { at: moment, tables }] : versions;
}

/** The views of questions as statements, for engines that read the lake. */
const viewStatements = () =>
  questionViews
    .flatMap(({ name, description, columns, sql }) => [
      `-- ${description}`,
      ...columns.map((column) => `--   ${column.name}: ${column.description}`),
      `CREATE VIEW ${name} AS\n${sql.join('\n')}\n;\n`,
    ])
    .join('\n');

/** Commits the removal of lost files, so that readers do not look for them. */
async function removeMissingFromLog(storage: LakeStorage, name: string, storedFiles: FileListing): Promise<void> {
  const before = await readTable(storage, name, storedFiles.keys());
  const removedPaths = [...before.files.keys()].filter((path) => !storedFiles.has(`${name}/${path}`));
  if (removedPaths.length === 0) return;
  const change = { added: [], removed: removedPaths, schema: null, description: '', mirrorTimeMs: before.committedMs };
  await commitVersion(storage, { name, before }, { ...change, partitionColumns: before.partitions });
}

/** Reads the manifest; null for a lake without one. Throws a BadTargetError if other files show that it is no lake. */
async function readManifest(storage: LakeStorage, storedFiles: FileListing): Promise<Document | null> {
  if (storedFiles.has(lakeManifest)) {
    const content: unknown = JSON.parse(Buffer.from(await storage.read(lakeManifest)).toString('utf8'));
    if (isDocument(content) && content.format === 'delta') return content;
  }
  // A killed run leaves commits without a manifest.
  const isForeign = (path: string) => !/^[a-z_]+\/(_delta_log|data)\//.test(path) && !lakeFiles.includes(path);
  const foreignPath = [...storedFiles.keys()].find(isForeign);
  if (foreignPath === undefined) return null;
  throw new BadTargetError(
    storage.displayName,
    say`it contains files that do not belong to a lake: ${foreignPath}`,
    say`name a new folder, or an empty one`,
  );
}

/** An update of a table: its manifest entry before this run (`storedTable`), and the files of the lake. */
type TableTask = {
  storage: LakeStorage;
  options: LakeOptions;
  storedTable: StoredTable | undefined;
  storedFiles: FileListing;
};

/** Brings a table up to date; returns the result and its manifest entry; retries if another run commits. */
async function updateTable(table: WarehouseTable, task: TableTask) {
  const { storage, options, storedTable } = task;
  const { name } = table;
  const mark = tableMark(table, table.state());
  const withheld = options.countWithheld(table);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const storedFiles = attempt === 0 ? task.storedFiles : await storage.list();
    const before = await readTable(storage, name, storedFiles.keys());
    const files = [...before.files.values()];
    const isIntact =
      storedTable?.version === before.version &&
      files.every(({ path, size }) => storedFiles.get(`${name}/${path}`)?.bytes === size);
    const isUpToDate = isIntact && mark !== null && storedTable.mark === mark;
    const after = isUpToDate ? before : await writeChanges(table, { ...task, storedFiles, before, isIntact });
    if (after === null) continue;
    const withholdsMore = withheld > (storedTable?.withheld ?? 0);
    if (withholdsMore || options.keepMs !== null)
      await removeObsoleteFiles(table, { ...task, storedFiles, state: after, withholdsMore });
    const rows = rowsIn([...after.files.values()]);
    const outcome = after.version === before.version ? 'unchanged' : 'written';
    const result: ExportedTable = { name, path: `${storage.displayName}/${name}`, rows, bytes: null, outcome };
    return { result, newEntry: { version: after.version, mark, withheld } };
  }
  const hint = say`other runs keep writing to it; stop them and run this again`;
  throw new LockedError(`${storage.displayName}/${name}`, undefined, hint);
}

const maxAttempts = 10; // to commit a version of a table before other runs do

const rowsIn = (files: DataFile[]) => files.reduce((sum, { rows }) => sum + rows, 0);

/** `before`: the table now; `isIntact`: manifest and stored files agree with it, else the whole table is rewritten. */
type WriteTask = TableTask & { before: DeltaTable; isIntact: boolean };

/** Writes and commits changed partitions and returns the state after it; null if another run committed first. */
async function writeChanges(table: WarehouseTable, task: WriteTask): Promise<DeltaTable | null> {
  const { storage, options, storedTable, storedFiles, before, isIntact } = task;
  const changedKeys = isIntact ? changedPartitions(table, before, storedTable!.mark) : null;
  const rows = changedKeys ? rowsInPartitions(table, before, changedKeys) : table.rows();
  const partitions = changedKeys && before.partitions;
  const write = () => writeFiles(table, rows, { storage, watch: options.watch, partitions });
  const writtenFiles = await guardTarget(dirname(storage.staging), write);
  // The decades of this table grew too large: rewrite all rows, by year.
  if (writtenFiles === null) return writeChanges(table, { ...task, isIntact: false });
  const { files, columns } = writtenFiles;
  const newFiles = files.map(({ file }) => file);
  const isRetained = ({ partitionValues }: DataFile) => changedKeys?.has(partitionKey(partitionValues)) === false;
  const formerFiles = [...before.files.values()];
  const retainedFiles = formerFiles.filter(isRetained);
  const currentFiles = [...retainedFiles, ...newFiles];
  const currentPaths = new Set(currentFiles.map(({ path }) => path));
  const formerColumns = before.schema === null ? [] : columnsOfSchema(before.schema);
  const formerNames = formerColumns.map(({ name }) => name);
  const formerTable = { rows: rowsIn(formerFiles), columns: formerNames, mark: storedTable?.mark };
  refuseShrunken({ ...table, columns, rows: rowsIn(currentFiles) }, formerTable, options);
  const schema = deltaSchema(retainedFiles.length > 0 ? withRetainedRawColumns(columns, formerColumns) : columns);
  for (const { file, staged } of files) {
    const path = `${table.name}/${file.path}`;
    if (storedFiles.get(path)?.bytes === file.size) rmSync(staged);
    else await storage.moveIn(staged, path);
  }
  const change = {
    added: newFiles.filter(({ path }) => !before.files.has(path)),
    removed: formerFiles.map(({ path }) => path).filter((path) => !currentPaths.has(path)),
    schema: schema === before.schema ? null : schema,
    partitionColumns: writtenFiles.partitions,
    description: table.description,
    mirrorTimeMs: Date.parse(options.moment),
  };
  if (change.schema === null && change.added.length + change.removed.length === 0) return before;
  return commitVersion(storage, { name: table.name, before }, change);
}

type SchemaColumns = Parameters<typeof deltaSchema>[0];

/** Adds the `_raw` columns (values of an unexpected type) that only retained files have. */
function withRetainedRawColumns(columns: SchemaColumns, formerColumns: SchemaColumns): SchemaColumns {
  const currentNames = new Set(columns.map(({ name }) => name));
  return [...columns, ...formerColumns.filter(({ name }) => name.endsWith('_raw') && !currentNames.has(name))];
}

/** Deletes unused data files: all if more is withheld, else if removed over `keepMs` ago or uncommitted for a day. */
async function removeObsoleteFiles(
  { name }: WarehouseTable,
  { storage, storedFiles, options, state, withholdsMore }: TableTask & { state: DeltaTable; withholdsMore: boolean },
): Promise<void> {
  const beforeMs = options.nowMs - (options.keepMs ?? 0);
  // Another run may be about to commit a file that it has just written.
  const recentMs = options.nowMs - dayMs;
  const obsoleteFiles = [...storedFiles].filter(([path, { writtenMs }]) => {
    if (!path.startsWith(`${name}/data/`)) return false;
    const tablePath = path.slice(name.length + 1);
    if (state.files.has(tablePath)) return false;
    if (withholdsMore) return true;
    const removedMs = state.removed.get(tablePath);
    return removedMs === undefined ? writtenMs < recentMs : removedMs < beforeMs;
  });
  await storage.remove(obsoleteFiles.map(([path]) => path));
  if (options.keepMs !== null) await removeOldCommits(storage, name, { storedFiles, beforeMs });
}

/** Keys of the partitions that contain, or ever contained, a record changed since the mark; null for all. */
function changedPartitions(table: WarehouseTable, { partitions }: DeltaTable, mark: string | null): Set<string> | null {
  const state = mark && stateOfMark(mark);
  // Changed columns or attribution affect all files.
  if (!state || !table.partitionFieldsOf || tableMark(table, state) !== mark) return null;
  const records = table.changedSince(state);
  if (records === null) return null;
  const partitionKeys = new Set<string>();
  for (const row of table.partitionFieldsOf(records)) {
    if (!table.rowsOfYears || partitions.length === 0) return null; // Rows cannot be read by year.
    partitionKeys.add(partitionKey(partitionOf(row, partitions)));
  }
  return partitionKeys;
}

function* rowsInPartitions(table: WarehouseTable, { partitions }: DeltaTable, keys: Set<string>) {
  const years = new Set([...keys].flatMap((key) => yearsOf(JSON.parse(key))));
  if (years.size === 0) return;
  for (const row of table.rowsOfYears!(years)) if (keys.has(partitionKey(partitionOf(row, partitions)))) yield row;
}
