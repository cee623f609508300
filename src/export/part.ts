import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { delimiterOfStyle } from '../format/csv.ts';
import type { WrittenColumn } from '../format/format.ts';
import type { Sink } from '../format/sink.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import { type ExportTable, type ExportWatch, type TableFormat, tableIn, tableMark, writeTable } from './table.ts';

/** One file of an export. */
export type ExportPart = ReturnType<typeof createPart>;

/** One written file of a data package. */
export type Resource = Pick<ExportPart, 'name' | 'description' | 'key' | 'references' | 'format' | 'attribution'> & {
  path: string;
  dialect?: ExportPart['dialect'];
  columns: WrittenColumn[];
  rows: number;
  bytes: number;
  sha256: string;
};

/** A table within a written file of several; `cut` counts its truncated cells. */
export type WrittenTable = Pick<Resource, 'name' | 'rows' | 'columns'> & { cut?: number };

/** A table as a file of that format. */
export function createPart(sourceTable: ExportTable, tableFormat: TableFormat) {
  const { format, header, compression, style = {} } = tableFormat;
  const table = tableIn(sourceTable, format);
  const mark = tableMark(sourceTable, sourceTable.state());
  const formatOptions = { format, header, compression, ...style, headerOf: style.headerOf !== undefined };
  // The dialect of a CSV file, after https://datapackage.org/standard/table-dialect/.
  const csvDialect = { lineTerminator: '\n', quoteChar: '"', doubleQuote: true, header };
  let writtenColumns: WrittenColumn[] = table.columns;
  const saveColumns = (all: WrittenColumn[]) => {
    writtenColumns = all;
  };
  return {
    ...table,
    format,
    /** Equal while the file would be equal; null if unknown. */
    mark: mark && hash('sha256', `${mark} ${JSON.stringify(formatOptions)} ${sourceTable.isPicked}`),
    /** The columns of the written file; before writing, the requested ones. */
    written: () => writtenColumns,
    dialect: format === 'csv' ? { delimiter: delimiterOfStyle(style), ...csvDialect } : null,
    write: (sink: Sink) => writeTable(table, { ...tableFormat, report: saveColumns }, sink),
  };
}

/** A warning for each column of a written part with values of another type. */
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

/** When the newest data of the parts was retrieved, ISO 8601. */
export function retrievedAt(parts: Pick<ExportPart, 'attribution'>[]): string {
  const moments = parts.flatMap(({ attribution }) => attribution.retrieved_at ?? []);
  return moments.sort().at(-1) ?? new Date(0).toISOString();
}

/** Milliseconds between two checks for a signal. */
const signalCheckMs = 20;

/** Wraps the watch: throws the reason of the signal as soon as it is aborted. */
export function interruptibleWatch(watch: ExportWatch | undefined, signal: AbortSignal): ExportWatch {
  let dueMs = Date.now() + signalCheckMs;
  return (table, rows) => {
    const nowMs = Date.now();
    if (nowMs < dueMs) return watch?.(table, rows);
    dueMs = nowMs + signalCheckMs;
    return refuseInterrupted(signal).then(() => watch?.(table, rows));
  };
}

/** Yields so that signals of the system are handled; throws the reason of an aborted signal. */
export async function refuseInterrupted(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
