import { separatorOf } from '../format/csv.ts';
import type { Sink } from '../format/sink.ts';
import { type ExportFormat, type ExportTable, type TableFormat, writeTable } from './table.ts';

/** A dialect of CSV, after https://datapackage.org/standard/table-dialect/. */
export type Dialect = {
  delimiter: string;
  lineTerminator?: string;
  quoteChar?: string;
  doubleQuote?: boolean;
  header?: boolean;
};

/** One file of an export: what it holds, and how its bytes are written. */
export type ExportPart = Pick<
  ExportTable,
  'name' | 'description' | 'columns' | 'references' | 'attribution'
> & {
  format: ExportFormat;
  /** How the cells of CSV are told apart, as far as it is known; null for other formats. */
  dialect: Dialect | null;
  /** The download that the file is, byte for byte; null for one that we write ourselves. */
  verbatim: { retrievedAt: string; sha256: string } | null;
  /** Writes the whole file; the number of rows in it. */
  write(sink: Sink): Promise<number>;
};

/** A table as a file of that format. */
export function partOf(table: ExportTable, format: TableFormat): ExportPart {
  const { name, description, columns, references, attribution } = table;
  return {
    name,
    description,
    columns,
    references,
    attribution,
    format: format.format,
    dialect: format.format === 'csv' ? dialectOf(format) : null,
    verbatim: null,
    write: (sink) => writeTable(table, format, sink),
  };
}

function dialectOf({ header, style }: TableFormat): Dialect {
  return {
    delimiter: separatorOf(style ?? {}),
    lineTerminator: '\n',
    quoteChar: '"',
    doubleQuote: true,
    header,
  };
}

/** When a download was made, and what its bytes sum up to, for people; empty for a file that we write ourselves. */
export function downloadText({ verbatim }: Pick<ExportPart, 'verbatim'>): string {
  return verbatim ? `downloaded ${verbatim.retrievedAt}, SHA-256 ${verbatim.sha256}` : '';
}

/** The moment, ISO 8601, that files stand for: when the newest of their data left the service. */
export function retrievedAt(parts: ExportPart[]): string {
  const moments = parts.flatMap(({ attribution }) => attribution.retrieved_at ?? []);
  return moments.sort().at(-1) ?? new Date(0).toISOString();
}
