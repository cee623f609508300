import { markdownFormat } from '../format/markdown.ts';
import { type Attribution, odbl } from '../model/attribution.ts';
import type { Column } from '../model/kinds.ts';
import type { ExportPart } from './part.ts';

/** A table of an export, as its dictionary tells of it. */
export type DictionaryTable = {
  path: string;
  description: string;
  rows: number;
  columns: Column[];
  /** Given for a file that is a download of the service, byte for byte. */
  verbatim?: object | null;
};

const notes = `An empty cell says that the source states nothing; it is never 0. An empty text is \`""\`. Columns of type
\`json\` hold a list or an object as JSON text. Days and moments are ISO 8601.`;

const verbatimNotes = `These files are those of the service, byte for byte: their cells are written as it writes them. The types say
what the columns are about.`;

/** The text of `DICTIONARY.md`: every file and every column, in the words that `datapackage.json` has too. */
export function dataDictionary(title: string, tables: DictionaryTable[]): string {
  const format = markdownFormat(['column', 'type', 'description']);
  const parts = tables.map(({ path, description, rows, columns }) => {
    const lines = columns.map(({ name, type, description: said }) =>
      format.row({ column: name, type, description: said }),
    );
    const head = format.head(['column', 'type', 'description']);
    return `## ${path}\n\n${description} ${rows} row${rows === 1 ? '' : 's'}.\n\n${head}${lines.join('').trimEnd()}`;
  });
  const isVerbatim = tables.every(({ verbatim }) => verbatim);
  return `${[`# ${title}`, isVerbatim ? verbatimNotes : notes, ...parts].join('\n\n')}\n`;
}

/** The text of LICENSE.txt: which files the ODbL covers, and on what terms the others may be used. */
export function licenceText({
  datasets,
  others,
  attribution,
}: {
  datasets: string[];
  others: string[];
  attribution: Attribution;
}): string {
  const open = `${datasets.join(', ')}

This database is made available under the Open Database License:
${odbl.url}
Any rights in individual contents of the database are licensed under the Database
Contents License: https://opendatacommons.org/licenses/dbcl/1-0/

You are free to share, create from and adapt the database, as long as you attribute
it, offer adapted databases under the same licence, and keep them open.`;
  const free = `${others.join(', ')}

These files are no whole-dataset exports of the service, and the Open Database License
does not cover them. They are free for non-commercial use, with citation.`;
  const parts = [datasets.length > 0 ? open : '', others.length > 0 ? free : '', citation(attribution)];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
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
  const download = verbatim ? downloadFacts(verbatim) : {};
  const written = { rows, bytes, sha256, ...download, ...(dialect ? { dialect } : {}) };
  const meta = { path, name, description, created, ...written, columns, attribution };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/** What a description says of a file that is a download of the service, byte for byte. */
export function downloadFacts({ retrievedAt }: NonNullable<ExportPart['verbatim']>) {
  return { verbatim: true, retrieved_at: retrievedAt };
}

function citation({ name, url }: Attribution): string {
  return `Any reuse must cite ${name} by its name${url ? ` and link to ${url}` : ''}.`;
}
