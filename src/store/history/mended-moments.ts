import { bumpVersion } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { quotedName } from '../schema.ts';
import { forgetFailures } from '../syncs/failures.ts';
import { forgetAnswers } from '../syncs/validators.ts';

/** A column with times at which this mirror saw or did something. */
type MomentColumn = { table: string; column: string };

const columnsSql = `SELECT master.name AS "table", info.name AS "column"
  FROM sqlite_schema AS master, pragma_table_info(master.name) AS info
  WHERE master.type = 'table' AND master.sql NOT LIKE 'CREATE VIRTUAL%' AND master.name <> 'mended_moment'
    AND info.type = 'TEXT' AND NOT (master.name = 'record' AND info.name = 'updated_at')
    AND info.name <> 'next_at' AND (info.name IN ('at', 'since', 'withdrawn', 'last_changed', 'detail_since', 'seen_from', 'seen_to')
      OR info.name LIKE '%\\_at' ESCAPE '\\' OR info.name LIKE '%\\_seen' ESCAPE '\\')`;

/** Matches times in the form that we write, which orders as text. */
const isMoment = (column: string) => `${column} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*Z'`;

const written = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * Moves every future time in the mirror, saved under a wrong clock, to just before now; their order is kept, and the table
 * `mended_moment` has the former values. Returns their number. Call it in a transaction.
 */
export function mendMoments(mirror: Mirror, nowMs: number): number {
  const now = new Date(nowMs).toISOString();
  const columns = mirror.sql<MomentColumn>(columnsSql).all();
  const texts = [...columns.flatMap((each) => futureOf(mirror, each, now)), ...futureFacts(mirror, now)];
  const future = [...new Set(texts)].sort();
  if (future.length === 0) return 0;
  const last =
    columns
      .map((each) => lastOf(mirror, each, now))
      .sort()
      .at(-1) ?? '';
  const beginMs = Math.max(nowMs - future.length - 1, Date.parse(last) || 0);
  const mended = new Map(future.map((was, at) => [was, new Date(beginMs + at + 1).toISOString()]));
  keepMended(mirror, mended, now);
  for (const { table, column } of columns) {
    const [tableName, name] = [quotedName(table), quotedName(column)];
    mirror
      .sql(
        `UPDATE ${tableName} SET ${name} = (SELECT became FROM mended_moment WHERE was = ${name} AND mended_at = ?)
         WHERE ${name} > ? AND ${isMoment(name)}`,
      )
      .run(now, now);
  }
  updateTexts(mirror, mended);
  // The times of responses and failures are unknown: request everything anew.
  forgetAnswers(mirror);
  forgetFailures(mirror);
  bumpVersion(mirror);
  return future.length;
}

function futureOf(mirror: Mirror, { table, column }: MomentColumn, now: string): string[] {
  const name = quotedName(column);
  return mirror
    .column<string>(
      `SELECT DISTINCT ${name} FROM ${quotedName(table)} WHERE ${name} > ? AND ${isMoment(name)}`,
    )
    .all(now);
}

function lastOf(mirror: Mirror, { table, column }: MomentColumn, now: string): string {
  const name = quotedName(column);
  const last = mirror.column<string | null>(
    `SELECT max(${name}) FROM ${quotedName(table)} WHERE ${name} <= ? AND ${isMoment(name)}`,
  );
  return last.get(now) ?? '';
}

/** JSON and text columns that contain times: mirror facts, stage states, run reports. */
const ownTexts: MomentColumn[] = [
  { table: 'meta', column: 'value' },
  { table: 'progress', column: 'state' },
  { table: 'run', column: 'report' },
];

function futureFacts(mirror: Mirror, now: string): string[] {
  return ownTexts
    .flatMap(({ table, column }) => mirror.column<string | null>(`SELECT ${column} FROM ${table}`).all())
    .flatMap((text) => text?.match(written) ?? [])
    .filter((moment) => moment > now);
}

function updateTexts(mirror: Mirror, mended: ReadonlyMap<string, string>): void {
  for (const { table, column } of ownTexts) {
    const rows = mirror.sql<{ rowid: number; text: string | null }>(
      `SELECT rowid AS rowid, ${column} AS text FROM ${table}`,
    );
    const update = mirror.sql(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`);
    for (const { rowid, text } of rows.all()) {
      const stated = text?.replace(written, (moment) => mended.get(moment) ?? moment);
      if (stated !== undefined && stated !== text) update.run(stated, rowid);
    }
  }
}

function keepMended(mirror: Mirror, mended: ReadonlyMap<string, string>, now: string): void {
  mirror.database.exec(`CREATE TABLE IF NOT EXISTS mended_moment (
    was TEXT NOT NULL, became TEXT NOT NULL, mended_at TEXT NOT NULL, PRIMARY KEY (was, mended_at)
  ) STRICT, WITHOUT ROWID`);
  const keep = mirror.sql('INSERT INTO mended_moment (was, became, mended_at) VALUES (?, ?, ?)');
  for (const [was, became] of mended) keep.run(was, became, now);
}
