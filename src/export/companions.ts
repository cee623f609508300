import type { WrittenColumn } from '../format/format.ts';
import { markdownFormat } from '../format/markdown.ts';
import type { ColumnFacts } from '../format/tally.ts';
import { byCodeUnit } from '../language/fold.ts';
import { type Attribution, odbl } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import type { Resource } from './part.ts';

const dictionaryIntroduction = `An empty cell says that the source states nothing; it is never 0. An empty text is \`""\`. Columns of type
\`json\` hold a list or an object as JSON text. Days and moments are ISO 8601.`;

/** The text of `DICTIONARY.md`: every file and column, described as in `datapackage.json`. */
export function dataDictionary(title: string, tables: Resource[]): string {
  const names = ['column', 'type', 'description', 'filled', 'values'];
  const format = markdownFormat(names);
  const parts = tables.map(({ path, description, rows, columns }) => {
    const lines = columns.map((column) => format.row(dictionaryRow({ name: path, rows }, column)));
    const head = format.head(names);
    return `## ${path}\n\n${description} ${rows} row${rows === 1 ? '' : 's'}.\n\n${head}${lines.join('').trimEnd()}`;
  });
  return `${[`# ${title}`, dictionaryIntroduction, ...parts].join('\n\n')}\n`;
}

/** The row of the data dictionary for one column of a table; `rows` is the table's row count. */
export function dictionaryRow(
  { name: table, rows }: { name: string; rows: number },
  { name, type, description, facts }: WrittenColumn,
): Document {
  return { table, column: name, type, description, filled: filledText(facts, rows), values: valuesText(facts) };
}

/** Filled share in per cent, at most one decimal; partly filled columns stay within 0.1 and 99.9 %. */
function filledText(facts: ColumnFacts | undefined, rows: number): string | null {
  if (!facts || rows === 0) return null;
  const { filled } = facts;
  if (filled === 0 || filled === rows) return filled === 0 ? '0 %' : '100 %';
  return `${Math.min(99.9, Math.max(0.1, Math.round((1000 * filled) / rows) / 10))} %`;
}

/** The distinct values if few, the range, and the number of values of another type; null if there is none of these. */
function valuesText(facts: ColumnFacts | undefined): string | null {
  if (!facts) return null;
  const { values, range, misfits } = facts;
  const [least, greatest] = range ?? [];
  const parts = [
    ...(values ? [values.join(', ')] : []),
    ...(least === undefined ? [] : [least === greatest ? `${least}` : `${least} to ${greatest}`]),
    ...(misfits > 0 ? [`${misfits} of another type`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : null;
}

/** The properties of a table that LICENSE.txt needs: `name` is its dataset, `path` its file in this export. */
export type LicensedTable = Pick<Resource, 'name' | 'path' | 'attribution'> & { columns: Pick<Column, 'name'>[] };

/** The text of LICENSE.txt: the terms of the database only, as the contents of many sources share no licence. */
export function licenceText(tables: LicensedTable[]): string {
  const pathsOf = (isOpen: boolean) =>
    tables.filter(({ attribution }) => (attribution.licence?.id === odbl.id) === isOpen).map(({ path }) => path);
  const [openPaths, otherPaths] = [pathsOf(true), pathsOf(false)];
  const openText = `${openPaths.join(', ')}

This database is made available under the Open Database License:
${odbl.url}
So the service states of its whole-dataset exports; what is chosen from one stays under it.`;
  const otherText = `${otherPaths.join(', ')}

These files are no whole-dataset exports of the service, and the Open Database License
does not cover them. The service states no licence for them: it is free for non-commercial use.`;
  const { name, url } = tables[0]!.attribution;
  const parts = [
    ...(openPaths.length > 0 ? [openText] : []),
    ...(otherPaths.length > 0 ? [otherText] : []),
    contentsText(tables),
    `Any reuse must cite ${name} by its name${url ? ` and link to ${url}` : ''}.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The paragraph about the licences of the texts in the tables, and where the tables state them. */
function contentsText(tables: LicensedTable[]): string {
  const has = (table: LicensedTable, column: string) => table.columns.some(({ name }) => name === column);
  const names = tables.some((table) => has(table, 'source_ids')) ? 'Records name their sources in `source_ids`. ' : '';
  const sources = tables.find(({ name }) => name === 'sources');
  const licenceSentence = !sources
    ? 'The dataset `sources` states the licence of each source, if known.'
    : has(sources, 'licence')
      ? `The column \`licence\` of ${sources.path} says what licence is known of each source.`
      : `${sources.path} lists them.`;
  return `What stands in these files, texts above all, may be under the licence of its source. The Open
Database License does not cover it (section 2.4), and nothing here grants any right in it.
${names}${licenceSentence}`;
}

/** The text of ATTRIBUTION.txt: each distinct attribution on a line, as every reuse must show it. */
export function attributionText(attributions: Attribution[]): string {
  const texts = [...new Set(attributions.map(({ text }) => text))];
  return `${texts.join('\n')}\n\n${texts[0] ? 'Every reuse must name the service and link its site.\n' : ''}`;
}

/** The text of SHA256SUMS, which `sha256sum --check` reads; sorted by file name. */
export function checksums(files: { path: string; sha256: string }[]): string {
  const sortedFiles = files.toSorted((one, other) => byCodeUnit(one.path, other.path));
  return sortedFiles.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
}

/** Parses SHA256SUMS into hashes by file name; skips malformed lines. */
export function readChecksums(text: string): Map<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const [, sha256, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    return sha256 && path ? [[path, sha256] as const] : [];
  });
  return new Map(lines);
}

/** The text of `FILE.meta.json`, next to a single exported file; `mark` is a hash of its source state and format. */
export function fileMeta(
  file: Omit<Resource, 'key' | 'references' | 'format'> & { mark: string | null },
  created: string,
): string {
  const { path, name, description, rows, bytes, sha256, mark, dialect, columns, attribution } = file;
  const about = { rows, bytes, sha256, ...(dialect ? { dialect } : {}) };
  return `${JSON.stringify({ path, name, description, created, mark, ...about, columns, attribution }, null, 2)}\n`;
}
