import { isDocument } from '../../model/document.ts';
import { keyInDocument, keyOf } from '../../model/facets.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { isNamedKind } from '../../names/name-index.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import type { RouteFinding } from './evidence.ts';

/** A missing record to verify by a profile: its own, or that of its politician. `owner` is the slug of the profile. */
export type UnverifiedRecord = { id: number; kind: KindName; key: string; owner: string };

/** SQL condition: the politician of a record is stored and not withdrawn. */
export const hasOwnerSql = `EXISTS (SELECT 1 FROM record AS owner WHERE owner.kind = 'politician'
  AND owner.key = record.politician AND owner.withdrawn IS NULL)`;

/** Missing records whose last verification, if any, was before that time (ISO 8601), the earliest first. */
export function listUnverified(mirror: Mirror, verifiedBefore: string): UnverifiedRecord[] {
  const sql = `SELECT id, key, iif(${hasOwnerSql}, politician, NULL) AS politician FROM main.unseen
    JOIN record ON id = unseen.record LEFT JOIN evidence ON evidence.record = id AND route IN ('address', 'profile')
    WHERE withdrawn IS NULL AND (at IS NULL OR at < ?) ORDER BY at, unseen.since, id`;
  const rows = mirror.sql<{ id: number; key: string; politician: string | null }>(sql).all(verifiedBefore);
  return rows.flatMap(({ id, key, politician }) => {
    const kind = kindOfRecord(id);
    const owner = isNamedKind(kind) ? key : kind.dataset ? politician : null;
    return owner === null ? [] : [{ id, kind: kind.name, key, owner }];
  });
}

/** Whether the stored profile of a politician lists a record; `undecided` if it may not list all of that kind. */
export function profileFinding(mirror: Mirror, { id, kind: name, key, owner }: UnverifiedRecord): RouteFinding {
  const { plural } = kindOf(name);
  const listSql = "SELECT detail ->> ? FROM record WHERE kind = 'politician' AND key = ?";
  const list = mirror.column<string | null>(listSql).get(`$.${plural}`, owner);
  const items: unknown = list?.startsWith('[') ? JSON.parse(list) : null;
  if (!Array.isArray(items)) return 'undecided';
  const hasHashKey = key.startsWith('sha256:');
  const keyOfItem = hasHashKey ? keyOf : keyInDocument;
  const listedKeys = new Set(
    items.map((item) => (isDocument(item) ? keyOfItem(kindOf(name), item) : typeof item === 'string' ? item : null)),
  );
  // The key of a record without an id is the hash of its first content: compare that of its present content.
  const keySql = "SELECT iif(key GLOB 'sha256:*', 'sha256:' || hash, key) FROM record";
  if (listedKeys.has(mirror.column<string>(`${keySql} WHERE id = ?`).get(id) ?? null)) return 'present';
  const sql = `${keySql} WHERE kind = ? AND politician = ? AND withdrawn IS NULL
    AND id NOT IN (SELECT record FROM main.unseen)`;
  const storedKeys = mirror.column<string>(sql).all(name, owner);
  // Profiles may have other fields than lists, and so other hashes: such keys decide nothing.
  const areStored = !hasHashKey || [...listedKeys].every((each) => storedKeys.includes(each!));
  // A profile that lacks another listed record may not list all of them.
  if (!areStored || listedKeys.has(null) || storedKeys.some((each) => !listedKeys.has(each))) return 'undecided';
  // An empty list is evidence if any other profile lists records of that kind.
  const listingSql = `SELECT 1 FROM record WHERE kind = 'politician' AND detail IS NOT NULL
    AND json_array_length(detail, ?) > 0 LIMIT 1`;
  return listedKeys.size > 0 || mirror.column(listingSql).get(`$.${plural}`) !== undefined ? 'absent' : 'undecided';
}

/** Key of a current record of a kind that is not missing, if possible one with a full document; null if none. */
export function findListedKey(mirror: Mirror, kind: 'politician' | 'party'): string | null {
  const sql = `SELECT key FROM record WHERE kind = ? AND withdrawn IS NULL AND hash IS NOT NULL
    AND id NOT IN (SELECT record FROM main.unseen) ORDER BY detail IS NULL, last_seen DESC, id LIMIT 1`;
  return mirror.column<string>(sql).get(kind) ?? null;
}
