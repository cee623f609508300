import { basename, extname } from 'node:path';
import type { Attribution } from '../model/attribution.ts';
import { findKind } from '../model/kinds.ts';
import { quotedName } from '../store/schema.ts';
import type { FileColumn } from './part.ts';
import type { PlainTable } from './plain-file.ts';

/** The columns in which people look for words: those that the search reads too; of other records their titles. */
function searchedColumns({ name, columns }: Pick<PlainTable, 'name' | 'columns'>): string[] {
  const kind = findKind(name);
  if (!kind || kind.plural !== name) return [];
  const fields = [...kind.search.name, ...kind.search.title, ...kind.search.body];
  const wanted = fields.length > 0 ? fields : ['title', 'publisher'];
  return wanted.filter((field) => columns.some((column) => column.name === field && column.type === 'text'));
}

/**
 * What makes the index of words of a table, under the name and of the kind by which Datasette and sqlite-utils find it:
 * FTS5 over the table itself, accents and case alike.
 */
export function searchSql(table: Pick<PlainTable, 'name' | 'columns'>): string[] {
  const columns = searchedColumns(table);
  if (columns.length === 0) return [];
  const index = quotedName(`${table.name}_fts`);
  return [
    `CREATE VIRTUAL TABLE ${index} USING FTS5 (${columns.map(quotedName).join(', ')}, content=${quotedName(table.name)}, tokenize='unicode61 remove_diacritics 2')`,
    `INSERT INTO ${index} (${index}) VALUES ('rebuild')`,
    `INSERT INTO ${index} (${index}) VALUES ('optimize')`,
  ];
}

/** A table as its description for Datasette tells of it. */
type DescribedTable = {
  name: string;
  description: string;
  columns: Pick<FileColumn, 'name' | 'description'>[];
  attribution: Attribution;
};

/** What a table calls a record of it, where a link stands for one. */
const labels = ['full_name', 'name', 'title', 'text'];

/** The text of `FILE.datasette.json`, which `datasette FILE --metadata` reads: sources, terms, and what columns mean. */
export function datasetteText(path: string, tables: DescribedTable[]): string {
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
