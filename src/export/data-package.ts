import { join } from 'node:path';
import { type FormatName, formatNamed } from '../format/formats.ts';
import type { ColumnFacts } from '../format/tally.ts';
import { type Attribution, attributionOf, type Licence, sourceText } from '../model/attribution.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import { type ColumnType, columnOf, findKind } from '../model/kinds.ts';
import type { Reference } from '../store/records/references.ts';
import { type FormerFile, type FormerFolder, hashOfFile, packageName } from './former.ts';
import type { Dialect, FileColumn, Resource } from './part.ts';

/** Dates and lists keep the source's spelling, which the standard's strict formats would reject. */
const fieldTypes: Record<ColumnType, { type: string; format?: string }> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'date', format: 'any' },
  datetime: { type: 'datetime', format: 'any' },
  json: { type: 'any' },
};

type Source = Pick<Attribution, 'name' | 'url'>;

/** The text of `datapackage.json`, after https://datapackage.org/standard/data-package/ version 2. */
export function dataPackage({ created, resources }: { created: string; resources: Resource[] }): string {
  const { name, url } = resources[0]!.attribution;
  const source = { title: name, ...(url ? { path: url } : {}) };
  const text = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: packageName,
    title: exportTitle(resources),
    description: citationOfAll(resources),
    created,
    ...(resources[0]!.attribution.as_of ? { as_of: resources[0]!.attribution.as_of } : {}),
    // Resources inherit the licences of their package: it states them only if they hold for every one.
    ...licences(shared(resources, ({ licence }) => licence)),
    sources: [source],
    contributors: [{ ...source, roles: ['publisher'] }],
    resources: resources.map(resourceOf),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** The title of an export of these tables. */
export function exportTitle([first]: Pick<Resource, 'attribution'>[]): string {
  return `Export of ${first!.attribution.name}`;
}

/** The citation for all files; includes retrieval time and licence only if every file shares them. */
function citationOfAll(resources: Resource[]): string {
  const { name, url, as_of, gone_since } = resources[0]!.attribution;
  const goneSince = gone_since ?? null;
  const retrievedAt = shared(resources, ({ retrieved_at }) => retrieved_at) ?? null;
  const licence = shared(resources, ({ licence }) => licence);
  if (licence !== undefined)
    return attributionOf({ name, siteUrl: url, goneSince }, { licence, retrievedAt, asOf: as_of ?? null })
      .text;
  return `${sourceText({ name, url, retrieved_at: retrievedAt, ...(as_of ? { as_of } : {}), ...(gone_since ? { gone_since } : {}) })}; each file has terms of its own`;
}

const licences = (licence: Licence | null | undefined) =>
  licence ? { licenses: [{ name: licence.id, path: licence.url }] } : {};

/** The value that all resources share, or undefined if they differ. */
function shared<Said>(resources: Resource[], say: (attribution: Attribution) => Said): Said | undefined {
  const [first, ...others] = resources.map(({ attribution }) => say(attribution));
  return others.every((each) => JSON.stringify(each) === JSON.stringify(first)) ? first : undefined;
}

function resourceOf(resource: Resource) {
  const { name, path, format, bytes, rows, attribution, description, verbatim, dialect } = resource;
  const { mediaType, isText } = formatNamed(format);
  const retrievedAt = verbatim?.retrievedAt ?? attribution.retrieved_at;
  const foreignKeys = resource.references.map(({ columns, table, keys }) => ({
    fields: columns,
    reference: { resource: table, fields: keys },
  }));
  return {
    ...{ name, description, type: 'table', path, format, mediatype: mediaType.split(';')[0]! },
    ...(isText ? { encoding: 'utf-8' } : {}),
    bytes,
    hash: `sha256:${resource.sha256}`,
    rows,
    ...(verbatim ? { verbatim: true } : {}),
    ...(retrievedAt ? { retrieved_at: retrievedAt } : {}),
    ...(dialect ? { dialect } : {}),
    ...licences(attribution.licence),
    attribution,
    schema: {
      fields: resource.columns.map(({ name: field, type, description: meaning, rawOf, facts }) => ({
        name: field,
        // Verbatim files are not validated, so no type is claimed.
        ...(verbatim ? { type: 'any' } : fieldTypes[type]),
        description: meaning,
        ...(rawOf === undefined ? {} : { rawOf }),
        ...(facts ? { filled: facts.filled } : {}),
        ...(facts && facts.misfits > 0 ? { misfits: facts.misfits } : {}),
        ...(facts?.values ? { values: facts.values } : {}),
        ...(facts?.range ? { range: facts.range } : {}),
      })),
      missingValues: [''],
      ...(resource.key.length > 0 ? { primaryKey: resource.key } : {}),
      ...(foreignKeys.length > 0 ? { foreignKeys } : {}),
    },
  };
}

/** Files of the previous export that stay, as its package describes them; none that changed since or shows the past. */
export async function keptResources(
  folder: string,
  former: FormerFolder,
  { names, source }: { names: string[]; source: Source },
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

/** A resource as `datapackage.json` describes it; `created` dates one that does not state when it was retrieved. */
function resourceFrom(
  { description: described, path, sha256, rows }: FormerFile,
  { created, source }: { created: string | null; source: Source },
): Resource {
  const { name, format, bytes, description, schema, licenses, dialect, verbatim, retrieved_at } = described;
  const { fields, foreignKeys, primaryKey } = isDocument(schema) ? schema : {};
  const [licence] = documentsIn(licenses);
  return {
    name: String(name),
    path,
    format: format as FormatName,
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

const columnTypes = Object.keys(fieldTypes) as ColumnType[];

function columnFrom(table: string, described: Document, isVerbatim: boolean): FileColumn {
  const { name, type, description, rawOf, filled, misfits, values, range } = described;
  const kind = findKind(table);
  // The description of a file of the service vouches for no type.
  const known: ColumnType =
    isVerbatim && kind
      ? columnOf(kind, String(name)).type
      : (columnTypes.find((each) => fieldTypes[each].type === type) ?? 'json');
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

function referencesFrom({ fields, reference }: Document): Reference[] {
  if (!Array.isArray(fields) || !isDocument(reference) || !Array.isArray(reference.fields)) return [];
  return [
    { columns: fields.map(String), table: String(reference.resource), keys: reference.fields.map(String) },
  ];
}
