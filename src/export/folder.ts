import { copyFile, link, lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import type { Sink } from '../format/sink.ts';
import type { Attribution } from '../model/attribution.ts';
import { documentsIn } from '../model/document.ts';
import { attributionText, checksums, dataDictionary, fileMeta, licenceText } from './companions.ts';
import { dataPackage, exportTitle } from './data-package.ts';
import { checksumsName, refuseForeignFiles, stageFolder, withLockedStaging, writeTexts } from './folder-switch.ts';
import {
  companionNames,
  type FormerFolder,
  hashIfReadable,
  isUnmodified,
  readFormerFile,
  readFormerFolder,
  refuseMissingTables,
  refuseShrunken,
  type SanityChecks,
} from './former-export.ts';
import type { ExportPart, Resource } from './part.ts';
import { stageRelease } from './releases.ts';
import { validReferences } from './table.ts';

/** Options of an export to files. */
export type ExportOptions = SanityChecks & {
  /** When the newest data was retrieved, ISO 8601. */
  created: string;
  /** Leaves files untouched whose data has not changed. */
  ifChanged: boolean;
};

/** One exported table; `unchanged` if its bytes equal those of the previous export. */
export type ExportedTable = {
  name: string;
  outcome: 'written' | 'unchanged';
  path: string;
  rows: number;
  /** Null for a table within a file. */
  bytes: number | null;
};

/** The result of an export; `unchanged` if it changed no file. */
export type ExportResult = { outcome: ExportedTable['outcome']; tables: ExportedTable[] };

/** Writes one file and its `FILE.meta.json`; with `ifChanged`, keeps both if the data and terms are equal. */
export async function exportFile(
  part: ExportPart,
  path: string,
  { created, ifChanged, ...sanityChecks }: ExportOptions,
): Promise<ExportResult> {
  const formerFile = await readFormerFile(path);
  if (ifChanged && formerFile !== null && (await isUnmodified(path, part.mark))) {
    const { rows, bytes } = formerFile.description as unknown as ExportedTable;
    return { outcome: 'unchanged', tables: [{ name: part.name, outcome: 'unchanged', path, rows, bytes }] };
  }
  let rows = 0;
  let isKept = false;
  const file = await writeAtomically(path, async (sink) => {
    rows = await part.write(sink);
    refuseShrunken({ ...part, rows }, formerFile, sanityChecks);
    // Hashing rereads the file, so only `ifChanged` pays for it.
    if (ifChanged && formerFile && termsOf(part.attribution) === termsOf(formerFile.description.attribution))
      isKept = sink.sha256() === (await hashIfReadable(path));
    return !isKept; // false discards the new file
  });
  const facts = { rows, bytes: file.bytes, sha256: file.sha256() };
  const outcome = formerFile?.sha256 === facts.sha256 ? 'unchanged' : 'written';
  const table: ExportedTable = { name: part.name, outcome, path, rows, bytes: file.bytes };
  if (isKept) return { outcome: 'unchanged', tables: [table] };
  const meta = fileMeta({ ...part, columns: part.written(), path: basename(path), ...facts }, created);
  await writeAtomically(`${path}.meta.json`, (sink) => sink.write(meta));
  return { outcome: 'written', tables: [table] };
}

/** The attribution without its text and retrieval time, as JSON for comparisons. */
const termsOf = (attribution: unknown) => {
  const { name, url, licence, as_of, gone_since } = (attribution ?? {}) as Partial<Attribution>;
  return JSON.stringify([name, url, licence, as_of, gone_since]);
};

type FolderOptions = ExportOptions & {
  /** Tables that are not exported this time; their files from the previous export stay. */
  retainedTables?: string[];
  /** Table names in the order in which the companion files list them. */
  order?: string[];
  /** True to write a new release, a subfolder named by its day. */
  isRelease?: boolean;
};

/** Writes a data package into a folder; renames changed files into place at the end. */
export function exportFolder(parts: ExportPart[], folder: string, options: FolderOptions): Promise<ExportResult> {
  return withLockedStaging(folder, async (staging) => {
    const { isRelease = false, created, ifChanged } = options;
    const stagedExport = isRelease ? await stageRelease(staging, folder, created) : await stageFolder(staging, folder);
    // Before the first release, this is the staging folder, which is still empty.
    const formerFolder = stagedExport.former ?? staging.path;
    const former = await readFormerFolder(formerFolder);
    if (!isRelease) {
      const exportNames = new Set([...parts.map(pathOf), ...companionNames, checksumsName]);
      const entries = await readdir(folder).catch(() => []);
      const foreignNames = entries.filter((name) => exportNames.has(name) && !former.ownPaths.includes(name));
      refuseForeignFiles(folder, foreignNames);
    }
    const state = await readState(formerFolder);
    const folders = { staged: staging.path, former: formerFolder, folder };
    const { resources, reusedPaths } = await writeResources(parts, folders, { former, state, options });
    const tablesIn = (shownFolder: string) =>
      resources.map(({ name, path, rows, bytes, sha256 }): ExportedTable => {
        const outcome = former.files.get(name)?.sha256 === sha256 ? 'unchanged' : 'written';
        return { name, outcome, path: join(shownFolder, path), rows, bytes };
      });
    const names = await writeDescriptions(folders, resources, created);
    const mayKeep = (ifChanged || isRelease) && former.asOf === (parts[0]!.attribution.as_of ?? null);
    if (mayKeep && (await hasSameContent(folders, { names, resources }, { listedPaths: former.listedPaths, state })))
      return { outcome: 'unchanged' as const, tables: tablesIn(stagedExport.displayName) };
    const markOf = (name: string) => (parts.find((part) => part.name === name) ?? state.get(name)!).mark;
    const tables = resources.map((resource): TableState => ({ mark: markOf(resource.name), resource }));
    await writeTexts({ [stateName]: JSON.stringify({ tables }) }, folders);
    const committedTarget = await stagedExport.commit(former.ownPaths.filter((path) => !reusedPaths.has(path)));
    return { tables: tablesIn(committedTarget), outcome: 'written' as const };
  });
}

const stateName = '.hemicycle-state.json'; // file with the state for the next export

/** A table in the state: its file, and its `mark`, a hash of source state and format (null if unknown). */
type TableState = { mark: string | null; resource: Resource };

/** The tables of the previous export whose files are unmodified, by name. */
async function readState(folder: string) {
  const tables = new Map<string, TableState>();
  const path = join(folder, stateName);
  const storedState = await readJsonFile(path);
  if (storedState === null) return tables;
  const { mtimeMs } = await stat(path);
  for (const each of documentsIn(storedState.tables) as unknown as TableState[]) {
    const file = await lstat(join(folder, each.resource.path)).catch(() => null);
    const isUnmodifiedFile = file?.isFile() && file.size === each.resource.bytes && file.mtimeMs <= mtimeMs;
    if (isUnmodifiedFile) tables.set(each.resource.name, each);
  }
  return tables;
}

/** Writes changed parts; returns all files of the export, and the paths of reused ones (retained, or of equal mark). */
async function writeResources(
  parts: ExportPart[],
  folders: ExportFolders,
  { former, state, options }: { former: FormerFolder; state: Map<string, TableState>; options: FolderOptions },
) {
  const { order = [], maxShrink, isRelease } = options;
  // Tables that are not exported now keep their files, unless these are of a past state (`asOf`).
  const retainedNames = (former.asOf === null ? (options.retainedTables ?? []) : []).filter((name) => state.has(name));
  const names = [...parts.map(({ name }) => name), ...retainedNames];
  refuseMissingTables(former.files, names, maxShrink);
  const hasSameMark = ({ name, mark }: ExportPart) => mark !== null && state.get(name)?.mark === mark;
  const reusedNames = [...retainedNames, ...parts.filter(hasSameMark).map(({ name }) => name)];
  const reusedResources = new Map(reusedNames.map((name) => [name, state.get(name)!.resource]));
  const reusedPaths = new Set(reusedResources.values().map(({ path }) => path));
  for (const path of isRelease ? reusedPaths : []) {
    const [formerPath, stagedPath] = [join(folders.former, path), join(folders.staged, path)] as const;
    // Some file systems have no hard links.
    await link(formerPath, stagedPath).catch(() => copyFile(formerPath, stagedPath));
  }
  for (const resource of reusedResources.values())
    resource.references = resource.references.filter(({ table }) => names.includes(table));
  const resources = retainedNames.map((name) => reusedResources.get(name)!);
  for (const part of parts) {
    const { name, attribution } = part;
    const reusedResource = reusedResources.get(name);
    const resource = reusedResource ? { ...reusedResource, attribution } : await writeResource(part, folders);
    resources.push(resource);
    refuseShrunken(resource, former.files.get(name), options);
    const partReferences = part.references.filter(({ table }) => names.includes(table));
    const linkedNames = [name, ...partReferences.map(({ table }) => table)];
    // If this table or a referenced one was written anew, referenced records may be missing: check the references.
    if (linkedNames.some((each) => !reusedResources.has(each)))
      resource.references = validReferences(partReferences, names);
  }
  return { resources: resources.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)), reusedPaths };
}

const pathOf = ({ name, format }: ExportPart) => `${name}.${format}`;

/** Paths of the staging folder, of the previous export, and of the target. */
type ExportFolders = { staged: string; former: string; folder: string };

async function writeResource(part: ExportPart, folders: ExportFolders): Promise<Resource> {
  const { name, format, description, key, attribution, dialect } = part;
  const path = pathOf(part);
  let rows = 0;
  const write = async (sink: Sink) => {
    rows = await part.write(sink);
  };
  const file = await writeAtomically(join(folders.staged, path), write, join(folders.folder, path));
  const facts = { rows, columns: part.written(), references: [], bytes: file.bytes, sha256: file.sha256() };
  return { name, path, format, description, key, attribution, dialect, ...facts };
}

/** Writes the companion files and, last, their checksums; returns the paths of all files of the export. */
async function writeDescriptions(folders: ExportFolders, resources: Resource[], created: string): Promise<string[]> {
  const texts = {
    'datapackage.json': dataPackage({ created, resources }),
    'DICTIONARY.md': dataDictionary(exportTitle(resources), resources),
    'LICENSE.txt': licenceText(resources),
    'ATTRIBUTION.txt': attributionText(resources.map(({ attribution }) => attribution)),
  };
  const files = [...resources, ...(await writeTexts(texts, folders))];
  await writeTexts({ [checksumsName]: checksums(files) }, folders);
  return [...files.map(({ path }) => path), checksumsName];
}

/** True if the previous export has the same bytes and terms; a new retrieval day alone is no change. */
async function hasSameContent(
  { staged, former }: ExportFolders,
  { names, resources }: { names: string[]; resources: Resource[] },
  { listedPaths, state }: { listedPaths: string[]; state: Map<string, TableState> },
): Promise<boolean> {
  const entries = new Set(await readdir(former).catch(() => []));
  const listedCount = names.length - 1; // SHA256SUMS does not list itself.
  if (names.some((name) => !entries.has(name)) || listedPaths.length !== listedCount) return false;
  if (resources.some(({ name, sha256 }) => state.get(name)?.resource.sha256 !== sha256)) return false;
  for (const path of ['LICENSE.txt', 'DICTIONARY.md'])
    if ((await hashIfReadable(join(former, path))) !== (await hashIfReadable(join(staged, path)))) return false;
  return true;
}
