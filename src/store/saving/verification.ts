import { isDocument, textOf } from '../../model/document.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { isNamedKind } from '../../names/name-index.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';

/** Response of the address of a missing record: the record exists, or it is undecided. */
export type VerificationAnswer = 'there' | 'untold';

/** A missing record that can be verified at its own address, or in the profile of its politician. */
export type UnverifiedRecord = { id: number; kind: KindName; key: string; owner: string };

/** SQL condition: the politician of a record is current. */
export const hasOwnerSql = `EXISTS (SELECT 1 FROM record AS owner WHERE owner.kind = 'politician'
  AND owner.key = record.politician AND owner.withdrawn IS NULL)`;

/** Unverified records without a response since that time, oldest first. */
export function unverifiedRows(mirror: Mirror, requestedBefore: string): UnverifiedRecord[] {
  const sql = `SELECT id, key, iif(${hasOwnerSql}, politician, NULL) AS politician FROM unseen
    JOIN record ON id = unseen.record LEFT JOIN doubt ON doubt.record = id
    WHERE withdrawn IS NULL AND (asked_at IS NULL OR (asked_at < ? AND answer = 'there')) ORDER BY since, id`;
  return mirror
    .sql<{ id: number; key: string; politician: string | null }>(sql)
    .all(requestedBefore)
    .flatMap(({ id, key, politician }) => {
      const kind = kindOfRecord(id);
      const owner = isNamedKind(kind) ? key : kind.dataset ? politician : null;
      return owner === null ? [] : [{ id, kind: kind.name, key, owner }];
    });
}

/** Saves the response about an unverified record. */
export function saveVerification(
  mirror: Mirror,
  id: number,
  { answer, at }: { answer: VerificationAnswer; at: string },
) {
  mirror.sql('INSERT OR REPLACE INTO doubt (record, asked_at, answer) VALUES (?, ?, ?)').run(id, at, answer);
}

/** Whether the stored profile of a politician lists a record; `untold` if profiles list none or not all of its kind. */
export function profileAnswer(
  mirror: Mirror,
  { kind: name, key, owner }: UnverifiedRecord,
): VerificationAnswer | 'gone' {
  const { plural, keyField } = kindOf(name);
  const list = mirror
    .column<string | null>("SELECT detail ->> ? FROM record WHERE kind = 'politician' AND key = ?")
    .get(`$.${plural}`, owner);
  const items: unknown = list?.startsWith('[') ? JSON.parse(list) : null;
  if (!Array.isArray(items)) return 'untold';
  const listedKeys = new Set(
    items.map((item) => (isDocument(item) ? textOf(item, keyField) : typeof item === 'string' ? item : null)),
  );
  if (listedKeys.has(key)) return 'there';
  const sql = `SELECT key FROM record WHERE kind = ? AND politician = ? AND withdrawn IS NULL
    AND id NOT IN (SELECT record FROM unseen)`;
  const listed = mirror.column<string>(sql).all(name, owner);
  if (listedKeys.has(null) || listed.some((each) => !listedKeys.has(each))) return 'untold';
  return listedKeys.size > 0 || doProfilesList(mirror, plural) ? 'gone' : 'untold';
}

/** True if any profile lists records of that kind: an empty list in another is then evidence. */
function doProfilesList(mirror: Mirror, plural: string): boolean {
  const sql = `SELECT 1 FROM record WHERE kind = 'politician' AND detail IS NOT NULL
    AND json_array_length(detail, ?) > 0 LIMIT 1`;
  return mirror.column<number>(sql).get(`$.${plural}`) !== undefined;
}

/** Key of a listed record of a kind, one with a profile if there is any, or null. */
export function listedKey(mirror: Mirror, kind: 'politician' | 'party'): string | null {
  const sql = `SELECT key FROM record WHERE kind = ? AND withdrawn IS NULL AND hash IS NOT NULL
    AND id NOT IN (SELECT record FROM unseen) ORDER BY detail IS NULL, last_seen DESC, id LIMIT 1`;
  return mirror.column<string>(sql).get(kind) ?? null;
}
