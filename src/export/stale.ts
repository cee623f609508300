import { StaleError } from '../errors.ts';
import { ageMs } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import { kindOfTable, tableNamed } from './tables.ts';

/** How old a table may be: in milliseconds, and as it was asked for. */
export type MaxAge = { ms: number; text: string };

/** A table too old to export, with the reason as the predicate of a sentence. */
export type StaleTable = { name: string; reason: string };

/** What the age check needs of a table. */
export type Judged = {
  name: string;
  /** When all of it was last brought up to date, ISO 8601; null where it never was. */
  freshAt: string | null;
  count?: () => number | null;
};

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

/** The error that refuses tables for their age; `others` tells what became of the rest. */
export function staleTablesError(stale: StaleTable[], others: string): StaleError {
  const byReason = Map.groupBy(stale, ({ reason }) => reason);
  const told = [...byReason]
    .map(([reason, tables]) => `${tables.map(({ name }) => name).join(', ')} ${reason}`)
    .join('; ');
  return new StaleError(say`${told}: not exported; ${others}`);
}
