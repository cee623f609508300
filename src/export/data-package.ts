import { type FormatName, formatNamed } from '../format/formats.ts';
import type { ColumnFacts } from '../format/tally.ts';
import { type Attribution, attributionOf, type Licence, sourceText } from '../model/attribution.ts';
import type { ColumnType } from '../model/kinds.ts';
import { packageName } from './former.ts';
import type { Dialect, ExportPart, FileColumn } from './part.ts';
import type { Reference } from './table.ts';

/** One file of a data package. */
export type Resource = {
  name: string;
  path: string;
  format: string;
  bytes: number;
  sha256: string;
  rows: number;
  columns: FileColumn[];
  attribution: Attribution;
  description: string;
  /** The columns that name each record; none where nothing does. */
  key: string[];
  /** References to tables of the same package. */
  references: Reference[];
  dialect?: Dialect | null;
  /** Given for a file that is a download of the service, byte for byte. */
  verbatim?: ExportPart['verbatim'];
};

export type DataPackage = { created: string; resources: Resource[] };

/** Days and lists stand as the source wrote them, which the strict types of the standard would refuse. */
const fieldTypes: Record<ColumnType, { type: string; format?: string }> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'date', format: 'any' },
  datetime: { type: 'datetime', format: 'any' },
  json: { type: 'any' },
};

/** The type of a column that a package describes as of that type. */
export function columnTypeOf(type: string): ColumnType {
  const types = Object.entries(fieldTypes) as [ColumnType, { type: string }][];
  return types.find(([, described]) => described.type === type)?.[0] ?? 'json';
}

/** The text of `datapackage.json`, after https://datapackage.org/standard/data-package/ version 2. */
export function dataPackage({ created, resources }: DataPackage): string {
  const { name, url } = resources[0]!.attribution;
  const source = { title: name, ...(url ? { path: url } : {}) };
  const text = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: packageName,
    title: exportTitle(resources),
    description: citationOfAll(resources),
    created,
    ...(resources[0]!.attribution.as_of ? { as_of: resources[0]!.attribution.as_of } : {}),
    ...sharedLicences(resources),
    sources: [source],
    contributors: [{ ...source, roles: ['publisher'] }],
    resources: resources.map(resourceOf),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** What an export of these tables is called. */
export function exportTitle([first]: Pick<Resource, 'attribution'>[]): string {
  return `Export of ${first!.attribution.name}`;
}

/** Whom to cite for all files, with the day and the terms only where they hold for every one. */
function citationOfAll(resources: Resource[]): string {
  const { name, url, as_of } = resources[0]!.attribution;
  const retrievedAt = shared(resources, ({ retrieved_at }) => retrieved_at) ?? null;
  const licence = shared(resources, ({ licence }) => licence);
  if (licence !== undefined)
    return attributionOf({ name, siteUrl: url }, { licence, retrievedAt, asOf: as_of ?? null }).text;
  return `${sourceText({ name, url, retrieved_at: retrievedAt, ...(as_of ? { as_of } : {}) })}; each file has terms of its own`;
}

/** Resources inherit the licences of their package: it states them only if they hold for every one. */
function sharedLicences(resources: Resource[]) {
  const licence = shared(resources, (attribution) => attribution.licence);
  return licence ? { licenses: [licenceOf(licence)] } : {};
}

/** What every file says alike, or undefined. */
function shared<Said>(resources: Resource[], say: (attribution: Attribution) => Said): Said | undefined {
  const [first, ...others] = resources.map(({ attribution }) => say(attribution));
  return others.every((each) => JSON.stringify(each) === JSON.stringify(first)) ? first : undefined;
}

function licenceOf({ id, url }: Licence) {
  return { name: id, path: url };
}

function resourceOf(resource: Resource) {
  const { name, path, format, bytes, sha256, rows, attribution, description, references, verbatim, dialect } =
    resource;
  const { mediaType, isText } = formatNamed(format as FormatName);
  const retrievedAt = verbatim?.retrievedAt ?? attribution.retrieved_at;
  return {
    name,
    description,
    type: 'table',
    path,
    format,
    mediatype: mediaType.split(';')[0]!,
    ...(isText ? { encoding: 'utf-8' } : {}),
    bytes,
    hash: `sha256:${sha256}`,
    rows,
    ...(verbatim ? { verbatim: true } : {}),
    ...(retrievedAt ? { retrieved_at: retrievedAt } : {}),
    ...(dialect ? { dialect } : {}),
    ...(attribution.licence ? { licenses: [licenceOf(attribution.licence)] } : {}),
    attribution,
    schema: {
      fields: resource.columns.map((column) => ({
        name: column.name,
        // What the service writes is not ours to vouch for.
        ...(verbatim ? { type: 'any' } : fieldTypes[column.type]),
        description: column.description,
        ...(column.rawOf === undefined ? {} : { rawOf: column.rawOf }),
        ...(column.facts ? factsOf(column.facts) : {}),
      })),
      missingValues: [''],
      ...(resource.key.length > 0 ? { primaryKey: resource.key } : {}),
      ...(references.length > 0 ? { foreignKeys: references.map(foreignKeyOf) } : {}),
    },
  };
}

/** What a column holds, beyond what the standard says of fields: values, those that do not fit, which, from where to where. */
function factsOf({ filled, misfits, values, range }: ColumnFacts) {
  return {
    filled,
    ...(misfits > 0 ? { misfits } : {}),
    ...(values ? { values } : {}),
    ...(range ? { range } : {}),
  };
}

function foreignKeyOf({ columns, table, keys }: Reference) {
  return { fields: columns, reference: { resource: table, fields: keys } };
}
