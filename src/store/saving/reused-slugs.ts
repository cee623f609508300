import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { areDifferentPersons, personMark } from '../../names/person.ts';
import type { Mirror } from '../mirror.ts';
import { saveObservation } from './missing-records.ts';
import { withdraw } from './withdrawals.ts';

/** A received document; the stored list row overrules a profile (`isProfile`) about another person. */
type Sighting = { document: Document; at: string; requiresSecondDay: boolean; isProfile?: boolean };

/** Decides if a document is of another person (`new`: the stored record was withdrawn as `SLUG~n`), or may be. */
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
  if (isRefuted || (days < 2 && requiresSecondDay)) return 'unconfirmed';
  // Renames the record to the next free `SLUG~n`, then withdraws it; an earlier withdrawal keeps its day.
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

/** Slugs that seem to belong to another person now, until a second day confirms it. */
export function unconfirmedHolders(mirror: Mirror): string[] {
  const sql = "SELECT key FROM evidence JOIN record ON id = record WHERE route = 'identity' ORDER BY key";
  return mirror.column<string>(sql).all();
}
