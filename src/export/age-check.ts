import { StaleError } from '../errors.ts';
import { ageMs } from '../model/moment.ts';
import { clauses, say } from '../words/speech.ts';
import type { ExportTable } from './table.ts';
import { kindOfTable, parseTableName } from './tables.ts';

/** The greatest age of a table, and its text on the command line. */
type MaxAge = { ms: number; text: string };

/** The properties of a table that the age check reads. */
type DatedTable = Pick<ExportTable, 'name' | 'freshAt'> & Partial<Pick<ExportTable, 'count'>>;

/** Calls `write` with the recent tables; returns a StaleError about the others, or throws it if none was written. */
export async function writeFresh<Table extends DatedTable>(
  tables: Table[],
  { maxAge, nowMs }: { maxAge: MaxAge | null; nowMs: number },
  write: (fresh: Table[], staleNames: string[]) => Promise<unknown>,
): Promise<StaleError | null> {
  const byReason = Map.groupBy(tables, (table) => maxAge && whyStale(table, maxAge, nowMs));
  const freshTables = byReason.get(null) ?? [];
  byReason.delete(null);
  const staleNames = tables.filter((table) => !freshTables.includes(table)).map(({ name }) => name);
  const isWritten = freshTables.length > 0 && (await write(freshTables, staleNames)) !== false;
  if (staleNames.length === 0) return null;
  const writtenNote = isWritten ? ', the others were written or had not changed' : '';
  const staleList = clauses(
    [...byReason].map(([reason, tables]) => `${tables.map(({ name }) => name).join(', ')} ${reason}`),
  );
  const error = new StaleError(say`${staleList}: not exported; ${`what was exported before stays${writtenNote}`}`);
  if (!isWritten) throw error;
  return error;
}

/** Why a table is too old, or null. A kind imported only from files is fresh while it is empty. */
function whyStale({ name, freshAt, count }: DatedTable, { ms, text }: MaxAge, nowMs: number): string | null {
  const isEmptyImport = kindOfTable(parseTableName(name)).isFileOnly === true && count?.() === 0;
  if (freshAt === null) return isEmptyImport ? null : 'never came whole';
  const age = ageMs(freshAt, nowMs);
  if (age === null) return `last came at ${freshAt}, which is still to come: a clock was wrong`;
  return age <= ms ? null : `last came at ${freshAt}, longer ago than ${text}`;
}
