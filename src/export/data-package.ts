import type { WrittenColumn } from '../format/format.ts';
import { formatByName } from '../format/formats.ts';
import { type Attribution, attributionPhrase, type Licence, sourceText } from '../model/attribution.ts';
import columnTypes from './column-types.json' with { type: 'json' };
import { packageName } from './former-export.ts';
import type { Resource } from './part.ts';

/** The text of `datapackage.json`, after https://datapackage.org/standard/data-package/ version 2. */
export function dataPackage({ created, resources }: { created: string; resources: Resource[] }): string {
  const { name, url } = resources[0]!.attribution;
  const source = { title: name, ...(url ? { path: url } : {}) };
  const packageDescription = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: packageName,
    title: exportTitle(resources),
    description: citationOfAll(resources),
    created,
    ...(resources[0]!.attribution.as_of ? { as_of: resources[0]!.attribution.as_of } : {}),
    // Resources inherit the package's licences: set them only if they apply to every resource.
    ...licenceFields(sharedValue(resources, ({ licence }) => licence)),
    sources: [source],
    contributors: [{ ...source, roles: ['publisher'] }],
    resources: resources.map(describeResource),
  };
  return `${JSON.stringify(packageDescription, null, 2)}\n`;
}

/** The title of an export of these tables. */
export const exportTitle = ([first]: Pick<Resource, 'attribution'>[]): string => `Export of ${first!.attribution.name}`;

/** One citation for all files; if their licences differ, without terms, which each file then states itself. */
function citationOfAll(resources: Resource[]): string {
  const retrievedAt = sharedValue(resources, ({ retrieved_at }) => retrieved_at) ?? null;
  const licence = sharedValue(resources, ({ licence }) => licence);
  const source = { ...resources[0]!.attribution, retrieved_at: retrievedAt };
  if (licence === undefined) return `${sourceText(source)}; each file has terms of its own`;
  return `${attributionPhrase({ ...source, licence })}`;
}

const licenceFields = (licence: Licence | null | undefined) =>
  licence ? { licenses: [{ name: licence.id, path: licence.url }] } : {};

/** The value that all resources share; undefined if they differ. */
function sharedValue<Value>(resources: Resource[], readValue: (attribution: Attribution) => Value): Value | undefined {
  const [first, ...otherValues] = resources.map(({ attribution }) => readValue(attribution));
  return otherValues.every((each) => JSON.stringify(each) === JSON.stringify(first)) ? first : undefined;
}

function describeResource(resource: Resource) {
  const { name, path, format, bytes, rows, attribution, description, dialect } = resource;
  const { mediaType, isText } = formatByName(format);
  const isFilled = (field: string) =>
    resource.columns.some((each) => each.name === field && (each.facts?.filled ?? rows) === rows);
  // Records without an id have no key.
  const primaryKey = resource.key.every(isFilled) ? resource.key : [];
  // Without a raw-value column, values of another type stay in the column, so that it is no foreign key.
  const keepsMisfits = ({ name: field, facts }: WrittenColumn) =>
    facts !== undefined && facts.misfits > 0 && resource.columns.every(({ rawOf }) => rawOf !== field);
  const misfitNames = resource.columns.filter(keepsMisfits).map((each) => each.name);
  const foreignKeys = resource.references
    .filter(({ columns }) => !columns.some((each) => misfitNames.includes(each)))
    .map(({ columns, table, keys }) => ({ fields: columns, reference: { resource: table, fields: keys } }));
  return {
    name,
    description,
    type: 'table',
    path,
    format,
    mediatype: mediaType.split(';')[0]!,
    ...(isText ? { encoding: 'utf-8' } : {}),
    bytes,
    hash: `sha256:${resource.sha256}`,
    rows,
    ...(attribution.retrieved_at ? { retrieved_at: attribution.retrieved_at } : {}),
    ...(dialect ? { dialect } : {}),
    ...licenceFields(attribution.licence),
    attribution,
    schema: {
      fields: resource.columns.map(({ name: field, type, description: meaning, rawOf, facts }) => ({
        name: field,
        // Dates and lists keep the source's spelling, which the standard's strict formats would reject.
        ...columnTypes[type].package,
        // French spreadsheets: `;` between cells, and a decimal comma.
        ...(type === 'number' && dialect?.delimiter === ';' ? { decimalChar: ',' } : {}),
        description: meaning,
        ...(rawOf === undefined ? {} : { rawOf }),
        ...(facts ? { filled: facts.filled } : {}),
        ...(facts && facts.misfits > 0 ? { misfits: facts.misfits } : {}),
        ...(facts?.values ? { values: facts.values } : {}),
        ...(facts?.range ? { range: facts.range } : {}),
      })),
      missingValues: [''],
      ...(primaryKey.length > 0 ? { primaryKey } : {}),
      ...(foreignKeys.length > 0 ? { foreignKeys } : {}),
    },
  };
}
