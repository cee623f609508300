import { StaleError } from '../errors.ts';
import { ageMs } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import type { ExportedTable } from './folder.ts';
import type { ExportTable } from './table.ts';
import { kindOfTable, tableNamed } from './tables.ts';

/** The progress of an export, filled as it goes on. */
export type ExportLog = {
  /** The tables that it is to write, and when each was last brought up to date (ISO 8601, or null). */
  tables: { name: string; freshAt: string | null }[];
  stale: StaleTable[];
  exported: ExportedTable[];
};

/** The greatest age of a table, and its text on the command line. */
export type MaxAge = { ms: number; text: string };

/** A table too old to export, with the reason as the predicate of a sentence. */
export type StaleTable = { name: string; reason: string };

/** What the age check needs of a table. */
export type Judged = Pick<ExportTable, 'name' | 'freshAt'> & Partial<Pick<ExportTable, 'count'>>;

/** Splits tables into fresh and too old. A kind imported only from files is fresh while it is empty. */
export function judgedByAge<Table extends Judged>(
  tables: Table[],
  { maxAge, nowMs }: { maxAge: MaxAge | null; nowMs: number },
): { fresh: Table[]; stale: StaleTable[] } {
  if (maxAge === null) return { fresh: tables, stale: [] };
  const fresh: Table[] = [];
  const stale: StaleTable[] = [];
  for (const table of tables) {
    const { name, freshAt, count } = table;
    const isOfNothing = kindOfTable(tableNamed(name)).isFileOnly === true && count?.() === 0;
    const age = freshAt === null ? null : ageMs(freshAt, nowMs);
    const isFresh = freshAt === null ? isOfNothing : age !== null && age <= maxAge.ms;
    if (isFresh) fresh.push(table);
    else if (freshAt === null) stale.push({ name, reason: 'never came whole' });
    else if (age === null)
      stale.push({ name, reason: `last came at ${freshAt}, which is still to come: a clock was wrong` });
    else stale.push({ name, reason: `last came at ${freshAt}, longer ago than ${maxAge.text}` });
  }
  return { fresh, stale };
}

/** Throws a StaleError for the tables that were too old, if any, after those that are fresh were written. */
export function refuseStaleTables({ stale }: ExportLog, written: number): void {
  if (stale.length === 0) return;
  const writtenNote = written > 0 ? ', the others were written or had not changed' : '';
  const byReason = Map.groupBy(stale, ({ reason }) => reason);
  const staleList = [...byReason]
    .map(([reason, tables]) => `${tables.map(({ name }) => name).join(', ')} ${reason}`)
    .join('; ');
  throw new StaleError(say`${staleList}: not exported; ${`what was exported before stays${writtenNote}`}`);
}
