import { StaleError } from '../errors.ts';
import { ageMs } from '../model/moment.ts';
import { clauses, instant, say } from '../words/speech.ts';
import type { ExportTable } from './table.ts';
import { kindOfTable, parseTableName } from './tables.ts';

/** The greatest allowed age of a table, and its text on the command line. */
type MaxAge = { ms: number; text: string };

/** The properties of a table that the age check reads. */
type DatedTable = Pick<ExportTable, 'name' | 'freshAt'> & Partial<Pick<ExportTable, 'count'>>;

/** Writes recent tables; returns a StaleError about the others, if any, else null. Throws it if nothing was written. */
export async function writeRecentTables<Table extends DatedTable>(
  tables: Table[],
  { maxAge, nowMs }: { maxAge: MaxAge | null; nowMs: number },
  write: (fresh: Table[], staleNames: string[]) => Promise<unknown>, // false if it wrote nothing
): Promise<StaleError | null> {
  const staleTables = maxAge === null ? [] : tables.filter((table) => isStale(table, maxAge, nowMs));
  const freshTables = tables.filter((table) => !staleTables.includes(table));
  const staleNames = staleTables.map(({ name }) => name);
  const isWritten = freshTables.length > 0 && (await write(freshTables, staleNames)) !== false;
  if (maxAge === null || staleTables.length === 0) return null;
  const reasons = [...Map.groupBy(staleTables, ({ freshAt }) => freshAt)].map(([freshAt, sameAgeTables]) => {
    const names = sameAgeTables.map(({ name }) => name).join(', ');
    if (freshAt === null) return say`${names} never came whole`;
    if (ageMs(freshAt, nowMs) === null)
      return say`${names} last came at ${instant(freshAt)}, which is still to come: a clock was wrong`;
    return say`${names} last came at ${instant(freshAt)}, longer ago than ${maxAge.text}`;
  });
  const remainder = isWritten
    ? say`what was exported before stays, the others were written or had not changed`
    : say`what was exported before stays`;
  const error = new StaleError(say`${clauses(reasons)}: not exported; ${remainder}`);
  if (!isWritten) throw error;
  return error;
}

/** True for a table that is too old or never complete, except for an empty kind that only files fill. */
function isStale({ name, freshAt, count }: DatedTable, { ms }: MaxAge, nowMs: number): boolean {
  if (freshAt !== null) return (ageMs(freshAt, nowMs) ?? Number.POSITIVE_INFINITY) > ms; // null: in the future
  const isEmptyFileKind = kindOfTable(parseTableName(name)).isFileOnly === true && count?.() === 0;
  return !isEmptyFileKind;
}
