import { StaleError } from '../errors.ts';
import { ageMs } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import type { ExportedTable } from './folder.ts';
import type { ExportTable } from './table.ts';
import { kindOfTable, tableNamed } from './tables.ts';

/** The progress of an export, updated as it runs. */
export type ExportLog = {
  tables: { name: string; freshAt: string | null }[];
  stale: StaleTable[];
  exported: ExportedTable[];
};

/** The greatest age of a table, and its text on the command line. */
export type MaxAge = { ms: number; text: string };

/** A table too old to export, with the reason as the predicate of a sentence. */
export type StaleTable = { name: string; reason: string };

/** The properties of a table that the age check reads. */
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

/** Throws a StaleError for tables that were too old, if any; call it after the fresh ones are written. */
export function refuseStaleTables({ stale }: ExportLog, written: number): void {
  if (stale.length === 0) return;
  const writtenNote = written > 0 ? ', the others were written or had not changed' : '';
  const byReason = Map.groupBy(stale, ({ reason }) => reason);
  const staleList = [...byReason]
    .map(([reason, tables]) => `${tables.map(({ name }) => name).join(', ')} ${reason}`)
    .join('; ');
  throw new StaleError(say`${staleList}: not exported; ${`what was exported before stays${writtenNote}`}`);
}
