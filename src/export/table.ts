import { UsageError } from '../errors.ts';
import type { TextStyle, WrittenColumn } from '../format/format.ts';
import { type FormatName, formatByName } from '../format/formats.ts';
import { completeRecords } from '../format/ndjson.ts';
import { writeRows } from '../format/rows.ts';
import { type Compression, compressedSink, pacedSink, type Sink } from '../format/sink.ts';
import { tallyTable } from '../format/tally.ts';
import { type Attribution, attributionOf } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import { type Column, findKind, hasColumn } from '../model/kinds.ts';
import type { TableReference } from '../store/records/references.ts';
import { say } from '../words/speech.ts';

/** A table that is being written; `count` returns its number of rows, or null if only writing can tell. */
export type CountedTable = { name: string; count: () => number | null };

/** Called with the number of rows so far; its promise is awaited, so that signals are handled between rows. */
export type ExportWatch = (table: CountedTable, rows: number) => Promise<void> | undefined;

/** A table that can be exported; each call of `rows` gives the same rows. */
export type ExportTable = {
  name: string;
  description: string;
  columns: Column[];
  /** Primary key columns; empty if there is no key. */
  key: string[];
  /** True if columns were selected: rows then contain only these, in formats that otherwise keep all fields. */
  picksColumns?: boolean;
  references: TableReference[];
  rows: () => Iterable<Document>;
  /** The unflattened records, if `rows` adds columns for flat files. */
  originals?: Pick<ExportTable, 'columns' | 'key' | 'rows'>;
  /** Row count; null if only reading the rows can tell. */
  count: () => number | null;
  /** When all of it was last brought up to date, ISO 8601; null if it never was. */
  freshAt: string | null;
  attribution: Attribution;
  /** Text that changes whenever its rows do; null if unknown, as for filtered rows or the past. */
  state: () => string | null;
  /** Version of the rules that compose the rows; 1 by default. */
  derivation?: number;
};

/** The properties of a table that writing it needs. */
export type TableContent = Pick<ExportTable, 'name' | 'columns' | 'picksColumns' | 'rows' | 'count' | 'attribution'>;

/** The mark of a table: JSON of its state, columns and texts, compared with the last export's; null without a state. */
export function tableMark(
  { derivation = 1, ...table }: Pick<ExportTable, 'columns' | 'description' | 'attribution' | 'derivation'>,
  state: string | null,
): string | null {
  const columns = table.columns.map(({ name, type, description }) => [name, type, description]);
  return state && JSON.stringify([derivation, state, columns, table.description, withoutDay(table.attribution).text]);
}

/** The references to a table among `names` whose referenced records are all stored. */
export function validReferences(references: TableReference[], names: string[]): TableReference[] {
  return references.filter(({ table, isSatisfied }) => names.includes(table) && (isSatisfied?.() ?? true));
}

/** How a table is written; `header` is true for a header line. */
export type TableFormat = {
  format: FormatName;
  header: boolean;
  style?: TextStyle;
  compression?: Compression | null;
  /** Set if the text goes to a terminal: control characters are escaped. */
  terminal?: { isTTY: boolean };
  watch?: ExportWatch;
  /** Called after writing with the columns of the file and their statistics. */
  report?: (columns: WrittenColumn[]) => void;
};

/** Writes a whole table into a sink; returns the number of rows. */
export async function writeTable(table: TableContent, format: TableFormat, sink: Sink): Promise<number> {
  const { watch, ...formatOptions } = format;
  if (watch) {
    await watch(table, 0);
    let count = 0;
    const countedRows = () =>
      Iterator.from(table.rows()).map((row, at) => {
        count = at + 1;
        return row;
      });
    const pacedTarget = pacedSink(sink, () => watch(table, count));
    return writeTable({ ...table, rows: countedRows }, formatOptions, pacedTarget);
  }
  if (!format.compression) return formatTable(table, format, sink);
  const output = compressedSink(sink, format.compression);
  await using _ = { [Symbol.asyncDispose]: output.abort };
  const rows = await formatTable(table, format, output);
  await output.end();
  return rows;
}

async function formatTable(table: TableContent, { format, header, style, terminal, report }: TableFormat, sink: Sink) {
  const columns = table.columns.map(({ name }) => name);
  const options = { columns, header, terminal };
  const { rowFormat, writeTable: writeBinaryTable, keepsAllFields } = formatByName(format);
  if (rowFormat) {
    const content = keepsAllFields && !table.picksColumns ? { ...table, rows: () => completeRecords(table) } : table;
    const textFormat = rowFormat(columns, { picksColumns: table.picksColumns ?? false, style });
    if (!report) return writeRows(content.rows(), textFormat, sink, options);
    const tallied = tallyTable(content, { requiresStrings: keepsAllFields ?? false });
    const rowCount = await writeRows(tallied.rows, textFormat, sink, options);
    report(tallied.columns());
    return rowCount;
  }
  return writeBinaryTable!(table, { columns: table.columns, metadata: fileMetadata(table.attribution), report }, sink);
}

/** Source and licence for the metadata of a Parquet file; no day of retrieval, so that same data gives same bytes. */
export function fileMetadata(attribution: Attribution): Record<string, string> {
  const { name, url, licence } = attribution;
  return {
    attribution: withoutDay(attribution).text,
    ...pastMoments(attribution),
    source: name,
    ...(url ? { source_url: url } : {}),
    licence: licence ? licence.id : 'free for non-commercial use', // as the service states
    ...(licence ? { licence_url: licence.url } : {}),
  };
}

/** The attribution without the retrieval day; unchanged if it is of the past (`--as-of`). */
export function withoutDay(attribution: Attribution): Attribution {
  const { name, url, licence, gone_since: goneSince = null } = attribution;
  return attribution.as_of ? attribution : attributionOf({ name, siteUrl: url, goneSince }, { licence });
}

/** The moment that a file shows, and when that was retrieved; empty for the present. */
export function pastMoments({ as_of, retrieved_at }: Attribution): Record<string, string> {
  return as_of ? { as_of, ...(retrieved_at ? { retrieved_at } : {}) } : {};
}

/** The table with these columns only, and with the key and references that they cover; throws a UsageError. */
export function selectColumns(table: ExportTable, names: string[]): ExportTable {
  const trimmedNames = names.map((name) => name.trim());
  const repeatedName = trimmedNames.find((name, at) => trimmedNames.indexOf(name) < at);
  if (repeatedName !== undefined)
    throw new UsageError(say`column "${repeatedName}" is given twice`, say`column names must be unique`);
  const columns = trimmedNames.map((name) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (column) return column;
    const columnNames = table.columns.map((other) => other.name).join(', ');
    throw new UsageError(say`${table.name} have no column "${name}"`, say`columns: ${columnNames}`);
  });
  const isSelected = (name: string) => trimmedNames.includes(name);
  const references = table.references.filter((reference) => reference.columns.every(isSelected));
  return { ...table, columns, key: table.key.every(isSelected) ? table.key : [], references, picksColumns: true };
}

/** The table for a format: unflattened, and without references to keys of flat files, if the format keeps nesting. */
export function tableInFormat(table: ExportTable, format: FormatName): ExportTable {
  if (!formatByName(format).keepsAllFields) return table;
  const { originals, ...flat } = table;
  const references = flat.references.filter((each) => each.keys.every((key) => hasColumn(findKind(each.table)!, key)));
  return { ...flat, ...(flat.picksColumns ? {} : originals), references };
}
