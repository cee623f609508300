import { markdownFormat } from '../format/markdown.ts';
import type { ColumnFacts } from '../format/tally.ts';
import { type Attribution, odbl } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import type { ExportPart, FileColumn } from './part.ts';
import { isOpenData } from './table.ts';

/** A table of an export, as its dictionary tells of it. */
export type DictionaryTable = {
  path: string;
  description: string;
  rows: number;
  columns: FileColumn[];
  /** Given for a file that is a download of the service, byte for byte. */
  verbatim?: object | null;
};

const notes = `An empty cell says that the source states nothing; it is never 0. An empty text is \`""\`. Columns of type
\`json\` hold a list or an object as JSON text. Days and moments are ISO 8601.`;

const verbatimNotes = `These files are those of the service, byte for byte: their cells are written as it writes them. The types say
what the columns are about.`;

/** The text of `DICTIONARY.md`: every file and every column, in the words that `datapackage.json` has too. */
export function dataDictionary(title: string, tables: DictionaryTable[]): string {
  const names = ['column', 'type', 'description', 'filled', 'values'];
  const format = markdownFormat(names);
  const parts = tables.map(({ path, description, rows, columns }) => {
    const table = { name: path, rows };
    const lines = columns.map((column) => format.row(dictionaryRow(table, column)));
    const head = format.head(names);
    return `## ${path}\n\n${description} ${rows} row${rows === 1 ? '' : 's'}.\n\n${head}${lines.join('').trimEnd()}`;
  });
  const isVerbatim = tables.every(({ verbatim }) => verbatim);
  return `${[`# ${title}`, isVerbatim ? verbatimNotes : notes, ...parts].join('\n\n')}\n`;
}

/** What the dictionary says of one column of a table. */
export function dictionaryRow(
  { name: table, rows }: { name: string; rows: number },
  { name, type, description, facts }: FileColumn,
): Document {
  const held = { filled: filledText(facts, rows), values: valuesText(facts) };
  return { table, column: name, type, description, ...held };
}

/** The share of rows that have a value, in per cent; none is 0 %, and all but some are never 100 %. */
function filledText(facts: ColumnFacts | undefined, rows: number): string | null {
  if (!facts || rows === 0) return null;
  const { filled } = facts;
  if (filled === 0 || filled === rows) return filled === 0 ? '0 %' : '100 %';
  return `${Math.min(99.9, Math.max(0.1, Math.round((1000 * filled) / rows) / 10))} %`;
}

/** The values of a column, where they are few, or the first and the last of them; and how many do not fit. */
function valuesText(facts: ColumnFacts | undefined): string | null {
  if (!facts) return null;
  const { values, range, misfits } = facts;
  const [least, greatest] = range ?? [];
  const said = [
    ...(values ? [values.join(', ')] : []),
    ...(least === undefined ? [] : [least === greatest ? `${least}` : `${least} to ${greatest}`]),
    ...(misfits > 0 ? [`${misfits} of another type`] : []),
  ];
  return said.length > 0 ? said.join('; ') : null;
}

/** A table as the terms name it: `name` is that of its dataset, `path` where it stands here. */
export type LicensedTable = Pick<ExportPart, 'name' | 'attribution'> & {
  path: string;
  columns: Pick<Column, 'name'>[];
};

/**
 * The text of LICENSE.txt: what the service states of these tables, and no more. Its licence is one for databases; what
 * stands in them is of many sources, and nobody licensed that as a whole.
 */
export function licenceText(tables: LicensedTable[]): string {
  const [datasets, others] = [true, false].map((isOpen) =>
    tables.filter((table) => isOpenData(table) === isOpen).map(({ path }) => path),
  );
  const open = `${datasets!.join(', ')}

This database is made available under the Open Database License:
${odbl.url}
So the service states of its whole-dataset exports; what is chosen from one stays under it.`;
  const free = `${others!.join(', ')}

These files are no whole-dataset exports of the service, and the Open Database License
does not cover them. The service states no licence for them: it is free for non-commercial use.`;
  const parts = [
    ...(datasets!.length > 0 ? [open] : []),
    ...(others!.length > 0 ? [free] : []),
    contentsText(tables),
    citation(tables[0]!.attribution),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Whose terms hold for what stands in the tables, and where the data states them. */
function contentsText(tables: LicensedTable[]): string {
  const has = (table: LicensedTable, column: string) => table.columns.some(({ name }) => name === column);
  const names = tables.some((table) => has(table, 'source_ids'))
    ? 'Records name their sources in `source_ids`. '
    : '';
  const sources = tables.find(({ name }) => name === 'sources');
  const where = !sources
    ? 'The dataset `sources` says what licence is known of each source.'
    : has(sources, 'licence')
      ? `The column \`licence\` of ${sources.path} says what licence is known of each source.`
      : `${sources.path} lists them.`;
  return `What stands in these files, texts above all, may be under the licence of its source. The Open
Database License does not cover it (section 2.4), and nothing here grants any right in it.
${names}${where}`;
}

/** The text of ATTRIBUTION.txt: one attribution a line, as every reuse must show it. */
export function attributionText(attributions: Attribution[]): string {
  const texts = [...new Set(attributions.map(({ text }) => text))];
  return `${texts.join('\n')}\n\n${texts[0] ? 'Every reuse must name the service and link its site.\n' : ''}`;
}

/** The text of SHA256SUMS, which `sha256sum --check` reads; sorted by file name. */
export function checksums(files: { path: string; sha256: string }[]): string {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return sorted.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
}

/** The hashes of a text of SHA256SUMS by file name; lines that are none are passed over. */
export function readChecksums(text: string): Map<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const [, sha256, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    return sha256 && path ? [[path, sha256] as const] : [];
  });
  return new Map(lines);
}

/** The text of `FILE.meta.json`, which stands beside a file that is exported alone. */
export function fileMeta(file: {
  part: Pick<ExportPart, 'name' | 'description' | 'columns' | 'dialect' | 'attribution' | 'verbatim'>;
  path: string;
  created: string;
  rows: number;
  bytes: number;
  sha256: string;
}): string {
  const { part, path, created, rows, bytes, sha256 } = file;
  const { name, description, columns, dialect, attribution, verbatim } = part;
  const download = verbatim ? { verbatim: true, retrieved_at: verbatim.retrievedAt } : {};
  const written = { rows, bytes, sha256, ...download, ...(dialect ? { dialect } : {}) };
  const meta = { path, name, description, created, ...written, columns, attribution };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/** The text of `FILE.meta.json` beside a file that holds several tables. */
export function tablesMeta(
  file: { path: string; created: string; bytes: number; sha256: string; format?: 'sqlite' },
  tables: {
    name: string;
    description: string;
    rows: number;
    cut?: number;
    columns: string[];
    attribution: Attribution;
  }[],
): string {
  return `${JSON.stringify({ ...file, resources: tables }, null, 2)}\n`;
}

function citation({ name, url }: Attribution): string {
  return `Any reuse must cite ${name} by its name${url ? ` and link to ${url}` : ''}.`;
}
