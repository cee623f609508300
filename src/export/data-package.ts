import { type FormatName, formatNamed } from '../format/formats.ts';
import type { Attribution, Licence } from '../model/attribution.ts';
import type { Column, ColumnType } from '../model/kinds.ts';
import { downloadFacts } from './companions.ts';
import { packageName } from './former.ts';
import type { Dialect, ExportPart } from './part.ts';
import type { Reference } from './table.ts';

/** One file of a data package. */
export type Resource = {
  name: string;
  path: string;
  format: string;
  bytes: number;
  sha256: string;
  rows: number;
  columns: Column[];
  licence: Licence | null;
  description: string;
  /** References to tables of the same package. */
  references: Reference[];
  dialect?: Dialect | null;
  /** Given for a file that is a download of the service, byte for byte. */
  verbatim?: ExportPart['verbatim'];
};

export type DataPackage = { title: string; created: string; attribution: Attribution; resources: Resource[] };

/** Days and lists stand as the source wrote them, which the strict types of the standard would refuse. */
const fieldTypes: Record<ColumnType, { type: string; format?: string }> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'date', format: 'any' },
  datetime: { type: 'datetime', format: 'any' },
  json: { type: 'any' },
};

/** The text of `datapackage.json`, after https://datapackage.org/standard/data-package/ version 2. */
export function dataPackage({ title, created, attribution, resources }: DataPackage): string {
  const source = { title: attribution.name, ...(attribution.url ? { path: attribution.url } : {}) };
  const text = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: packageName,
    title,
    description: attribution.text,
    created,
    ...sharedLicences(resources),
    sources: [source],
    contributors: [{ ...source, roles: ['publisher'] }],
    resources: resources.map(resourceOf),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** Resources inherit the licences of their package: it states them only if they hold for every one. */
function sharedLicences(resources: Resource[]) {
  const licences = new Map(resources.map(({ licence }) => [licence?.id ?? null, licence]));
  const [only] = licences.values();
  return licences.size === 1 && only ? { licenses: [licenceOf(only)] } : {};
}

function licenceOf({ id, url }: Licence) {
  return { name: id, path: url };
}

function resourceOf(resource: Resource) {
  const { name, path, format, bytes, sha256, rows, licence, description, references, verbatim, dialect } =
    resource;
  return {
    name,
    description,
    type: 'table',
    path,
    format,
    mediatype: formatNamed(format as FormatName).mediaType.split(';')[0]!,
    ...(format === 'parquet' ? {} : { encoding: 'utf-8' }),
    bytes,
    hash: `sha256:${sha256}`,
    rows,
    ...(verbatim ? downloadFacts(verbatim) : {}),
    ...(dialect ? { dialect } : {}),
    ...(licence ? { licenses: [licenceOf(licence)] } : {}),
    schema: {
      fields: resource.columns.map(({ name: field, type, description: meaning }) => ({
        name: field,
        // What the service writes is not ours to vouch for.
        ...(verbatim ? { type: 'any' } : fieldTypes[type]),
        description: meaning,
      })),
      missingValues: [''],
      ...(references.length > 0 ? { foreignKeys: references.map(foreignKeyOf) } : {}),
    },
  };
}

function foreignKeyOf({ column, table, key }: Reference) {
  return { fields: [column], reference: { resource: table, fields: [key] } };
}
