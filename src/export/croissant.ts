import type { ColumnType } from '../model/kinds.ts';
import { citationOfAll, type Resource, sharedLicence, titleOf } from './data-package.ts';
import type { FileColumn } from './part.ts';

const ownTerms = [
  ...['citeAs', 'column', 'extract', 'field', 'fileProperty', 'fileObject', 'fileSet', 'format', 'includes'],
  ...['isLiveDataset', 'jsonPath', 'key', 'md5', 'parentField', 'path', 'recordSet', 'references', 'regex'],
  ...['repeated', 'replace', 'separator', 'source', 'subField', 'transform'],
];

/** The context of https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html, so that nothing has to be fetched. */
const context = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  dct: 'http://purl.org/dc/terms/',
  conformsTo: 'dct:conformsTo',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  examples: { '@id': 'cr:examples', '@type': '@json' },
  ...Object.fromEntries(ownTerms.map((term) => [term, `cr:${term}`])),
};

const mediaTypes: Record<string, string> = {
  csv: 'text/csv',
  ndjson: 'application/jsonlines',
  parquet: 'application/x-parquet',
};

const dataTypes: Record<ColumnType, string> = {
  text: 'sc:Text',
  integer: 'sc:Integer',
  number: 'sc:Float',
  boolean: 'sc:Boolean',
  date: 'sc:Date',
  datetime: 'sc:DateTime',
  json: 'sc:Text',
};

/** The text of `croissant.json`: the files of a folder, and their records with typed fields, as Croissant 1.0. */
export function croissantText(resources: Resource[], created: string): string {
  const { name, url } = resources[0]!.attribution;
  const licence = sharedLicence(resources);
  const citation = citationOfAll(resources);
  const text = {
    '@context': context,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    name: titleOf(resources),
    description: `${resources.map((resource) => `${resource.name}: ${resource.description}`).join(' ')} ${citation}.`,
    citeAs: citation,
    datePublished: created,
    creator: { '@type': 'sc:Organization', name, ...(url ? { url } : {}) },
    ...(url ? { url } : {}),
    ...(licence ? { license: licence.url } : {}),
    distribution: resources.map(fileOf),
    recordSet: resources.map((resource) => recordsOf(resource, resources)),
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

function fileOf({ path, format, description, bytes, sha256, attribution }: Resource) {
  return {
    '@type': 'cr:FileObject',
    '@id': path,
    name: path,
    description,
    contentUrl: path,
    contentSize: `${bytes} B`,
    encodingFormat: mediaTypes[format] ?? 'application/octet-stream',
    sha256,
    ...(attribution.licence ? { license: attribution.licence.url } : {}),
  };
}

function recordsOf({ name, path, format, description, columns, key, references }: Resource, all: Resource[]) {
  const idOf = (table: string, column: string) => ({ '@id': `${table}/${column}` });
  const named = all.map((each) => each.name);
  // The standard knows references of one field.
  const single = references.filter((each) => each.columns.length === 1 && named.includes(each.table));
  const keys = key.map((column) => idOf(name, column));
  return {
    '@type': 'cr:RecordSet',
    '@id': name,
    name,
    description,
    ...(keys.length > 0 ? { key: keys.length === 1 ? keys[0] : keys } : {}),
    field: columns.map((column) => {
      const target = single.find((each) => each.columns[0] === column.name);
      return {
        '@type': 'cr:Field',
        ...idOf(name, column.name),
        name: column.name,
        description: column.description,
        dataType: dataTypeOf(column),
        ...(target ? { references: { field: idOf(target.table, target.keys[0]!) } } : {}),
        source: { fileObject: { '@id': path }, extract: placeOf(column.name, format) },
      };
    }),
  };
}

/** The type of every value; that of texts where some do not fit, or nobody looked. */
const dataTypeOf = ({ type, facts }: FileColumn): string =>
  facts === undefined || facts.misfits > 0 ? dataTypes.text : dataTypes[type];

const placeOf = (column: string, format: string) =>
  format === 'ndjson'
    ? { jsonPath: /^[A-Za-z]\w*$/.test(column) ? `$.${column}` : `$[${JSON.stringify(column)}]` }
    : { column };
