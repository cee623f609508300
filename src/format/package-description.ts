import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Document, documentsIn, isDocument, parseDocument } from '../model/document.ts';
import { maxListBytes, whyUnreadable } from './foreign-file.ts';

/** The resources of a folder's `datapackage.json`; empty if it cannot be read. */
export async function packageResources(folder: string): Promise<Document[]> {
  return resourcesOf(await readJsonFile('datapackage.json', folder));
}

/** The resources that a package's description lists. */
export const resourcesOf = (description: Document | null): Document[] => documentsIn(description?.resources);

/** The header that a resource gives a headless CSV file, or null. */
export function parseHeader({ dialect, schema }: Document): { columns: string[]; delimiter: string } | null {
  if (!isDocument(dialect) || dialect.header !== false || !isDocument(schema)) return null;
  const fields = documentsIn(schema.fields);
  return { columns: fields.map(({ name }) => String(name)), delimiter: String(dialect.delimiter ?? ',') };
}

/** The header for a CSV file, from the `datapackage.json` of its folder; null for other files. */
export async function readDeclaredHeader(path: string, format: string): Promise<ReturnType<typeof parseHeader>> {
  if (format !== 'csv') return null;
  const resources = await packageResources(dirname(path));
  const resource = resources.find((each) => each.path === basename(path));
  return resource ? parseHeader(resource) : null;
}

/** The JSON object in a file; null if it is missing or may not be opened (outside `folder` or by a link). */
export async function readJsonFile(path: string, folder: string | null = null): Promise<Document | null> {
  if (whyUnreadable(path, maxListBytes, folder) !== null) return null;
  return parseDocument(await readFile(folder === null ? path : join(folder, path), 'utf8').catch(() => ''));
}
