import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { areDifferentPersons, personIdentity } from '../../names/person.ts';
import type { Mirror } from '../mirror.ts';
import { saveObservation } from './missing-records.ts';
import { withdraw } from './withdrawals.ts';

/** Changes that a second day must confirm; `all`: reversions to former states, and slug reuse. */
export type ChangesToConfirm = 'all' | 'slug reuse' | 'none';

/** A received document; the stored list row overrules a profile (`isProfile`) about another person. */
type ReceivedDocument = {
  document: Document;
  at: string;
  changesToConfirm?: ChangesToConfirm | undefined;
  isProfile?: boolean;
};

/** Decides if a document is of the `same` person, `new` (renames and withdraws the stored one) or `unconfirmed`. */
export function resolveSlugReuse(
  mirror: Mirror,
  { name }: Kind,
  stored: RecordTexts & { id: number; hash: string | null },
  { document, at, changesToConfirm = 'slug reuse', isProfile = false }: ReceivedDocument,
): 'same' | 'unconfirmed' | 'new' {
  if (name !== 'politician') return 'same';
  const isProfileOfListed = isProfile && stored.hash !== null;
  if (!areDifferentPersons(documentOf(stored), document)) {
    if (!isProfileOfListed) mirror.sql("DELETE FROM evidence WHERE record = ? AND route = 'identity'").run(stored.id);
    return 'same';
  }
  const { days } = saveObservation(mirror, stored.id, { route: 'identity', finding: personIdentity(document), at });
  const contradictsListRow = isProfileOfListed && areDifferentPersons(JSON.parse(stored.row!), document);
  if (contradictsListRow || (days < 2 && changesToConfirm !== 'none')) return 'unconfirmed';
  // Rename the record to the next free `SLUG~n`, then withdraw it; an earlier withdrawal keeps its day.
  const { id } = stored;
  const nextFormerKeySql = `SELECT withdrawn, key || '~' || (1 + (SELECT coalesce(max(CAST(substr(former.key, length(record.key) + 2)
    AS INTEGER)), 0) FROM record AS former WHERE former.kind = 'politician' AND former.key > record.key || '~'
    AND former.key < record.key || '~~')) AS newKey FROM record WHERE id = ?`;
  const { withdrawn, newKey } = mirror.sql<{ withdrawn: string | null; newKey: string }>(nextFormerKeySql).get(id)!;
  const keySql = `UPDATE record SET key = $newKey, row = json_set(row, '$._key', $newKey),
    detail = json_set(detail, '$._key', $newKey) WHERE id = $id`;
  mirror.sql(keySql).run({ id, newKey });
  withdraw(mirror, id, withdrawn ?? at);
  return 'new';
}

/** Slugs that seem to belong to another person now, until a second day confirms it. */
export function unconfirmedSlugReuses(mirror: Mirror): string[] {
  const sql = "SELECT key FROM evidence JOIN record ON id = record WHERE route = 'identity' ORDER BY key";
  return mirror.column<string>(sql).all();
}
