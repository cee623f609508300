import type { Document } from '../model/document.ts';
import type { Kind } from '../model/kinds.ts';
import { columnsSeen } from './kind-state.ts';
import type { Mirror } from './open.ts';
import { countOf } from './page.ts';

/** Every record of a kind that is not withdrawn, by key: the order of every export. */
export function* rows(mirror: Mirror, kind: Kind): Generator<Document> {
  for (const text of rowTexts(mirror, kind)) yield JSON.parse(text);
}

/** The same records as JSON text, as the service wrote them. */
export function* rowTexts(mirror: Mirror, kind: Kind): Generator<string> {
  // A statement of its own: a cached one cannot be iterated twice at once.
  const statement = mirror.database
    .prepare('SELECT coalesce(row, detail) FROM record WHERE kind = ? AND withdrawn IS NULL ORDER BY key')
    .pluck();
  yield* statement.iterate(kind.name) as IterableIterator<string>;
}

/** How many records of a kind the mirror holds, without the withdrawn ones. */
export function countRows(mirror: Mirror, kind: Kind): number {
  return countOf(mirror, {
    sql: 'SELECT count(*) FROM record WHERE kind = ? AND withdrawn IS NULL',
    parameters: [kind.name],
  });
}

/** The columns of a kind's export: the service's own, in its order; those of the table while it is empty. */
export function exportColumns(mirror: Mirror, kind: Kind): string[] {
  const seen = columnsSeen(mirror, kind);
  return seen.length > 0 ? seen : kind.columns.map((column) => column.name);
}
