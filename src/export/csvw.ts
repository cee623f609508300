import type { Attribution } from '../model/attribution.ts';
import { citationOfAll, type Resource, sharedLicence, titleOf } from './data-package.ts';
import type { FileColumn } from './part.ts';

/**
 * The text of `csv-metadata.json`: the CSV files of a folder after https://www.w3.org/TR/tabular-data-model/ and its
 * vocabulary, with types, keys and references. Null where no file is CSV.
 */
export function csvwText(resources: Resource[]): string | null {
  const tables = resources.filter(({ format }) => format === 'csv');
  if (tables.length === 0) return null;
  const { name, url } = tables[0]!.attribution;
  const licence = sharedLicence(tables);
  const text = {
    '@context': ['http://www.w3.org/ns/csvw', { '@language': 'en' }],
    'dc:title': titleOf(tables),
    'dc:description': citationOfAll(tables),
    'dc:source': url ? { '@id': url } : name,
    ...(licence ? { 'dc:license': { '@id': licence.url } } : {}),
    tables: tables.map((table) => tableOf(table, tables)),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

function tableOf(table: Resource, present: Resource[]) {
  const { path, name, description, columns, key, references, dialect, attribution } = table;
  const foreignKeys = references.flatMap(({ columns: from, table: target, keys }) => {
    const to = present.find((each) => each.name === target);
    return to
      ? [
          {
            columnReference: from.map(variableOf),
            reference: { resource: to.path, columnReference: keys.map(variableOf) },
          },
        ]
      : [];
  });
  return {
    url: path,
    'dc:title': name,
    'dc:description': description,
    ...termsOf(attribution),
    dialect: {
      delimiter: dialect?.delimiter ?? ',',
      header: dialect?.header ?? true,
      quoteChar: '"',
      doubleQuote: true,
      lineTerminators: ['\n'],
      encoding: 'utf-8',
    },
    tableSchema: {
      columns: columns.map(columnOf),
      ...(key.length > 0 ? { primaryKey: key.map(variableOf) } : {}),
      ...(foreignKeys.length > 0 ? { foreignKeys } : {}),
    },
  };
}

const termsOf = ({ text, licence }: Attribution) => ({
  'dc:bibliographicCitation': text,
  ...(licence ? { 'dc:license': { '@id': licence.url } } : {}),
});

function columnOf(column: FileColumn) {
  const { name, description } = column;
  return {
    name: variableOf(name),
    titles: name,
    'dc:description': description,
    datatype: datatypeOf(column),
  };
}

/** Days or moments, whichever the source writes: no type of the standard is both. */
const dayOrMoment = { base: 'string', format: '^\\d{4}-\\d\\d-\\d\\d(T.*)?$' };

/** The type that every value of a column has; that of texts where some do not fit, or nobody looked. */
function datatypeOf({ type, facts }: FileColumn): string | { base: string; format: string } {
  const isTyped = type === 'text' || (facts !== undefined && facts.misfits === 0);
  if (!isTyped || type === 'text') return 'string';
  if (type === 'datetime') return dayOrMoment;
  return type === 'boolean' ? { base: 'boolean', format: 'true|false' } : type;
}

/** The name of a column as the standard allows one: what a template of addresses may hold, no `_` first. */
function variableOf(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed());
  return encoded
    .replace(/[-!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^_/, '%5F');
}
