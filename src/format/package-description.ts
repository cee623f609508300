import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Document, documentsIn, isDocument, parseDocument } from '../model/document.ts';
import { maxListBytes, whyUnreadable } from './foreign-file.ts';
import type { DeclaredHeader } from './format.ts';

/** Reads the resources (files and their schemas) of a folder's `datapackage.json`; none if it cannot be read. */
export async function packageResources(folder: string): Promise<Document[]> {
  return resourcesOf(await readJsonFile('datapackage.json', folder));
}

/** Returns the resources in the content of a `datapackage.json`. */
export const resourcesOf = (description: Document | null): Document[] => documentsIn(description?.resources);

/** Reads columns and delimiter of a CSV file without header from its folder’s `datapackage.json`; null otherwise. */
export async function readDeclaredHeader(path: string, format: string): Promise<DeclaredHeader | null> {
  if (format.split('.')[0] !== 'csv') return null;
  const resources = await packageResources(dirname(path));
  const { dialect, schema } = resources.find((each) => each.path === basename(path)) ?? {};
  if (!isDocument(dialect) || dialect.header !== false || !isDocument(schema)) return null;
  const fields = documentsIn(schema.fields);
  return { columns: fields.map(({ name }) => String(name)), delimiter: String(dialect.delimiter ?? ',') };
}

/** Reads the JSON object in a file; null if it is missing, outside `folder`, reached by a link, or not JSON. */
export async function readJsonFile(path: string, folder: string | null = null): Promise<Document | null> {
  if (whyUnreadable(path, maxListBytes, folder) !== null) return null;
  return parseDocument(await readFile(folder === null ? path : join(folder, path), 'utf8').catch(() => ''));
}
