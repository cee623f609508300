import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { VerificationError } from '../errors.ts';
import { maxListBytes, maxTableBytes, missingReason, whyUnreadable } from '../format/foreign-file.ts';
import { packageResources, readJsonFile } from '../format/package-description.ts';
import { codeOf, reasonOf } from '../format/sink.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import { type Phrase, say } from '../words/speech.ts';
import { readChecksums } from './companions.ts';
import { checksumsName, switchFolderName } from './folder-switch.ts';
import { companionNames, hashFile, hashIfReadable } from './former-export.ts';
import { readTable } from './lake/delta-log.ts';
import { lakeFiles, lakeManifest } from './lake/lake.ts';
import { createFileReader } from './lake/storage.ts';
import { latestLinkName, releaseIndexName, releasesIn } from './releases.ts';

/** The result of checking an exported file: its described row count (null if unknown), and its faults, if any. */
export type CheckedFile = { path: string; rows: number | null; faults: Phrase[] };

/** Checksums by device, inode, time and size: a file that releases share by hard links is read once. */
type HashCache = Map<string, string>;

const checks = { file: verifyFile, folder: verifyExport, releases: verifyReleases, lake: verifyLake };

/** Checks a file, folder, releases or lake, by its content; `unlistedFiles` are files that no export lists. */
export async function verifyTarget(path: string) {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const kind = isFile ? 'file' : containsReleases(path) ? 'releases' : containsLake(path) ? 'lake' : 'folder';
  const checkedFiles = await checks[kind](path);
  return { kind, checkedFiles, unlistedFiles: isFile ? [] : unexpectedFiles(path, checkedFiles) };
}

/** Checks a folder of `export -o DIR/` against its checksums; again if an export changes it meanwhile. */
export async function verifyExport(folder: string, hashCache: HashCache = new Map()): Promise<CheckedFile[]> {
  for (let waits = 0; ; waits += 1) {
    const checksumText = readSums(folder);
    const checkedFiles = await checkFolder(folder, readChecksums(checksumText), { hashCache });
    if (checkedFiles.every(({ faults }) => faults.length === 0)) return checkedFiles;
    const isSwitching = hasPendingSwitch(folder);
    if (readSums(folder) !== checksumText) continue;
    if (!isSwitching || waits === 20) return checkedFiles;
    await delay(50); // a second in all
  }
}

/** True for a folder that `export --releases` wrote. */
const containsReleases = (folder: string) =>
  existsSync(join(folder, releaseIndexName)) && !existsSync(join(folder, checksumsName));

/** Checks every release of a folder and its index; again if a release is published meanwhile. */
export async function verifyReleases(folder: string): Promise<CheckedFile[]> {
  for (;;) {
    const index = await readIndex(folder);
    const names = await releasesIn(folder);
    const hashCache: HashCache = new Map();
    const checkedFiles: CheckedFile[] = [];
    for (const name of names) {
      const isReadable = whyUnreadable(join(name, checksumsName), maxListBytes, folder) === null;
      const files = isReadable
        ? await verifyExport(join(folder, name), hashCache)
        : [{ path: checksumsName, rows: null, faults: [say`cannot be read`] }];
      checkedFiles.push(...files.map((file) => ({ ...file, path: join(name, file.path) })));
    }
    const faults = await indexFaults(folder, index, names);
    // A release is renamed into place shortly before the index lists it.
    if (faults.length > 0) await delay(100);
    if ((await readIndex(folder)).text === index.text && (await releasesIn(folder)).length === names.length)
      return [...checkedFiles, { path: releaseIndexName, rows: null, faults }];
  }
}

/** Reads `releases.json`; `text` is null if it is no JSON. */
async function readIndex(folder: string) {
  const index = await readJsonFile(releaseIndexName, folder);
  return { text: index && JSON.stringify(index), latest: index?.latest, releases: documentsIn(index?.releases) };
}

/** Compares the index and the link `latest` with the releases in the folder. */
async function indexFaults(folder: string, index: Awaited<ReturnType<typeof readIndex>>, names: string[]) {
  const faults: Phrase[] = index.text === null ? [say`cannot be read`] : [];
  const indexEntries = new Map(index.releases.map((each) => [String(each.release), each]));
  for (const name of new Set([...names, ...indexEntries.keys()])) {
    const entry = indexEntries.get(name);
    if (!entry) faults.push(say`does not list ${name}`);
    else if (!names.includes(name)) faults.push(say`lists ${name}, which is not there`);
    else if (entry.sha256sums !== (await hashIfReadable(join(name, checksumsName), folder)))
      faults.push(say`has a different checksum for ${name}/SHA256SUMS`);
  }
  if (index.latest !== names.at(-1)) faults.push(say`does not say that ${names.at(-1)} is the latest`);
  const target = await readlink(join(folder, latestLinkName)).catch(() => null);
  if (target !== names.at(-1)) faults.push(say`${latestLinkName} links to ${target ?? 'nothing'}`);
  return faults;
}

const metaSuffix = '.meta.json';

/** Checks an exported file against its `FILE.meta.json`, else its folder's checksums; `path` may be either file. */
export async function verifyFile(path: string): Promise<CheckedFile[]> {
  const file = path.endsWith(metaSuffix) ? path.slice(0, -metaSuffix.length) : path;
  const folder = dirname(file);
  const name = basename(file);
  const descriptionName = `${name}${metaSuffix}`;
  const meta = await readJsonFile(descriptionName, folder);
  if (meta === null && existsSync(join(folder, checksumsName))) {
    const sha256 = readChecksums(readSums(folder)).get(name);
    if (sha256 !== undefined) return checkFolder(folder, new Map([[name, sha256]]), { isPart: true });
  }
  if (meta === null)
    throw new VerificationError(
      say`${file}: ${descriptionName}, which describes it, cannot be read`,
      say`give a file written by \`hemicycle export … -o FILE\`, together with its companion file`,
    );
  const resource = { ...meta, hash: `sha256:${meta.sha256}` };
  return [await checkFile(folder, { path: name, sha256: null, resource, descriptionName }, new Map())];
}

/** True if an export was killed while renaming its files into place. */
export const hasPendingSwitch = (folder: string) => existsSync(join(folder, switchFolderName));

/** Checks the files of a checksum list; unless `isPart`, also that the list is complete. */
async function checkFolder(
  folder: string,
  sums: Map<string, string>,
  { hashCache = new Map(), isPart = false }: { hashCache?: HashCache; isPart?: boolean },
): Promise<CheckedFile[]> {
  const resources = new Map((await packageResources(folder)).map((resource) => [String(resource.path), resource]));
  const checkedFiles: CheckedFile[] = await Array.fromAsync(sums, ([path, sha256]) =>
    checkFile(folder, { path, sha256, resource: resources.get(path), descriptionName: 'datapackage.json' }, hashCache),
  );
  if (isPart) return checkedFiles;
  const missingPaths = [...companionNames, ...resources.keys()].filter((path) => !sums.has(path));
  const unlistedResults = missingPaths.map((path) => ({ path, rows: null, faults: [say`is not in SHA256SUMS`] }));
  return [...checkedFiles, ...unlistedResults];
}

/** Names in the folder that neither were checked nor belong to a lake, releases or a run's temporary files. */
function unexpectedFiles(folder: string, checked: CheckedFile[]): string[] {
  const expectedNames = new Set([...checked.map(({ path }) => path.split(sep)[0]!), checksumsName]);
  if (containsLake(folder)) for (const name of lakeFiles) expectedNames.add(name);
  if (containsReleases(folder)) expectedNames.add(latestLinkName);
  return readdirSync(folder).filter((name) => !expectedNames.has(name) && !/^\.hemicycle[-.]/.test(name));
}

/** The text of `SHA256SUMS`; throws a VerificationError if it cannot be read. */
function readSums(folder: string): string {
  const reason = whyUnreadable(checksumsName, maxListBytes, folder);
  if (reason === null) return readFileSync(join(folder, checksumsName), 'utf8');
  throw new VerificationError(
    existsSync(folder) ? say`${folder}: SHA256SUMS cannot be read: ${reason}` : say`${folder}: ${missingReason}`,
    say`name a folder or file that \`hemicycle export … -o DIR/\` wrote`,
  );
}

/** What a file should be: its entry in SHA256SUMS (null: none), and its description from `descriptionName`. */
type ExpectedFile = { path: string; sha256: string | null; resource: Document | undefined; descriptionName: string };

async function checkFile(folder: string, expectedFile: ExpectedFile, hashCache: HashCache): Promise<CheckedFile> {
  const { path, sha256, resource, descriptionName } = expectedFile;
  const file = join(folder, path);
  let reason = whyUnreadable(path, maxTableBytes, folder);
  let actualHash = '';
  let bytes = 0;
  try {
    if (reason === null) {
      const { dev, ino, mtimeMs, size } = statSync(file);
      const key = [dev, ino, mtimeMs, size].join();
      [actualHash, bytes] = [hashCache.get(key) ?? (await hashFile(file)), size];
      hashCache.set(key, actualHash);
    }
  } catch (error) {
    reason = codeOf(error) === 'ENOENT' ? missingReason : reasonOf(error);
  }
  if (reason !== null) {
    const fault = reason === missingReason ? say`is not there` : say`cannot be read: ${reason}`;
    return { path, rows: null, faults: [fault] };
  }
  const faults: Phrase[] = sha256 === null || actualHash === sha256 ? [] : [say`differs from SHA256SUMS`];
  if (!resource) return { path, rows: null, faults };
  if (resource.hash !== `sha256:${actualHash}`) faults.push(say`differs from the hash in ${descriptionName}`);
  if (resource.bytes !== bytes)
    faults.push(say`has ${bytes} bytes, but ${descriptionName} states ${String(resource.bytes)}`);
  return { path, rows: typeof resource.rows === 'number' ? resource.rows : null, faults };
}

/** True for a folder that `export --lake` wrote. */
export const containsLake = (folder: string) =>
  existsSync(join(folder, lakeManifest)) && !existsSync(join(folder, checksumsName));

/** Checks the files of the newest version of each table of a lake against its log. */
export async function verifyLake(folder: string): Promise<CheckedFile[]> {
  const files = createFileReader(folder);
  const paths = [...(await files.list()).keys()];
  const tables = (await readJsonFile(lakeManifest, folder))?.tables;
  if (!isDocument(tables))
    throw new VerificationError(
      say`${folder}: ${lakeManifest}, which describes it, cannot be read`,
      say`export it again, or copy the files again from a complete export`,
    );
  const checkedFiles: CheckedFile[] = [];
  for (const name of Object.keys(tables)) {
    const descriptionName = `${name}/_delta_log`;
    const table = await readTable(files, name, paths);
    if (table.version < 0) checkedFiles.push({ path: descriptionName, rows: null, faults: [say`is not there`] });
    for (const { path: filePath, size, rows } of table.files.values()) {
      const path = `${name}/${filePath}`;
      const lakeResource = { name, rows, bytes: size, hash: `sha256:${basename(filePath, '.parquet')}` };
      const expectedFile = { path, sha256: null, resource: lakeResource, descriptionName };
      checkedFiles.push(await checkFile(folder, expectedFile, new Map()));
    }
  }
  return checkedFiles;
}
