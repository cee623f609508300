import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BadInputError, VerificationError } from '../errors.ts';
import { type InputFile, inputEndings, readColumns, readRecords } from '../format/formats.ts';
import { headerIn, packageResources } from '../format/package-description.ts';
import { codeOf, reasonOf } from '../format/sink.ts';
import { type Document, isDocument } from '../model/document.ts';
import { findKind, kindOf } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import { readChecksums } from './companions.ts';
import { switching } from './folder-switch.ts';
import { companionNames, hashOfFile } from './former.ts';

/** What was looked at in one file of an export, and what is wrong with it (empty: nothing). */
export type CheckedFile = { path: string; rows: number | null; faults: string[] };

/**
 * Checks a folder that `export -o DIR/` wrote against its own account: sums, bytes, rows, columns, and the files that
 * belong beside. Throws a VerificationError where it has no `SHA256SUMS`. Where an export changes the folder meanwhile,
 * it is checked again.
 */
export async function verifyExport(folder: string): Promise<CheckedFile[]> {
  for (let waits = 0; ; waits += 1) {
    const text = readSums(folder);
    const checked = await checkFolder(folder, readChecksums(text));
    if (checked.every(({ faults }) => faults.length === 0)) return checked;
    const isSwitching = existsSync(join(folder, switching));
    if (readSums(folder) !== text) continue;
    if (!isSwitching || waits === 20) return checked;
    await delay(50);
  }
}

/** True if an export of the folder was ended between two of its files. */
export const isCutShort = (folder: string) => existsSync(join(folder, switching));

async function checkFolder(folder: string, sums: Map<string, string>): Promise<CheckedFile[]> {
  const described = await packageResources(folder);
  const resources = new Map(described.map((resource) => [String(resource.path), resource]));
  const checked: CheckedFile[] = [];
  for (const [path, sha256] of sums) {
    const resource = resources.get(path);
    const file = await checkFile(folder, { path, sha256, resource });
    checked.push(file);
  }
  const missing = [...companionNames, ...resources.keys()].filter((path) => !sums.has(path));
  const unlisted = missing.map((path) => ({ path, rows: null, faults: ['is not in SHA256SUMS'] }));
  return [...checked, ...unlisted];
}

/** Files of the folder that its sums do not name: nobody vouches for those. */
export function othersIn(folder: string, checked: CheckedFile[]): string[] {
  const known = new Set([...checked.map(({ path }) => path), 'SHA256SUMS']);
  return readdirSync(folder).filter((name) => !known.has(name) && !/^\.hemicycle[-.]/.test(name));
}

function readSums(folder: string): string {
  try {
    return readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    const reason = isMissing && existsSync(folder) ? 'it is not there' : reasonOf(error);
    throw new VerificationError(
      say`${folder}: SHA256SUMS cannot be read: ${reason}`,
      existsSync(join(folder, 'releases.json'))
        ? say`name a release in it, such as ${join(folder, 'latest')}`
        : say`name a folder that \`hemicycle export … -o DIR/\` wrote`,
    );
  }
}

async function checkFile(
  folder: string,
  { path, sha256, resource }: { path: string; sha256: string; resource: Document | undefined },
): Promise<CheckedFile> {
  const file = join(folder, path);
  const found = await hashOfFile(file);
  if (found === null) return { path, rows: null, faults: ['is not there'] };
  const faults = found === sha256 ? [] : ['is not what SHA256SUMS says'];
  if (!resource) return { path, rows: null, faults };
  if (resource.hash !== `sha256:${found}`) faults.push('is not what the hash in datapackage.json says');
  const { size } = statSync(file);
  if (resource.bytes !== size)
    faults.push(`has ${size} bytes, where datapackage.json says ${resource.bytes}`);
  const { rows, fault } = await checkTable(file, path, resource);
  if (fault) faults.push(fault);
  else if (rows !== resource.rows)
    faults.push(`has ${rows} rows, where datapackage.json says ${resource.rows}`);
  return { path, rows, faults };
}

async function checkTable(
  file: string,
  path: string,
  resource: Document,
): Promise<{ rows: number | null; fault: string | null }> {
  const format = inputEndings.find((each) => path.endsWith(`.${each}`));
  if (!format) return { rows: null, fault: 'is of a format that cannot be read here' };
  try {
    const input = { path: file, format, beside: headerIn(resource) };
    const fault = columnsFault((await readColumns(input)) ?? null, resource);
    return { rows: await countRecords(input, String(resource.name)), fault };
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    return { rows: null, fault: `cannot be read (${error.message})` };
  }
}

function columnsFault(columns: string[] | null, resource: Document): string | null {
  const schema = isDocument(resource.schema) ? resource.schema.fields : null;
  if (columns === null || !Array.isArray(schema)) return null;
  const described = schema
    .filter((each) => isDocument(each) && each.rawOf === undefined)
    .map((each) => String((each as Document).name));
  return columns.join('\n') === described.join('\n')
    ? null
    : `has the columns ${columns.join(', ')}, where datapackage.json says ${described.join(', ')}`;
}

async function countRecords(file: InputFile, name: string): Promise<number> {
  let rows = 0;
  for await (const batch of readRecords(file, findKind(name) ?? kindOf('ballot'))) rows += batch.length;
  return rows;
}
