import { type Column, type Kind, kinds } from '../model/kinds.ts';
import { columnsSeen } from './kind-state.ts';
import type { Mirror } from './open.ts';
import { quotedName } from './quoted-name.ts';

/** Replaces the documented views, one per kind; columns that the service added since come with them. */
export function createViews(mirror: Mirror): void {
  for (const kind of kinds) createView(mirror, kind);
}

/** Replaces the view of one kind, whose columns have changed. */
export function createView(mirror: Mirror, kind: Kind): void {
  mirror.database.exec(`DROP VIEW IF EXISTS ${quotedName(kind.plural)}`);
  mirror.database.exec(viewSql(kind, columnsSeen(mirror, kind)));
}

/** SQLite reads no view of more than 2000 columns; what is beyond stands in `_json`. */
const mostAdded = 1900;

/** The view of a kind: its columns as plain values, JSON for nested ones, and what this mirror saw of it. */
export function viewSql(kind: Kind, seen: string[]): string {
  const known = kind.columns.map((column) => column.name);
  const added = seen.filter((name) => !known.includes(name) && !marks.includes(name)).slice(0, mostAdded);
  const selected = [
    ...kind.columns.map((column) => `${valueSql(column)} AS ${quotedName(column.name)}`),
    ...added.map(
      (name) => `json_extract(row, ${literal(`$.${JSON.stringify(name)}`)}) AS ${quotedName(name)}`,
    ),
    'first_seen AS _first_seen',
    'max(last_seen, coalesce((SELECT enumerated_at FROM kind_state WHERE kind_state.kind = record.kind), last_seen)) AS _last_seen',
    'last_changed AS _last_changed',
    'coalesce(row, detail) AS _json',
  ];
  return `CREATE VIEW ${quotedName(kind.plural)} AS SELECT ${selected.join(', ')} FROM record
    WHERE kind = ${literal(kind.name)} AND withdrawn IS NULL`;
}

const marks = ['_first_seen', '_last_seen', '_last_changed', '_json'];

/** References may be objects in the service's answers; the view shows the slug that was read from them. */
function valueSql(column: Column): string {
  if (column.name === 'politician' || column.name === 'party') return column.name;
  return `json_extract(coalesce(row, detail), ${literal(`$.${column.name}`)})`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
