import { setImmediate } from 'node:timers/promises';
import { NoDownloadError, UsageError } from '../errors.ts';
import { separatorOf } from '../format/csv.ts';
import type { WrittenColumn } from '../format/format.ts';
import type { FormatName } from '../format/formats.ts';
import { pacedSink, pour, type Sink } from '../format/sink.ts';
import type { ColumnFacts } from '../format/tally.ts';
import { attributionOf, type Citation, odbl } from '../model/attribution.ts';
import { type Column, columnOf, datasets, type Kind } from '../model/kinds.ts';
import { downloadedBytes, type KeptDownload, keptDownload } from '../store/download.ts';
import type { Mirror } from '../store/mirror.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import { type ExportTable, type ExportWatch, type TableFormat, tableIn, writeTable } from './table.ts';
import { isTidy, nameOfTable, referenceOf, type TableName } from './tables.ts';

/** A dialect of CSV, after https://datapackage.org/standard/table-dialect/. */
export type Dialect = {
  delimiter: string;
  lineTerminator?: string;
  quoteChar?: string;
  doubleQuote?: boolean;
  header?: boolean;
};

/** One file of an export. */
export type ExportPart = Pick<
  ExportTable,
  'name' | 'description' | 'columns' | 'key' | 'references' | 'freshAt' | 'attribution'
> & {
  format: FormatName;
  /** The CSV dialect; null for other formats. */
  dialect: Dialect | null;
  /** The download that the file is, byte for byte; null for one that we write ourselves. */
  verbatim: { retrievedAt: string; sha256: string } | null;
  /** The columns that the file has, and what each holds; those that were asked for until it is written. */
  written(): FileColumn[];
  /** Writes the whole file; the number of rows in it. */
  write(sink: Sink): Promise<number>;
};

/** One written file of a data package. */
export type Resource = Pick<
  ExportPart,
  'name' | 'description' | 'key' | 'references' | 'format' | 'attribution'
> &
  Partial<Pick<ExportPart, 'dialect' | 'verbatim'>> & {
    path: string;
    columns: FileColumn[];
    rows: number;
    bytes: number;
    sha256: string;
  };

/** A table within a written file of several; `cut` counts its truncated cells. */
export type WrittenTable = Pick<Resource, 'name' | 'rows' | 'columns'> & { cut?: number };

/** A column of a file with statistics; `rawOf` names the column whose misfits it holds. */
export type FileColumn = Column & { facts?: ColumnFacts; rawOf?: string };

/** A table as a file of that format. */
export function partOf(asked: ExportTable, format: TableFormat): ExportPart {
  const { header, style = {} } = format;
  const table = tableIn(asked, format.format);
  const { name, description, columns, key, references, freshAt, attribution } = table;
  let written: FileColumn[] = columns;
  const noted = (all: WrittenColumn[]) => {
    written = all.map((each) => ({ type: 'text', description: '', ...each }));
  };
  return {
    ...{ name, description, columns, key, references, freshAt, attribution },
    format: format.format,
    written: () => written,
    dialect:
      format.format === 'csv'
        ? { delimiter: separatorOf(style), lineTerminator: '\n', quoteChar: '"', doubleQuote: true, header }
        : null,
    verbatim: null,
    write: (sink) => writeTable(table, { ...format, noted }, sink),
  };
}

type VerbatimRequest = {
  citation: Citation;
  /** True to leave out what the service has no dataset of, instead of refusing it. */
  isAll: boolean;
  /** The format that was asked for, or null for the one that was downloaded. */
  format: FormatName | null;
};

/**
 * The last downloads of datasets as parts, byte for byte. Throws a UsageError for a table without a dataset or another
 * format than the downloaded one, a NoDownloadError where none was kept.
 */
export function verbatimParts(
  mirror: Mirror,
  named: TableName[],
  { citation, isAll, format }: VerbatimRequest,
): ExportPart[] {
  const kinds = datasets.filter((kind) => named.includes(kind));
  const refused = named.find((table) => isTidy(table) || !table.dataset);
  if (refused && !isAll)
    throw new UsageError(
      say`${nameOfTable(refused)} cannot be exported verbatim: the service sends no such dataset`,
      say`datasets: ${datasets.map(({ plural }) => plural).join(', ')}`,
    );
  const downloads = kinds.map((kind) => ({ kind, download: keptDownload(mirror, kind) }));
  const missing = downloads.filter(({ download }) => download === null).map(({ kind }) => kind.plural);
  if (missing.length > 0) throw new NoDownloadError(missing);
  return downloads.map(({ kind, download }) => {
    const [{ plural }, { format: held }] = [kind, download!];
    if (format !== null && format !== held)
      throw new UsageError(
        say`${plural} were downloaded as ${held}: verbatim, they cannot be had as ${format}`,
        say`leave out --format, and call a file ${plural}.${held}; or leave out --verbatim`,
      );
    return verbatimPart(mirror, kind, { download: download!, citation });
  });
}

function verbatimPart(
  mirror: Mirror,
  kind: Kind,
  { download, citation }: { download: KeptDownload; citation: Citation },
): ExportPart {
  const { retrievedAt, sha256, delimiter, format, rows } = download;
  const columns = download.columns.map((name) => columnOf(kind, name));
  return {
    ...{ name: kind.plural, description: kind.description, columns, format, freshAt: retrievedAt },
    written: () => columns,
    key: columns.some(({ name }) => name === kind.keyField) ? [kind.keyField] : [],
    references: columns.flatMap((column) => referenceOf(kind, column)),
    attribution: attributionOf(citation, { licence: odbl, retrievedAt }),
    dialect: delimiter === null ? null : { delimiter },
    verbatim: { retrievedAt, sha256 },
    async write(sink) {
      await pour(downloadedBytes(mirror, download), sink);
      return rows;
    },
  };
}

/** What to tell of the columns of a written part that hold values of another type, a line for each. */
export function misfitLines({ name, written }: Pick<ExportPart, 'name' | 'written'>): Phrase[] {
  const columns = written();
  return columns.flatMap(({ name: column, type, facts }) => {
    if (!facts || facts.misfits === 0) return [];
    const raw = columns.find(({ rawOf }) => rawOf === column);
    const count = figure(facts.misfits);
    return [
      raw
        ? say`warning: ${name}: ${count} values of ${column} are not of its type (${type}), kept in ${raw.name}`
        : say`warning: ${name}: ${count} values of ${column} are not of its type (${type}), kept as they came`,
    ];
  });
}

/** When a download was made, and what its bytes sum up to, for people; empty for a file that we write ourselves. */
export function downloadText({ verbatim }: Pick<ExportPart, 'verbatim'>): string {
  return verbatim ? `downloaded ${verbatim.retrievedAt}, SHA-256 ${verbatim.sha256}` : '';
}

/** When the newest data of the parts was retrieved, ISO 8601. */
export function retrievedAt(parts: Pick<ExportPart, 'attribution'>[]): string {
  const moments = parts.flatMap(({ attribution }) => attribution.retrieved_at ?? []);
  return moments.sort().at(-1) ?? new Date(0).toISOString();
}

/** Returns the error that ends the run, or null to go on. */
export type Interruption = () => Error | null;

/** Wraps the watch: throws the interruption error as soon as there is one. */
export function interruptibleWatch(watch: ExportWatch | undefined, interruption: Interruption): ExportWatch {
  const check = regularCheck(interruption);
  return (table, rows) => {
    const turn = check();
    return turn ? turn.then(() => watch?.(table, rows)) : watch?.(table, rows);
  };
}

/** Wraps the part: writing throws the interruption error, at the latest when complete. */
export function interruptiblePart(part: ExportPart, interruption: Interruption): ExportPart {
  return {
    ...part,
    async write(sink) {
      const rows = await part.write(pacedSink(sink, regularCheck(interruption)));
      await refuseInterrupted(interruption);
      return rows;
    },
  };
}

/** Yields so that signals are handled; throws the interruption error, if any. */
export async function refuseInterrupted(interruption: Interruption): Promise<void> {
  await setImmediate();
  const error = interruption();
  if (error) throw error;
}

const signalEveryMs = 20;

/** Checks for an interruption, but no more often than people notice. */
function regularCheck(interruption: Interruption): () => Promise<void> | undefined {
  let dueMs = Date.now() + signalEveryMs;
  return () => {
    const nowMs = Date.now();
    if (nowMs < dueMs) return;
    dueMs = nowMs + signalEveryMs;
    return refuseInterrupted(interruption);
  };
}
