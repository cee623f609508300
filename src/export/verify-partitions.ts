import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VerificationError } from '../errors.ts';
import { readJsonFile, resourcesOf } from '../format/package-description.ts';
import { type Document, documentsIn } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { filesBelow, isInside, partsList } from './folder-switch.ts';
import { type CheckedFile, checkAtRest, checkFile, type Known, nothingKnown } from './verify.ts';

/** True for a folder that `export --partition` wrote. */
export const holdsPartitions = (folder: string) =>
  existsSync(join(folder, partsList)) && !existsSync(join(folder, 'SHA256SUMS'));

/** Checks a folder of `export --partition` against its manifest, and that its tables hold no other file. */
export const verifyPartitions = (folder: string): Promise<CheckedFile[]> =>
  checkAtRest(
    folder,
    () => readFile(join(folder, partsList), 'utf8').catch(() => null),
    () => checkList(folder),
  );

async function checkList(folder: string): Promise<CheckedFile[]> {
  const list = await readJsonFile(join(folder, partsList));
  if (list === null)
    throw new VerificationError(
      say`${folder}: ${partsList}, which says what it should be, cannot be read`,
      say`export it again, or copy the files again from a complete export`,
    );
  const [checked, known] = [[] as CheckedFile[], nothingKnown()];
  const resources = resourcesOf(list);
  for (const { path, sha256 } of documentsIn(list.files)) {
    const named = { path: String(path), sha256: String(sha256), resource: undefined, account: partsList };
    checked.push(await checkFile(folder, named, known));
  }
  for (const resource of resources)
    for (const file of documentsIn(resource.files))
      checked.push(await checkPart(folder, { resource, file }, known));
  const listed = new Set(checked.map(({ path }) => path));
  for (const { name } of resources)
    for (const below of isInside(String(name)) ? await filesBelow(join(folder, String(name))) : []) {
      const path = join(String(name), below);
      if (!listed.has(path)) checked.push({ path, rows: null, faults: [`is not in ${partsList}`] });
    }
  return checked;
}

type Part = { resource: Document; file: Document };

async function checkPart(folder: string, { resource, file }: Part, known: Known): Promise<CheckedFile> {
  const { rows, bytes, sha256 } = file;
  const path = String(file.path);
  if (!isInside(path)) return { path, rows: null, faults: ['leads out of the folder'] };
  // What the path states is no column of the file; the year is one of neither.
  const stated = path.split('/').flatMap((part) => (part.includes('=') ? [part.split('=')[0]!] : []));
  const columns = Array.isArray(resource.columns) ? resource.columns.map(String) : [];
  const fields = columns.filter((name) => !stated.includes(name)).map((name) => ({ name }));
  const { name = null } = resource;
  const described = { name, rows: rows!, bytes: bytes!, hash: `sha256:${sha256}`, schema: { fields } };
  const named = { path, sha256: null, resource: described, account: partsList };
  return checkFile(folder, named, known);
}
