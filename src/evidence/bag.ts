import { hash } from 'node:crypto';
import { say, saying } from '../words/speech.ts';
import type { Fault, ZipEntry } from './stored-zip.ts';

/** The folder that holds all of it, as RFC 8493 asks of a bag in one file. */
const base = 'evidence';

/** The name of the answer of a time-stamping authority beside the manifests, which do not list it: it came after them. */
export const timestampName = 'timestamp.tsr';

/** What a time-stamping authority stamps: it holds the sums of the manifest, which holds those of everything. */
export const stampedName = 'tagmanifest-sha256.txt';

const [manifestName, declarationName, infoName] = ['manifest-sha256.txt', 'bagit.txt', 'bag-info.txt'];
const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const tagNames = [declarationName, infoName, manifestName];

/** The largest manifest that is read; one of as many files as a ZIP file counts, at their longest paths, has a quarter of it. */
const mostManifestBytes = 64_000_000;

/** What is read of `bag-info.txt` to make it again; all of it is compared. */
const mostInfoBytes = 4096;

/** SHA-256 in hexadecimal digits. */
export const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

/** What a bag says of itself: the program and the day. */
type BagInfo = { software: string; day: string };

/**
 * A bag (BagIt 1.0, RFC 8493) as the files of an archive, in the order of their paths, and what is to be stamped of it.
 * The payload's paths begin with `data/`.
 */
export function bagOf(
  payload: readonly ZipEntry[],
  info: BagInfo,
): { entries: ZipEntry[]; stamped: Uint8Array } {
  const sorted = [...payload].sort((one, other) => (one.path < other.path ? -1 : 1));
  const texts: Record<string, Uint8Array> = {
    [declarationName]: Buffer.from(declaration),
    [infoName]: Buffer.from(infoText(sorted, info)),
    [manifestName]: Buffer.from(sumsOf(sorted)),
  };
  const tags = tagNames
    .map((path) => ({ path, bytes: texts[path]! }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const stamped = Buffer.from(sumsOf(tags));
  const entries = [...tags, { path: stampedName, bytes: stamped }, ...sorted];
  return { entries: entries.map(({ path, bytes }) => ({ path: `${base}/${path}`, bytes })), stamped };
}

/** The answer of a time-stamping authority as the last file of an archive. */
export function timestampEntry(bytes: Uint8Array): ZipEntry {
  return { path: `${base}/${timestampName}`, bytes };
}

function infoText(payload: readonly ZipEntry[], { software, day }: BagInfo): string {
  const bytes = payload.reduce((sum, entry) => sum + entry.bytes.length, 0);
  return [
    `Bag-Software-Agent: ${software}`,
    `Bagging-Date: ${day}`,
    `Payload-Oxum: ${bytes}.${payload.length}`,
    '',
  ].join('\n');
}

const sumsOf = (files: readonly ZipEntry[]) =>
  files.map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`).join('');

/** The files of a bag by their paths within it, and all in which it is not the bag that `bagOf` would make of them. */
export function openBag(entries: readonly ZipEntry[]): { files: Map<string, Uint8Array>; faults: Fault[] } {
  const files = new Map<string, Uint8Array>();
  const faults: Fault[] = [];
  for (const { path, bytes } of entries) {
    const within = path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
    const isKnown = within !== null && (/^data\/./.test(within) || ownNames.includes(within));
    if (isKnown) files.set(within, bytes);
    else faults.push({ part: path, reason: say`it is no part of evidence` });
  }
  for (const name of [...tagNames, stampedName])
    if (!files.has(name)) faults.push({ part: name, reason: say`it is missing` });
  for (const fault of sumFaults(files, manifestName, ([path]) => path.startsWith('data/')))
    faults.push(fault);
  for (const fault of sumFaults(files, stampedName, ([path]) => tagNames.includes(path))) faults.push(fault);
  if (faults.length > 0) return { files, faults };
  return { files, faults: ownFaults(entries, files) };
}

const ownNames = [...tagNames, stampedName, timestampName];

/** A manifest against the files that it must list, and nothing else. */
function* sumFaults(
  files: ReadonlyMap<string, Uint8Array>,
  name: string,
  isListed: (file: [string, Uint8Array]) => boolean,
): Generator<Fault> {
  const manifest = files.get(name);
  if (manifest && manifest.length > mostManifestBytes) {
    const most = saying((speech) => speech.bytes(mostManifestBytes));
    yield { part: name, reason: say`it is larger than ${most}, and was not read` };
    return;
  }
  const stated = sumsIn(manifest);
  const found = new Map([...files].filter(isListed));
  for (const [path, bytes] of found) {
    const sum = stated.get(path);
    if (sum === undefined) yield { part: path, reason: say`${name} does not list it` };
    else if (sum !== sha256(bytes)) yield { part: path, reason: say`its SHA-256 is not the one in ${name}` };
  }
  for (const path of stated.keys())
    if (!found.has(path))
      yield { part: path.slice(0, 200), reason: say`${name} lists it, but it is missing` };
}

function sumsIn(manifest: Uint8Array | undefined): Map<string, string> {
  const text = manifest ? Buffer.from(manifest).toString('latin1') : '';
  const sums = new Map<string, string>();
  for (const [line] of text.matchAll(/[^\n]+/g)) sums.set(line.slice(66), line.slice(0, 64));
  return sums;
}

/** Once the sums agree: spelling and order, which sums do not hold where they stand themselves. */
function ownFaults(entries: readonly ZipEntry[], files: Map<string, Uint8Array>): Fault[] {
  const info = Buffer.from(files.get(infoName)!.subarray(0, mostInfoBytes)).toString('latin1');
  const payload = [...files]
    .filter(([path]) => path.startsWith('data/'))
    .map(([path, bytes]) => ({ path, bytes }));
  const [, software = '', day = ''] = /^Bag-Software-Agent: (.*)\nBagging-Date: (.*)\n/.exec(info) ?? [];
  const stamp = files.get(timestampName);
  const made = [...bagOf(payload, { software, day }).entries, ...(stamp ? [timestampEntry(stamp)] : [])];
  const faults: Fault[] = [];
  for (const [at, { path, bytes }] of made.entries()) {
    const entry = entries[at];
    if (entry?.path !== path) return [...faults, { part: path, reason: say`it is not in its place` }];
    if (Buffer.compare(entry.bytes, bytes) !== 0)
      faults.push({ part: path, reason: say`it is not written as evidence is` });
  }
  return faults;
}
