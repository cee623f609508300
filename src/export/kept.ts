import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ColumnFacts } from '../format/tally.ts';
import { type Attribution, attributionOf } from '../model/attribution.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import { type ColumnType, columnOf, findKind } from '../model/kinds.ts';
import { columnTypeOf, type Resource } from './data-package.ts';
import { type FormerFile, type FormerFolder, hashOfFile } from './former.ts';
import type { Dialect, FileColumn } from './part.ts';

/**
 * The files of the export before that are to stay in the folder, by their tables: as that export described them. One that
 * is no longer what was said of it is not among them, nor is any of a folder that shows the past. All are of one source.
 */
export async function keptResources(
  folder: string,
  former: FormerFolder,
  { names, source }: { names: string[]; source: Pick<Attribution, 'name' | 'url'> },
): Promise<Resource[]> {
  const kept: Resource[] = [];
  for (const name of former.asOf === null ? names : []) {
    const file = former.files.get(name);
    if (!file || file.sha256 === null || !former.owned.includes(file.path)) continue;
    if ((await hashOfFile(join(folder, file.path))) !== file.sha256) continue;
    kept.push(resourceFrom(file, { created: former.created, source }));
  }
  return kept;
}

/** The bytes of a file that stays. */
export const keptBytes = (folder: string, { path }: Resource) => createReadStream(join(folder, path));

/** A resource as `datapackage.json` describes it; `created` dates one that does not state when it was retrieved. */
function resourceFrom(
  { description: described, path, sha256, rows }: FormerFile,
  { created, source }: { created: string | null; source: Pick<Attribution, 'name' | 'url'> },
): Resource {
  const { name, format, bytes, description, schema, licenses, dialect, verbatim, retrieved_at } = described;
  const { fields, foreignKeys, primaryKey } = isDocument(schema) ? schema : {};
  const [licence] = documentsIn(licenses);
  return {
    name: String(name),
    path,
    format: String(format),
    bytes: Number(bytes),
    sha256: sha256!,
    rows: rows ?? 0,
    columns: documentsIn(fields).map((field) => columnFrom(String(name), field, verbatim === true)),
    attribution: attributionOf(
      { name: source.name, siteUrl: source.url },
      {
        licence: licence ? { id: String(licence.name), url: String(licence.path) } : null,
        retrievedAt: typeof retrieved_at === 'string' ? retrieved_at : created,
      },
    ),
    description: String(description),
    key: Array.isArray(primaryKey) ? primaryKey.map(String) : [],
    references: documentsIn(foreignKeys).flatMap(referencesFrom),
    dialect: isDocument(dialect) ? (dialect as Dialect) : null,
    verbatim: verbatim === true ? { retrievedAt: String(retrieved_at), sha256: sha256! } : null,
  };
}

function columnFrom(table: string, described: Document, isVerbatim: boolean): FileColumn {
  const { name, type, description, rawOf, filled, misfits, values, range } = described;
  const kind = findKind(table);
  // The description of a file of the service vouches for no type.
  const known: ColumnType =
    isVerbatim && kind ? columnOf(kind, String(name)).type : columnTypeOf(String(type));
  const facts = {
    name: String(name),
    filled,
    misfits: misfits ?? 0,
    values: values ?? null,
    range: range ?? null,
  };
  return {
    ...{ name: String(name), type: known, description: String(description) },
    ...(typeof rawOf === 'string' ? { rawOf } : {}),
    ...(typeof filled === 'number' ? { facts: facts as ColumnFacts } : {}),
  };
}

function referencesFrom({ fields, reference }: Document): Resource['references'] {
  if (!Array.isArray(fields) || !isDocument(reference) || !Array.isArray(reference.fields)) return [];
  return [
    { columns: fields.map(String), table: String(reference.resource), keys: reference.fields.map(String) },
  ];
}
