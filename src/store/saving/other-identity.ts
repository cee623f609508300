import { nameTokens } from '../../language/name.ts';
import { type Document, textOf } from '../../model/document.ts';
import { endedKey } from '../../model/facets.ts';
import type { Kind } from '../../model/kinds.ts';
import { givenKey } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';
import { saveObservation } from './missing-records.ts';
import { withdraw } from './withdrawals.ts';

/** True if a slug now names another person or body: another name, and another birth date or another id inside. */
export function isOtherIdentity(kind: Kind, stored: string | null, after: Document): boolean {
  if (kind.keyField !== 'slug' || stored === null) return false;
  const former = identityOf(kind, JSON.parse(stored));
  const latter = identityOf(kind, after);
  const differsIn = (part: keyof typeof former) =>
    former[part] !== null && latter[part] !== null && former[part] !== latter[part];
  return differsIn('name') && (differsIn('birthDate') || differsIn('id'));
}

function identityOf(kind: Kind, document: Document) {
  const name = textOf(document, ...kind.search.name);
  return {
    name: name && nameTokens(name).sort().join(' '),
    birthDate: textOf(document, 'birth_date'),
    id: textOf(document, 'id', 'uid'),
  };
}

type StoredRecord = { id: number; key: string } & Record<'row' | 'withdrawn', string | null>;

/** Ends a record whose slug now names another (`SLUG~N` then); `same` until a second day shows it, null if not. */
export function endOther(
  mirror: Mirror,
  kind: Kind,
  { id, key, row, withdrawn }: StoredRecord,
  { document, at, confirmsFormer = false }: { document: Document; at: string; confirmsFormer?: boolean },
): 'ended' | 'same' | null {
  if (!isOtherIdentity(kind, row, document)) return null;
  const observation = { route: 'row', finding: 'other identity', at };
  if (confirmsFormer && saveObservation(mirror, id, observation).days === 1) return 'same';
  const lastSql = `SELECT max(CAST(substr(key, length($key) + 2) AS INTEGER)) FROM record
    WHERE kind = $kind AND key > $key || '~' AND key < $key || '~:'`;
  const last = mirror.column<number | null>(lastSql).get({ kind: kind.name, key }) ?? 0;
  const sql = `UPDATE record SET key = $ended, row = json_set(row, $field, $ended), detail = json_set(detail, $field, $ended)
    WHERE id = $id`;
  mirror.sql(sql).run({ id, ended: `${key}~${last + 1}`, field: `$.${givenKey}` });
  if (withdrawn === null) withdraw(mirror, id, at);
  return 'ended';
}

/** Ends the own copy of a record that ended in a followed mirror, so that its former key is free for the next one. */
export function endCopy(mirror: Mirror, kind: Kind, { key, first_seen }: { key: string; first_seen: string }): void {
  const former = endedKey(kind, key);
  const sql = `UPDATE record SET key = $key WHERE kind = $kind AND key = $former AND first_seen = $first_seen
    AND NOT EXISTS (SELECT 1 FROM record WHERE kind = $kind AND key = $key)`;
  if (former !== null) mirror.sql(sql).run({ kind: kind.name, key, former, first_seen });
}
