import { UsageError } from '../errors.ts';
import { type Attribution, attributionOf, odbl } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import { type Compression, compressing } from './compressed.ts';
import { type CsvStyle, csvFormat } from './csv.ts';
import { ndjsonFormat } from './ndjson.ts';
import { writeRows } from './row-format.ts';
import type { Sink } from './sink.ts';

export const exportFormats = ['csv', 'parquet', 'ndjson'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** One table that can be exported; `rows` may be called more than once and gives the same rows each time. */
export type ExportTable = {
  name: string;
  description: string;
  columns: Column[];
  /** The column that names each record, or null where none does alone. */
  key: string | null;
  /** True where the columns were chosen, so that records are cut to them. */
  isPicked?: boolean;
  /** Columns that hold the key of a record of another table. */
  references: Reference[];
  rows: () => Iterable<Document>;
  /** The same rows as the bytes of JSON lists, so many in each but the last, where they lie as JSON. */
  lists?: (size: number) => Iterable<Uint8Array<ArrayBuffer>>;
  attribution: Attribution;
};

/** What of a table stands in a file of it. */
export type TableContent = Pick<ExportTable, 'columns' | 'isPicked' | 'rows' | 'lists' | 'attribution'>;

/** A column that names a record of another table by its key column. */
export type Reference = { column: string; table: string; key: string };

export type TableFormat = {
  format: ExportFormat;
  header: boolean;
  style?: CsvStyle;
  compression?: Compression | null;
  /** True where the program has nothing else to do: a large Parquet file takes a second thread. */
  isThreaded?: boolean;
};

/** Writes a whole table into a sink; the number of rows written. */
export async function writeTable(table: TableContent, format: TableFormat, sink: Sink): Promise<number> {
  if (!format.compression) return writePlain(table, format, sink);
  const smaller = compressing(sink, format.compression);
  try {
    const rows = await writePlain(table, format, smaller);
    await smaller.end();
    return rows;
  } catch (error) {
    await smaller.abort();
    throw error;
  }
}

async function writePlain(
  table: TableContent,
  { format, header, style, isThreaded = false }: TableFormat,
  sink: Sink,
): Promise<number> {
  const columns = table.columns.map(({ name }) => name);
  if (format === 'csv') return writeRows(table.rows(), csvFormat(columns, style), sink, { columns, header });
  if (format === 'ndjson')
    return writeRows(table.rows(), ndjsonFormat(table.isPicked ? columns : undefined), sink, {
      columns,
      header,
    });
  // Its encoder is heavy, and other formats do without.
  const { writeParquet } = await import('./parquet.ts');
  const metadata = fileMetadata(table.attribution);
  return writeParquet(table, { columns: table.columns, metadata, isThreaded }, sink);
}

/**
 * What a Parquet file says about itself: attribution and licence, without the day, so that the same data has the same
 * bytes whenever it was retrieved.
 */
export function fileMetadata({ name, url, licence }: Attribution): Record<string, string> {
  return {
    attribution: attributionOf({ name, siteUrl: url }, { licence }).text,
    source: name,
    ...(url ? { source_url: url } : {}),
    licence: licence ? licence.id : 'free for non-commercial use',
    ...(licence ? { licence_url: licence.url } : {}),
  };
}

/** True for tables under the Open Database License. */
export function isOpenData({ attribution }: ExportTable): boolean {
  return attribution.licence?.id === odbl.id;
}

/** The table with these columns only; throws a UsageError on one that it has not. */
export function withColumns(table: ExportTable, names: string[]): ExportTable {
  const columns = names.map((each) => {
    const name = each.trim();
    const column = table.columns.find((known) => known.name === name);
    if (column) return column;
    const known = table.columns.map((other) => other.name).join(', ');
    throw new UsageError(`${table.name} have no column "${name}"`, `columns: ${known}`);
  });
  const references = table.references.filter(({ column }) => columns.some(({ name }) => name === column));
  return { ...table, columns, references, isPicked: true };
}

/** The table with a last column that cites the source in every row, for those who lose what stands beside a file. */
export function withAttribution(table: ExportTable): ExportTable {
  const { attribution: text } = fileMetadata(table.attribution);
  const column: Column = {
    name: 'attribution',
    type: 'text',
    description: 'Whom to cite for the row, and on what terms it may be used.',
  };
  const { lists: _, ...others } = table;
  return {
    ...others,
    columns: [...table.columns, column],
    *rows() {
      for (const row of table.rows()) yield { ...row, attribution: text! };
    },
  };
}
