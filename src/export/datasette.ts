import { basename, extname } from 'node:path';
import type { Attribution } from '../model/attribution.ts';
import { findKind } from '../model/kinds.ts';
import { quotedName } from '../store/schema.ts';
import type { FileColumn } from './part.ts';
import type { ExportTable } from './table.ts';

/** Text columns to index: the kind's search fields, else `title`, `publisher`; empty for tidy tables. */
function searchedColumns({ name, columns }: Pick<ExportTable, 'name' | 'columns'>): string[] {
  const kind = findKind(name);
  if (!kind || kind.plural !== name) return [];
  const fields = [...kind.search.name, ...kind.search.title, ...kind.search.body];
  const wanted = fields.length > 0 ? fields : ['title', 'publisher'];
  return wanted.filter((field) => columns.some((column) => column.name === field && column.type === 'text'));
}

/**
 * Statements that build a table's full-text index as Datasette and sqlite-utils detect it:
 * external-content FTS5 named `TABLE_fts`, ignoring accents and case.
 */
export function searchSql(table: Pick<ExportTable, 'name' | 'columns'>): string[] {
  const columns = searchedColumns(table);
  if (columns.length === 0) return [];
  const index = quotedName(`${table.name}_fts`);
  return [
    `CREATE VIRTUAL TABLE ${index} USING FTS5 (${columns.map(quotedName).join(', ')}, content=${quotedName(table.name)}, tokenize='unicode61 remove_diacritics 2')`,
    `INSERT INTO ${index} (${index}) VALUES ('rebuild')`,
    `INSERT INTO ${index} (${index}) VALUES ('optimize')`,
  ];
}

/** One table as `FILE.datasette.json` describes it. */
type DescribedTable = {
  name: string;
  description: string;
  columns: Pick<FileColumn, 'name' | 'description'>[];
  attribution: Attribution;
};

/** Candidates for Datasette's label column, shown as link text; the first present wins. */
const labels = ['full_name', 'name', 'title', 'text'];

/** The text of `FILE.datasette.json` for `datasette --metadata`: sources, licences, column descriptions. */
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
