import type { Progress } from './progress.ts';

/** A table that is being written; `count` tells how many rows it has, null where only writing tells. */
export type CountedTable = { name: string; count: () => number | null };

/**
 * Told again and again how many rows of a table are written. What it returns is awaited, so that whoever draws, or
 * waits for a signal, gets a turn in a run that never waits for anything.
 */
export type ExportWatch = (table: CountedTable, rows: number) => Promise<void> | undefined;

/** An export that is done sooner is not worth a line. */
const afterMs = 500;

const everyMs = 100;

/** Draws how far an export is: the table's name, rows written of rows in all. */
export function exportProgress(progress: Progress, now: () => number): ExportWatch {
  let dueMs = now() + afterMs;
  const totals = new Map<string, number | null>();
  return (table, rows) => {
    const ms = now();
    if (ms < dueMs) return;
    dueMs = ms + everyMs;
    const { name } = table;
    if (!totals.has(name)) totals.set(name, table.count());
    const total = totals.get(name) ?? null;
    // Rows that are read a hundred at a time are counted so.
    const done = Math.min(rows, total ?? rows);
    progress.update(`${name}: ${done}${total === null ? '' : ` of ${total}`} rows`);
    return progress.drawn();
  };
}
