import { basename, extname } from 'node:path';
import { meantHint, UsageError } from '../errors.ts';
import { catalogText } from '../format/catalog.ts';
import { formatNamed } from '../format/formats.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKind } from '../model/kinds.ts';
import { quotedName } from '../store/schema.ts';
import { say } from '../words/speech.ts';
import type { Resource } from './part.ts';
import type { ExportTable } from './table.ts';

/** Words of `--metadata`, and the kind of target that each fits. */
const targets = { dcat: 'folder', datasette: 'sqlite' } as const;

export type MetadataName = keyof typeof targets;

const metadataNames = Object.keys(targets) as MetadataName[];

/** Parses `--metadata` (`all`: those that fit the target); throws a UsageError for an unknown or unfitting word. */
export function metadataNamed(words: string, to: string): MetadataName[] {
  const asked = words.split(',').map((word) => word.trim().toLowerCase());
  for (const word of asked)
    if (word !== 'all' && !metadataNames.some((name) => name === word))
      throw new UsageError(
        say`there is no metadata called "${word}"`,
        meantHint(nearWords(word, metadataNames)) ?? say`name one of ${metadataNames.join(', ')}, or all`,
      );
  const fits = metadataNames.filter((name) => targets[name] === to);
  if (fits.length === 0)
    throw new UsageError(
      say`--metadata is for a folder or an SQLite file`,
      say`name one: -o out/, or --sqlite facts.db`,
    );
  if (asked.includes('all')) return fits;
  const misplaced = asked.find((word) => !fits.some((name) => name === word));
  if (misplaced !== undefined)
    throw new UsageError(say`--metadata ${misplaced} is not for this export`, say`leave it out`);
  return fits;
}

/** The text of `catalog.jsonld`, which describes the files of a folder (DCAT). */
export function catalogOf(resources: Resource[], created: string): string {
  const { name, url } = resources[0]!.attribution;
  const text = catalogText({
    home: './',
    citation: { name, siteUrl: url },
    retrievedAt: created,
    tables: resources.map((resource) => ({
      ...resource,
      records: resource.rows,
      page: null,
      distributions: [
        {
          address: `./${resource.path}`,
          mediaType: formatNamed(resource.format).mediaType,
          bytes: resource.bytes,
          sha256: resource.sha256,
        },
      ],
    })),
  });
  return `${text}\n`;
}

/** Statements for the full-text index `TABLE_fts` (external-content FTS5) that Datasette and sqlite-utils detect. */
export function searchSql(table: Pick<ExportTable, 'name' | 'columns'>): string[] {
  const kind = findKind(table.name);
  // Tidy tables are not searched.
  if (kind?.plural !== table.name) return [];
  const { name, title, body } = kind.search;
  const fields = [...name, ...title, ...body];
  const isText = (field: string) =>
    table.columns.some((column) => column.name === field && column.type === 'text');
  const columns = (fields.length > 0 ? fields : ['title', 'publisher']).filter(isText);
  if (columns.length === 0) return [];
  const index = quotedName(`${table.name}_fts`);
  return [
    `CREATE VIRTUAL TABLE ${index} USING FTS5 (${columns.map(quotedName).join(', ')}, content=${quotedName(table.name)}, tokenize='unicode61 remove_diacritics 2')`,
    `INSERT INTO ${index} (${index}) VALUES ('rebuild')`,
    `INSERT INTO ${index} (${index}) VALUES ('optimize')`,
  ];
}

/** Candidates for Datasette's label column, shown as link text; the first present wins. */
const labels = ['full_name', 'name', 'title', 'text'];

/** The text of `FILE.datasette.json` for `datasette --metadata`: sources, licences, column descriptions. */
export function datasetteText(
  path: string,
  tables: Pick<Resource, 'name' | 'description' | 'columns' | 'attribution'>[],
): string {
  const { name, url } = tables[0]!.attribution;
  const source = { source: name, ...(url ? { source_url: url } : {}) };
  const described = tables.map(({ name: table, description, columns, attribution }) => {
    const { licence, text } = attribution;
    const label = labels.find((each) => columns.some((column) => column.name === each));
    const about = {
      description: `${description} ${text}.`,
      ...source,
      ...(licence ? { license: licence.id, license_url: licence.url } : {}),
      ...(label ? { label_column: label } : {}),
      columns: Object.fromEntries(columns.map((column) => [column.name, column.description])),
    };
    return [table, about] as const;
  });
  const database = basename(path, extname(path));
  const text = {
    title: `Export of ${name}`,
    ...source,
    databases: { [database]: { ...source, tables: Object.fromEntries(described) } },
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}
