import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { areDifferentPersons, personMark } from '../../names/person.ts';
import type { Mirror } from '../mirror.ts';
import { saveObservation } from './missing-records.ts';
import { withdraw } from './withdrawals.ts';

/** A received document; a profile (`isProfile`) cannot replace the person whom the stored list row describes. */
type Sighting = { document: Document; at: string; requiresSecondDay?: boolean | undefined; isProfile?: boolean };

/** Decides whether a document describes another person (`new`); if so, withdraws the stored record as `SLUG~n`. */
export function replaceHolder(
  mirror: Mirror,
  { name }: Kind,
  stored: RecordTexts & { id: number; hash: string | null },
  { document, at, requiresSecondDay, isProfile = false }: Sighting,
): 'same' | 'unconfirmed' | 'new' {
  if (name !== 'politician') return 'same';
  const isListed = isProfile && stored.hash !== null;
  if (!areDifferentPersons(documentOf(stored), document)) {
    if (!isListed) mirror.sql("DELETE FROM evidence WHERE record = ? AND route = 'identity'").run(stored.id);
    return 'same';
  }
  const { days } = saveObservation(mirror, stored.id, { route: 'identity', finding: personMark(document), at });
  const isRefuted = isListed && areDifferentPersons(JSON.parse(stored.row!), document);
  // Undefined, as for an import or a cached response, requires the second day; only an explicit false waives it.
  if (isRefuted || (days < 2 && requiresSecondDay !== false)) return 'unconfirmed';
  // Withdraws the record of the slug as `SLUG~1`; an earlier withdrawal keeps its day.
  const { id } = stored;
  const sql = `SELECT withdrawn, key || '~' || (1 + (SELECT coalesce(max(CAST(substr(former.key, length(record.key) + 2)
    AS INTEGER)), 0) FROM record AS former WHERE former.kind = 'politician' AND former.key > record.key || '~'
    AND former.key < record.key || '~~')) AS newKey FROM record WHERE id = ?`;
  const { withdrawn, newKey } = mirror.sql<{ withdrawn: string | null; newKey: string }>(sql).get(id)!;
  const keySql = `UPDATE record SET key = $newKey, row = json_set(row, '$._key', $newKey),
    detail = json_set(detail, '$._key', $newKey) WHERE id = $id`;
  mirror.sql(keySql).run({ id, newKey });
  withdraw(mirror, id, withdrawn ?? at);
  return 'new';
}

/** Slugs that another person may have now, which no second day has confirmed yet. */
export function unconfirmedHolders(mirror: Mirror): string[] {
  const sql = "SELECT key FROM evidence JOIN record ON id = record WHERE route = 'identity' ORDER BY key";
  return mirror.column<string>(sql).all();
}
