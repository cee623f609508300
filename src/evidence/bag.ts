import { hash } from 'node:crypto';
import { maxListBytes, tooLarge } from '../format/foreign-file.ts';
import { say } from '../words/speech.ts';
import type { Fault, ZipEntry } from './stored-zip.ts';

/** Top folder of the bag, required by RFC 8493 for a bag in one file. */
const base = 'evidence';

/** File of the time-stamp response; manifests do not list it, since it is added after them. */
export const timestampName = 'timestamp.tsr';

/** The file that is time-stamped: it covers the manifest, which covers every file. */
export const stampedName = 'tagmanifest-sha256.txt';

const [manifestName, declarationName, infoName] = ['manifest-sha256.txt', 'bagit.txt', 'bag-info.txt'];
const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const tagNames = [declarationName, infoName, manifestName];

/** Faults listed per manifest; further ones are only counted, since a hostile manifest has millions. */
const maxListed = 1000;

/** Bytes of `bag-info.txt` that are parsed; all of it is compared. */
const maxInfoBytes = 4096;

/** SHA-256 in hexadecimal digits. */
export const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

type BagInfo = { software: string; day: string };

/** Creates a bag (BagIt 1.0, RFC 8493) of payload below `data/`: its files in path order, and the bytes to stamp. */
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

/** The time-stamp response as the last file of the bag. */
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

/** Reads the files of a bag by path, and compares it with the bag of `bagOf`; `more` counts faults not listed. */
export function openBag(entries: readonly ZipEntry[]): {
  files: Map<string, Uint8Array>;
  faults: Fault[];
  more: number;
} {
  const files = new Map<string, Uint8Array>();
  const faults: Fault[] = [];
  let more = 0;
  for (const { path, bytes } of entries) {
    const within = path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
    const isKnown = within !== null && (/^data\/./.test(within) || ownNames.includes(within));
    if (isKnown) files.set(within, bytes);
    else faults.push({ part: path, reason: say`it does not belong to evidence` });
  }
  for (const name of [...tagNames, stampedName])
    if (!files.has(name)) faults.push({ part: name, reason: say`it is missing` });
  const manifests = [
    sumFaults(files, manifestName, (path) => path.startsWith('data/')),
    sumFaults(files, stampedName, (path) => tagNames.includes(path)),
  ];
  for (const found of manifests) {
    let told = 0;
    for (const fault of found) {
      if (told < maxListed) faults.push(fault);
      else more += 1;
      told += 1;
    }
  }
  return { files, faults: faults.length > 0 ? faults : ownFaults(entries, files), more };
}

const ownNames = [...tagNames, stampedName, timestampName];

function* sumFaults(
  files: ReadonlyMap<string, Uint8Array>,
  name: string,
  isListed: (path: string) => boolean,
): Generator<Fault> {
  const manifest = files.get(name);
  if (manifest && manifest.length > maxListBytes) return yield { part: name, reason: tooLarge(maxListBytes) };
  const listed = new Set<string>();
  for (const { sum, path } of sumsIn(manifest)) {
    const bytes = isListed(path) ? files.get(path) : undefined;
    if (bytes === undefined)
      yield { part: path.slice(0, 200), reason: say`${name} lists it, but it is missing` };
    else if (listed.has(path)) yield { part: path, reason: say`${name} lists it twice` };
    else if (sum !== sha256(bytes)) yield { part: path, reason: say`its SHA-256 is not the one in ${name}` };
    if (bytes !== undefined) listed.add(path);
  }
  for (const path of files.keys())
    if (isListed(path) && !listed.has(path)) yield { part: path, reason: say`${name} does not list it` };
}

function* sumsIn(manifest: Uint8Array = new Uint8Array()): Generator<{ sum: string; path: string }> {
  const bytes = Buffer.from(manifest.buffer, manifest.byteOffset, manifest.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(0x0a, at);
    const end = found < 0 ? bytes.length : found;
    // Longer paths do not occur in evidence.
    const line = bytes.toString('latin1', at, Math.min(end, at + 1000));
    if (line !== '') yield { sum: line.slice(0, 64), path: line.slice(66) };
    at = end + 1;
  }
}

/** Faults of spelling and order, which the sums do not cover. */
function ownFaults(entries: readonly ZipEntry[], files: Map<string, Uint8Array>): Fault[] {
  const info = Buffer.from(files.get(infoName)!.subarray(0, maxInfoBytes)).toString('latin1');
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
