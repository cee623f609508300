import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VerificationError } from '../errors.ts';
import { type Document, isDocument } from '../model/document.ts';
import { readChecksums } from './licence-files.ts';

/** A file that an earlier export wrote, by its own account. */
export type FormerFile = { path: string; rows: number | null; sha256: string | null };

/** What `datapackage.json` of a folder says of its files, by table; empty where there is none. */
export async function formerPackage(folder: string): Promise<Map<string, FormerFile>> {
  const resources = await packageResources(folder);
  return new Map(resources.map((resource) => [String(resource.name), fileOf(resource, resource.hash)]));
}

/** The resources of `datapackage.json` of a folder; none where it cannot be read. */
export async function packageResources(folder: string): Promise<Document[]> {
  const description = await readJson(join(folder, 'datapackage.json'));
  return Array.isArray(description?.resources) ? description.resources.filter(isDocument) : [];
}

/** What `FILE.meta.json` says of its file, or null. */
export async function formerFile(path: string): Promise<FormerFile | null> {
  const description = await readJson(`${path}.meta.json`);
  return description && fileOf(description, description.sha256);
}

/** The names in `SHA256SUMS` of a folder; what is not among them is somebody else's. */
export async function namesInSums(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'SHA256SUMS'), 'utf8').catch(() => '');
  return [...readChecksums(text).keys()];
}

/** SHA-256 of a file in hexadecimal, or null where there is none. */
export async function hashOfFile(path: string): Promise<string | null> {
  const digest = createHash('sha256');
  try {
    await pipeline(createReadStream(path), digest);
    return digest.digest('hex');
  } catch {
    return null;
  }
}

/** Throws a VerificationError where a table lost more than that share (0 to 1) of the rows of its former export. */
export function refuseShrunken(
  table: { name: string; rows: number },
  former: FormerFile | null | undefined,
  maxShrink: number,
): void {
  const before = former?.rows ?? null;
  if (before === null || before - table.rows <= before * maxShrink) return;
  throw new VerificationError(
    `${table.name}: ${table.rows} rows, where the export before had ${before}`,
    'the last good export stays; if this is meant, run again with --accept-shrink',
  );
}

async function readJson(path: string): Promise<Document | null> {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isDocument(read) ? read : null;
  } catch {
    return null;
  }
}

function fileOf({ path, rows }: Document, hash: unknown): FormerFile {
  return {
    path: String(path),
    rows: typeof rows === 'number' ? rows : null,
    sha256: typeof hash === 'string' ? hash.replace(/^sha256:/, '') : null,
  };
}
