import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { delimiterOfStyle } from '../format/csv.ts';
import type { WrittenColumn } from '../format/format.ts';
import type { Sink } from '../format/sink.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import { type ExportTable, type ExportWatch, type TableFormat, tableInFormat, tableMark, writeTable } from './table.ts';

/** A table with the format of its file, ready to be written. */
export type ExportPart = ReturnType<typeof createPart>;

/** A written file of a data package, with its size, hash and columns. */
export type Resource = Pick<ExportPart, 'name' | 'description' | 'key' | 'references' | 'format' | 'attribution'> & {
  path: string;
  dialect?: ExportPart['dialect'];
  columns: WrittenColumn[];
  rows: number;
  bytes: number;
  sha256: string;
};

/** One of the tables of a written file that contains several; `cut` counts its truncated cells. */
export type WrittenTable = Pick<Resource, 'name' | 'rows' | 'columns'> & { cut?: number };

/** Creates the part that writes a table in a format; `write` returns the number of rows. */
export function createPart(sourceTable: ExportTable, tableFormat: TableFormat) {
  const { format, header, compression, style = {} } = tableFormat;
  const table = tableInFormat(sourceTable, format);
  const mark = tableMark(sourceTable, sourceTable.state());
  const { hasByteOrderMark: isMarked, headerOf, ...cellStyle } = style;
  // Stored marks are hashes over these names in this order.
  const formatOptions = { format, header, compression, ...cellStyle, isMarked, headerOf: headerOf !== undefined };
  // The dialect of a CSV file, after https://datapackage.org/standard/table-dialect/.
  const csvDialect = { lineTerminator: '\n', quoteChar: '"', doubleQuote: true, header };
  let writtenColumns: WrittenColumn[] = table.columns;
  const saveColumns = (columns: WrittenColumn[]) => {
    writtenColumns = columns;
  };
  return {
    ...table,
    format,
    /** A hash that stays the same while the file would stay the same; null if the table's state is unknown. */
    mark: mark && hash('sha256', `${mark} ${JSON.stringify(formatOptions)} ${sourceTable.picksColumns}`),
    /** The columns of the written file; before writing, the requested ones. */
    written: () => writtenColumns,
    dialect: format === 'csv' ? { delimiter: delimiterOfStyle(style), ...csvDialect } : null,
    write: (sink: Sink) => writeTable(table, { ...tableFormat, report: saveColumns }, sink),
  };
}

/** A warning for each written column with values that do not have its type. */
export function misfitWarnings({ name, written }: Pick<ExportPart, 'name' | 'written'>): Phrase[] {
  const columns = written();
  return columns.flatMap(({ name: column, type, facts }) => {
    if (!facts || facts.misfits === 0) return [];
    const raw = columns.find(({ rawOf }) => rawOf === column);
    const count = figure(facts.misfits);
    return raw
      ? say`warning: ${name}: ${count} values of ${column} do not have its type (${type}) and are kept in ${raw.name}`
      : say`warning: ${name}: ${count} values of ${column} do not have its type (${type}) and are kept unchanged`;
  });
}

/** When the newest data of the parts was retrieved, ISO 8601; 1970 if no part has a time. */
export function retrievedAt(parts: Pick<ExportPart, 'attribution'>[]): string {
  const moments = parts.flatMap(({ attribution }) => attribution.retrieved_at ?? []);
  return moments.sort().at(-1) ?? new Date(0).toISOString();
}

const signalCheckMs = 20; // between two checks for a signal

/** Wraps a watch: it also checks `signal` every `signalCheckMs`, and rejects with the reason if that is aborted. */
export function interruptibleWatch(watch: ExportWatch | undefined, signal: AbortSignal): ExportWatch {
  let dueMs = Date.now() + signalCheckMs;
  return (table, rows) => {
    const nowMs = Date.now();
    if (nowMs < dueMs) return watch?.(table, rows);
    dueMs = nowMs + signalCheckMs;
    return refuseInterrupted(signal).then(() => watch?.(table, rows));
  };
}

/** Lets pending signals of the system be handled; then rejects with the reason if `signal` is aborted. */
export async function refuseInterrupted(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
