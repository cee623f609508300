import { hash } from 'node:crypto';
import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import { orNull } from '../errors.ts';
import { maxListBytes, tooLargeReason } from '../format/foreign-file.ts';
import { type Phrase, say } from '../words/speech.ts';

/** A file in an archive. */
export type ZipEntry = { path: string; bytes: Uint8Array };

/** A fault of an evidence file; `part`: the path of the file in it, or `ZIP`. */
export type Fault = { part: string; reason: Phrase };

/** Size limit of evidence: verification reads it into memory. */
export const maxZipBytes = 2 ** 30;

const zipEpoch = new Date(1980, 0, 1); // the earliest ZIP timestamp, for reproducible bytes

/** Bytes of a ZIP file without compression, which depend on paths and contents only. */
export function createStoredZip(entries: readonly ZipEntry[]): Uint8Array {
  return zipSync(Object.fromEntries(entries.map(({ path, bytes }) => [path, bytes])), { level: 0, mtime: zipEpoch });
}

/** The files of an uncompressed ZIP file; empty if it is invalid or declares more bytes than it has. */
export function readStoredZip(bytes: Uint8Array): ZipEntry[] {
  let total = 0;
  const filter = ({ size, compression }: UnzipFileInfo) => {
    total += size;
    return compression === 0 && total <= bytes.length;
  };
  const files = orNull(() => unzipSync(bytes, { filter })) ?? {};
  return Object.entries(files).map(([path, content]) => ({ path, bytes: content }));
}

const bagFolder = 'evidence'; // top folder, required by RFC 8493 for a bag in one file

/** File of a time stamp (RFC 3161) that an earlier version or a third party added; only openssl can check it. */
export const timestampName = 'timestamp.tsr';

const declarationName = 'bagit.txt';
const infoName = 'bag-info.txt';
const manifestName = 'manifest-sha256.txt';
const bagDeclaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const tagFileNames = [infoName, declarationName, manifestName];
const tagManifestName = 'tagmanifest-sha256.txt';

/** SHA-256 in hexadecimal digits. */
export const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

/** Creates the files of a bag (BagIt 1.0, RFC 8493) from payload files below `data/`, sorted by path. */
export function createBag(payload: readonly ZipEntry[], info: { software: string; day: string }): ZipEntry[] {
  const sortedPayload = payload.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const bytes = sortedPayload.reduce((sum, entry) => sum + entry.bytes.length, 0);
  const texts: Record<string, string> = {
    [declarationName]: bagDeclaration,
    [infoName]: `Bag-Software-Agent: ${info.software}\nBagging-Date: ${info.day}\nPayload-Oxum: ${bytes}.${sortedPayload.length}\n`,
    [manifestName]: hashList(sortedPayload),
  };
  const tags = tagFileNames.map((path) => ({ path, bytes: Buffer.from(texts[path]!) }));
  const entries = [...tags, { path: tagManifestName, bytes: Buffer.from(hashList(tags)) }, ...sortedPayload];
  return entries.map(({ path, bytes }) => ({ path: `${bagFolder}/${path}`, bytes }));
}

const hashList = (files: readonly ZipEntry[]) => files.map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`).join('');

/** The files of a bag by path in it, and its faults: foreign or missing files, and differences from the manifests. */
export function readBag(entries: readonly ZipEntry[]): { files: Map<string, Uint8Array>; faults: Fault[] } {
  const files = new Map<string, Uint8Array>();
  const faults: Fault[] = [];
  const tagFiles = [...tagFileNames, tagManifestName, timestampName];
  for (const { path, bytes } of entries) {
    const relativePath = path.startsWith(`${bagFolder}/`) ? path.slice(bagFolder.length + 1) : path;
    const isBagFile = relativePath !== path && (relativePath.startsWith('data/') || tagFiles.includes(relativePath));
    if (isBagFile) files.set(relativePath, bytes);
    else faults.push({ part: relativePath, reason: say`it does not belong to evidence` });
  }
  for (const name of [...tagFileNames, tagManifestName])
    if (!files.has(name)) faults.push({ part: name, reason: say`it is missing` });
  for (const fault of checkManifest(files, manifestName, (path) => path.startsWith('data/'))) faults.push(fault);
  for (const fault of checkManifest(files, tagManifestName, (path) => tagFileNames.includes(path))) faults.push(fault);
  return { files, faults };
}

/** Yields the differences between a manifest and the files that it must list, those that `mustList` accepts. */
function* checkManifest(
  files: ReadonlyMap<string, Uint8Array>,
  name: string,
  mustList: (path: string) => boolean,
): Generator<Fault> {
  const manifest = files.get(name) ?? new Uint8Array();
  if (manifest.length > maxListBytes) return yield { part: name, reason: tooLargeReason(maxListBytes) };
  const lines = Buffer.from(manifest).toString('latin1').split('\n').filter(Boolean);
  // A line has 64 digits of SHA-256, two spaces, and the path.
  const declaredHashes = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const [path, declaredHash] of declaredHashes) {
    const bytes = mustList(path) ? files.get(path) : undefined;
    if (bytes === undefined) yield { part: path.slice(0, 200), reason: say`${name} lists it, but it is missing` };
    else if (declaredHash !== sha256(bytes)) yield { part: path, reason: say`its SHA-256 is not the one in ${name}` };
  }
  for (const path of files.keys())
    if (mustList(path) && !declaredHashes.has(path)) yield { part: path, reason: say`${name} does not list it` };
}

/** Creates a bag from the payload and metadata of one that was read, to compare the bytes of both. */
export function recreateBag(files: ReadonlyMap<string, Uint8Array>): ZipEntry[] {
  const payload = [...files].flatMap(([path, bytes]) => (path.startsWith('data/') ? [{ path, bytes }] : []));
  const info = Buffer.from(files.get(infoName)!.subarray(0, 4096)).toString('latin1');
  const infoPattern = /^Bag-Software-Agent: (?<software>.*)\nBagging-Date: (?<day>.*)\n/;
  const { software = '', day = '' } = infoPattern.exec(info)?.groups ?? {};
  const timestamp = files.get(timestampName);
  const bagEntries = createBag(payload, { software, day });
  return timestamp ? [...bagEntries, { path: `${bagFolder}/${timestampName}`, bytes: timestamp }] : bagEntries;
}
