import type { SchemaElement } from 'hyparquet';
import { VerificationError } from '../../errors.ts';
import { copyAgainHint } from '../../format/foreign-file.ts';
import { groupElements, leafElement, listElements } from '../../format/parquet/column-type.ts';
import { parquetBytes } from '../../format/parquet/file.ts';
import { decodeParquet } from '../../format/parquet/read.ts';
import { type Document, isDocument, parseDocument } from '../../model/document.ts';
import { say } from '../../words/speech.ts';
import type { LakeStorage } from './storage.ts';

/** A file of a table: path in the table's folder, partition, size in bytes, and row count. */
export type DataFile = { path: string; partitionValues: Record<string, string | null>; size: number; rows: number };

/** The state of a table after its newest version; `version` is -1 and the rest empty if there is none. */
export type DeltaTable = Awaited<ReturnType<typeof readTable>>;

const commitsPerCheckpoint = 20;

const versionName = (version: number) => String(version).padStart(20, '0');
const commitPath = (table: string, version: number) => `${table}/_delta_log/${versionName(version)}.json`;
const checkpointPath = (table: string, version: number) =>
  `${table}/_delta_log/${versionName(version)}.checkpoint.parquet`;

/** Reads the newest version of a table from its log; `paths` are all files of the lake. */
export async function readTable(storage: Pick<LakeStorage, 'read'>, table: string, paths: Iterable<string>) {
  const folder = `${table}/_delta_log/`;
  const logFiles = [...paths].filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
  const listVersions = (extension: string) =>
    logFiles
      .filter((name) => /^\d{20}\./.test(name) && name.slice(20) === extension)
      .map((name) => Number(name.slice(0, 20)))
      .sort((one, other) => one - other);
  const state = {
    version: -1,
    id: null as string | null,
    schema: null as string | null,
    partitions: [] as string[],
    committedMs: 0,
    files: new Map<string, DataFile>(),
    /** Removed files, with the moments of their removal in milliseconds. */
    removed: new Map<string, number>(),
  };
  const checkpoint = listVersions('.checkpoint.parquet').at(-1);
  if (checkpoint !== undefined) {
    const path = checkpointPath(table, checkpoint);
    for (const action of await decodeParquet(await storage.read(path), path)) applyAction(state, action);
    state.version = checkpoint;
  }
  for (const version of listVersions('.json').filter((each) => each > state.version)) {
    const path = commitPath(table, version);
    const text = Buffer.from(await storage.read(path)).toString('utf8');
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const action = parseDocument(line);
      if (action === null) throw new VerificationError(say`${path}: not JSON`, copyAgainHint);
      applyAction(state, action);
    }
    state.version = version;
  }
  return state;
}

/** Applies one action of the log (metadata, added or removed file, commit time) to a state, which it changes. */
function applyAction(state: DeltaTable, { metaData, add, remove, commitInfo }: Document): void {
  if (isDocument(commitInfo)) state.committedMs = Number(commitInfo.inCommitTimestamp);
  if (isDocument(metaData)) {
    state.id = String(metaData.id);
    state.schema = String(metaData.schemaString);
    state.partitions = metaData.partitionColumns as string[];
  }
  if (isDocument(add)) {
    const path = String(add.path);
    const rows = Number(JSON.parse(String(add.stats)).numRecords);
    const partitionValues = add.partitionValues as DataFile['partitionValues'];
    state.files.set(path, { path, partitionValues, size: Number(add.size), rows });
    state.removed.delete(path);
  }
  if (isDocument(remove)) {
    const path = String(remove.path);
    state.files.delete(path);
    state.removed.set(path, Number(remove.deletionTimestamp));
  }
}

// https://github.com/delta-io/delta/blob/master/PROTOCOL.md
const protocol = { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ['inCommitTimestamp'] };

/** The changes of a new version: added files, and paths of removed ones. */
export type TableChange = {
  added: DataFile[];
  removed: string[];
  /** The new schema; null if it is unchanged. */
  schema: string | null;
  partitionColumns: string[];
  description: string;
  /** Time of the mirror's state. */
  mirrorTimeMs: number;
};

type TableFacts = Pick<TableChange, 'partitionColumns' | 'description'> & Record<'id' | 'name' | 'schema', string>;

function metaData({ name, id, schema, partitionColumns, description }: TableFacts, createdTime: number) {
  const format = { provider: 'parquet', options: {} };
  const configuration = { 'delta.enableInCommitTimestamps': 'true' };
  return { id, name, description, format, schemaString: schema, partitionColumns, createdTime, configuration };
}

function addAction({ path, partitionValues, size, rows }: DataFile, modificationTime: number) {
  const stats = JSON.stringify({ numRecords: rows });
  return { path, partitionValues, size, modificationTime, dataChange: true, stats };
}

/** Commits the next version of a table and returns the state after it; null if another run committed first. */
export async function commitVersion(
  storage: LakeStorage,
  { name, before }: { name: string; before: DeltaTable },
  change: TableChange,
): Promise<DeltaTable | null> {
  const version = before.version + 1;
  const at = Math.max(change.mirrorTimeMs, before.committedMs + 1); // The protocol requires increasing times.
  const id = before.id ?? crypto.randomUUID();
  const schema = change.schema ?? before.schema!;
  const commitInfo = {
    inCommitTimestamp: at,
    timestamp: at,
    engineInfo: 'hemicycle',
    isBlindAppend: false,
    operation: 'WRITE',
    operationParameters: { mode: 'Append' },
  };
  const actions: object[] = [
    { commitInfo },
    ...(version === 0 ? [{ protocol }] : []),
    ...(change.schema === null ? [] : [{ metaData: metaData({ ...change, name, id, schema }, at) }]),
    ...change.removed.map((path) => ({ remove: { path, deletionTimestamp: at, dataChange: true } })),
    ...change.added.map((file) => ({ add: addAction(file, at) })),
  ];
  const commitText = actions.map((action) => `${JSON.stringify(action)}\n`).join('');
  if (!(await storage.create(commitPath(name, version), commitText))) return null;
  const state: DeltaTable = { ...before, files: new Map(before.files), removed: new Map(before.removed) };
  for (const action of actions) applyAction(state, action as Document);
  state.version = version;
  if (version > 0 && version % commitsPerCheckpoint === 0)
    await writeCheckpoint(storage, { ...change, name, id, schema }, state);
  return state;
}

/** Writes a checkpoint: the state of a table as one file, so that readers need not read earlier commits. */
export async function writeCheckpoint(storage: LakeStorage, table: TableFacts, state: DeltaTable) {
  const at = state.committedMs;
  const rows: Record<string, unknown>[] = [
    { protocol },
    { metaData: { ...metaData(table, at), createdTime: BigInt(at) } },
    ...[...state.files.values()].map((file) => {
      const bigintFields = { size: BigInt(file.size), modificationTime: BigInt(at), dataChange: false };
      return { add: { ...addAction(file, at), ...bigintFields } };
    }),
    ...[...state.removed].map(([path, removedMs]) => ({
      remove: { path, deletionTimestamp: BigInt(removedMs), dataChange: false },
    })),
  ];
  const bytes = parquetBytes(rows, { columns: ['protocol', 'metaData', 'add', 'remove'], schema: checkpointSchema });
  await storage.replace(checkpointPath(table.name, state.version), bytes);
  const lastCheckpoint = { version: state.version, size: rows.length };
  await storage.replace(`${table.name}/_delta_log/_last_checkpoint`, JSON.stringify(lastCheckpoint));
}

/** Removes the commits and checkpoints before the newest checkpoint that is older than `beforeMs`. */
export async function removeOldCommits(
  storage: LakeStorage,
  table: string,
  { storedFiles, beforeMs }: { storedFiles: Awaited<ReturnType<LakeStorage['list']>>; beforeMs: number },
): Promise<void> {
  const folder = `${table}/_delta_log/`;
  const isVersionFile = (path: string) => path.startsWith(folder) && /^\d{20}\./.test(path.slice(folder.length));
  const versionFiles = [...storedFiles.keys()].filter(isVersionFile).sort();
  const isOld = (path: string) => storedFiles.get(path)!.writtenMs < beforeMs;
  const newestCheckpoint = versionFiles.findLast((path) => path.endsWith('.checkpoint.parquet') && isOld(path));
  if (newestCheckpoint === undefined) return;
  await storage.remove(versionFiles.filter((path) => path < newestCheckpoint));
}

const intField = (name: string): SchemaElement => ({ name, type: 'INT32', repetition_type: 'OPTIONAL' });
const longField = (name: string) => leafElement(name, 'integer');
const textField = (name: string) => leafElement(name, 'text');
const booleanField = (name: string) => leafElement(name, 'boolean');
const listField = (name: string) => listElements(name, [textField('element')]);
const mapField = (name: string): SchemaElement[] => [
  { name, converted_type: 'MAP', repetition_type: 'OPTIONAL', num_children: 1 },
  { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
  { ...textField('key'), repetition_type: 'REQUIRED' },
  textField('value'),
];

/** The schema of a checkpoint, as the Delta Lake protocol defines it. */
const checkpointSchema: SchemaElement[] = [
  { name: 'root', num_children: 4 },
  ...groupElements('protocol', [
    ...['minReaderVersion', 'minWriterVersion'].map(intField),
    listField('writerFeatures'),
  ]),
  ...groupElements('metaData', [
    ...['id', 'name', 'description'].map(textField),
    groupElements('format', [textField('provider'), mapField('options')]),
    textField('schemaString'),
    listField('partitionColumns'),
    longField('createdTime'),
    mapField('configuration'),
  ]),
  ...groupElements('add', [
    textField('path'),
    mapField('partitionValues'),
    longField('size'),
    longField('modificationTime'),
    booleanField('dataChange'),
    textField('stats'),
  ]),
  ...groupElements('remove', [textField('path'), longField('deletionTimestamp'), booleanField('dataChange')]),
];
