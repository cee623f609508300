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
import { sums, switchFolderName } from './folder-switch.ts';
import { companionNames, hashFile, hashIfReadable } from './former-export.ts';
import { readTable } from './lake/delta-log.ts';
import { lakeFiles, lakeManifest } from './lake/lake.ts';
import { openFileReader } from './lake/storage.ts';
import { indexName, latestName, releasesIn } from './releases.ts';

/** The result of checking an exported file: the rows of its description, and no faults if it is sound. */
export type CheckedFile = { path: string; rows: number | null; faults: Phrase[] };

/** Checksums by device, inode, time and size: several releases share a file. */
type HashCache = Map<string, string>;

const checks = { file: verifyFile, folder: verifyExport, releases: verifyReleases, lake: verifyLake };

/** Checks whatever an export wrote to a path; `unlistedFiles` of the folder are no part of it. */
export async function verifyTarget(path: string) {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const kind = isFile ? 'file' : holdsReleases(path) ? 'releases' : holdsLake(path) ? 'lake' : 'folder';
  const checkedFiles = await checks[kind](path);
  return { kind, checkedFiles, unlistedFiles: isFile ? [] : unexpectedFiles(path, checkedFiles) };
}

/** Checks a folder of `export -o DIR/` against its checksums; again if an export changes it meanwhile. */
export async function verifyExport(folder: string, hashCache: HashCache = new Map()): Promise<CheckedFile[]> {
  for (let waits = 0; ; waits += 1) {
    const list = readSums(folder);
    const checked = await checkFolder(folder, readChecksums(list), { hashCache });
    if (checked.every(({ faults }) => faults.length === 0)) return checked;
    const isSwitching = isInterrupted(folder);
    if (readSums(folder) !== list) continue;
    if (!isSwitching || waits === 20) return checked;
    await delay(50);
  }
}

/** True for a folder that `export --releases` wrote. */
const holdsReleases = (folder: string) =>
  existsSync(join(folder, indexName)) && !existsSync(join(folder, 'SHA256SUMS'));

/** Checks every release of a folder, shared files once, and its index; again if one is published meanwhile. */
export async function verifyReleases(folder: string): Promise<CheckedFile[]> {
  for (;;) {
    const index = await readIndex(folder);
    const names = await releasesIn(folder);
    const hashCache: HashCache = new Map();
    const checkedFiles: CheckedFile[] = [];
    for (const name of names) {
      const isReadable = whyUnreadable(join(name, sums), maxListBytes, folder) === null;
      const files = isReadable
        ? await verifyExport(join(folder, name), hashCache)
        : [{ path: sums, rows: null, faults: [say`cannot be read`] }];
      checkedFiles.push(...files.map((file) => ({ ...file, path: join(name, file.path) })));
    }
    const faults = await indexFaults(folder, index, names);
    // A release is renamed into place shortly before the index lists it.
    if (faults.length > 0) await delay(100);
    if ((await readIndex(folder)).text === index.text && (await releasesIn(folder)).length === names.length)
      return [...checkedFiles, { path: indexName, rows: null, faults }];
  }
}

async function readIndex(folder: string) {
  const index = await readJsonFile(indexName, folder);
  const text = index && JSON.stringify(index);
  return { text, latest: index?.latest, releases: documentsIn(index?.releases) };
}

async function indexFaults(folder: string, index: Awaited<ReturnType<typeof readIndex>>, names: string[]) {
  const faults: Phrase[] = index.text === null ? [say`cannot be read`] : [];
  const indexEntries = new Map(index.releases.map((each) => [String(each.release), each]));
  for (const name of new Set([...names, ...indexEntries.keys()])) {
    const entry = indexEntries.get(name);
    if (!entry) faults.push(say`does not list ${name}`);
    else if (!names.includes(name)) faults.push(say`lists ${name}, which is not there`);
    else if (entry.sha256sums !== (await hashIfReadable(join(name, sums), folder)))
      faults.push(say`has a different checksum for ${name}/SHA256SUMS`);
  }
  if (index.latest !== names.at(-1)) faults.push(say`does not say that ${names.at(-1)} is the latest`);
  const target = await readlink(join(folder, latestName)).catch(() => null);
  if (target !== names.at(-1)) faults.push(say`${latestName} links to ${target ?? 'nothing'}`);
  return faults;
}

const metaSuffix = '.meta.json';

/** Checks an exported file against its `FILE.meta.json` (which may be given instead) or its folder's package. */
export async function verifyFile(path: string): Promise<CheckedFile[]> {
  const file = path.endsWith(metaSuffix) ? path.slice(0, -metaSuffix.length) : path;
  const folder = dirname(file);
  const name = basename(file);
  const account = `${name}${metaSuffix}`;
  const meta = await readJsonFile(account, folder);
  if (meta === null && existsSync(join(folder, sums))) {
    const sha256 = readChecksums(readSums(folder)).get(name);
    if (sha256 !== undefined) return checkFolder(folder, new Map([[name, sha256]]), { isPart: true });
  }
  if (meta === null)
    throw new VerificationError(
      say`${file}: ${account}, which describes it, cannot be read`,
      say`give a file written by \`hemicycle export … -o FILE\`, together with its companion file`,
    );
  const resource = { ...meta, hash: `sha256:${meta.sha256}` };
  return [await checkFile(folder, { path: name, sha256: null, resource, account }, new Map())];
}

/** True if an export was killed while renaming its files into place. */
export const isInterrupted = (folder: string) => existsSync(join(folder, switchFolderName));

/** Checks the files of a checksum list; unless `isPart`, also that the list is complete. */
async function checkFolder(
  folder: string,
  sums: Map<string, string>,
  { hashCache = new Map(), isPart = false }: { hashCache?: HashCache; isPart?: boolean },
): Promise<CheckedFile[]> {
  const packageDocuments = await packageResources(folder);
  const resources = new Map(packageDocuments.map((resource) => [String(resource.path), resource]));
  const checkedFiles: CheckedFile[] = await Array.fromAsync(sums, ([path, sha256]) =>
    checkFile(folder, { path, sha256, resource: resources.get(path), account: 'datapackage.json' }, hashCache),
  );
  if (isPart) return checkedFiles;
  const missingPaths = [...companionNames, ...resources.keys()].filter((path) => !sums.has(path));
  const unlistedFiles = missingPaths.map((path) => ({ path, rows: null, faults: [say`is not in SHA256SUMS`] }));
  return [...checkedFiles, ...unlistedFiles];
}

/** Files in the folder without a checksum entry. */
function unexpectedFiles(folder: string, checked: CheckedFile[]): string[] {
  const expectedNames = new Set([...checked.map(({ path }) => path.split(sep)[0]!), sums]);
  if (holdsLake(folder)) for (const name of lakeFiles) expectedNames.add(name);
  if (holdsReleases(folder)) expectedNames.add(latestName);
  return readdirSync(folder).filter((name) => !expectedNames.has(name) && !/^\.hemicycle[-.]/.test(name));
}

function readSums(folder: string): string {
  const reason = whyUnreadable(sums, maxListBytes, folder);
  if (reason === null) return readFileSync(join(folder, sums), 'utf8');
  throw new VerificationError(
    existsSync(folder) ? say`${folder}: SHA256SUMS cannot be read: ${reason}` : say`${folder}: ${missingReason}`,
    say`name a folder or file that \`hemicycle export … -o DIR/\` wrote`,
  );
}

type ExpectedFile = { path: string; sha256: string | null; resource: Document | undefined; account: string };

async function checkFile(folder: string, { path, sha256, resource, account }: ExpectedFile, hashCache: HashCache) {
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
  if (resource.hash !== `sha256:${actualHash}`) faults.push(say`differs from the hash in ${account}`);
  if (resource.bytes !== bytes) faults.push(say`has ${bytes} bytes, but ${account} states ${String(resource.bytes)}`);
  return { path, rows: typeof resource.rows === 'number' ? resource.rows : null, faults };
}

/** True for a folder that `export --lake` wrote. */
export const holdsLake = (folder: string) => existsSync(join(folder, lakeManifest)) && !existsSync(join(folder, sums));

/** Checks the files of the newest version of each table of a lake against its log. */
export async function verifyLake(folder: string): Promise<CheckedFile[]> {
  const files = openFileReader(folder);
  const paths = [...(await files.list()).keys()];
  const tables = (await readJsonFile(lakeManifest, folder))?.tables;
  if (!isDocument(tables))
    throw new VerificationError(
      say`${folder}: ${lakeManifest}, which describes it, cannot be read`,
      say`export it again, or copy the files again from a complete export`,
    );
  const checkedFiles: CheckedFile[] = [];
  for (const name of Object.keys(tables)) {
    const account = `${name}/_delta_log`;
    const table = await readTable(files, name, paths);
    if (table.version < 0) checkedFiles.push({ path: account, rows: null, faults: [say`is not there`] });
    for (const { path: filePath, size, rows } of table.files.values()) {
      const path = `${name}/${filePath}`;
      const lakeResource = { name, rows, bytes: size, hash: `sha256:${basename(filePath, '.parquet')}` };
      checkedFiles.push(await checkFile(folder, { path, sha256: null, resource: lakeResource, account }, new Map()));
    }
  }
  return checkedFiles;
}
