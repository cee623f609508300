import { createHmac, randomBytes } from 'node:crypto';
import { WithheldError } from '../errors.ts';
import { type Document, isDocument, type Json, slugOf } from '../model/document.ts';
import { keyOf } from '../model/facets.ts';
import { hasColumn, type Kind, type KindName, kindOf, kinds } from '../model/kinds.ts';
import { readMeta, saveMeta } from './meta.ts';
import type { Mirror } from './mirror.ts';

/**
 * What is left of a record that is withheld: no content, and of its key, which may be a name, only a keyed hash. The key of
 * the hash travels with it, since it must be recognised in every later answer. A politician's is that of all records about
 * them, also those to come.
 */
export type Tombstone = {
  kind: KindName;
  salt: string;
  /** HMAC-SHA256 of the record's key, hexadecimal. */
  hash: string;
  /** Day on which it was withheld, `YYYY-MM-DD`. */
  day: string;
  reason: string;
  /** Number of records that were withheld by it. */
  records: number;
  /** The mirror that withheld it, if it is another one. */
  of: string | null;
};

/** True for a kind whose records are about persons: only they can be withheld. */
export function isOfPerson(kind: Kind): boolean {
  return kind.name === 'politician' || hasColumn(kind, 'politician');
}

const personalKinds = kinds.filter(isOfPerson);

/** Every tombstone of a mirror, the oldest first. */
export function tombstones(mirror: Mirror): Tombstone[] {
  return mirror.sql<Tombstone>('SELECT * FROM tombstone ORDER BY day, kind, hash').all();
}

/** Makes the tombstone of a record, without saving it. */
export function tombstoneOf(
  mirror: Mirror,
  { kind, key, reason }: { kind: KindName; key: string; reason: string },
): Tombstone {
  const salt = readMeta(mirror, 'tombstone_salt') ?? randomBytes(16).toString('hex');
  saveMeta(mirror, 'tombstone_salt', salt);
  const day = new Date().toISOString().slice(0, 10);
  return { kind, salt, hash: keyedHash(salt, key), day, reason, records: 0, of: null };
}

/** Saves a tombstone; false if it is held already. */
export function saveTombstone(mirror: Mirror, tombstone: Tombstone): boolean {
  known.delete(mirror);
  const { changes } = mirror
    .sql(
      `INSERT INTO tombstone (kind, salt, hash, day, reason, records, "of")
       VALUES ($kind, $salt, $hash, $day, $reason, 0, $of) ON CONFLICT DO NOTHING`,
    )
    .run(tombstone);
  return changes > 0;
}

/** Deletes a tombstone. */
export function forgetTombstone(mirror: Mirror, { kind, salt, hash }: Tombstone): void {
  known.delete(mirror);
  mirror.sql('DELETE FROM tombstone WHERE kind = ? AND salt = ? AND hash = ?').run(kind, salt, hash);
}

function keyedHash(salt: string, key: string): string {
  return createHmac('sha256', salt).update(key).digest('hex');
}

/** What a mirror withholds. */
export type Withholding = {
  /** The tombstone of a record, its own or that of its politician; null for none. */
  of(kind: KindName, key: string): Tombstone | null;
  /** A document without what is withheld inside it, itself if nothing is; null if all of it is. */
  admit(kind: Kind, document: Document): Document | null;
};

const known = new WeakMap<Mirror, Withholding | null>();

/** What a mirror withholds; null for nothing. Writers read it once, since withholding takes the lock. */
export function withholding(mirror: Mirror): Withholding | null {
  if (!mirror.readonly && known.has(mirror)) return known.get(mirror)!;
  const found = mirror.readonly
    ? mirror.readOnce('withholding', () => readWithholding(mirror))
    : readWithholding(mirror);
  if (!mirror.readonly) known.set(mirror, found);
  return found;
}

function readWithholding(mirror: Mirror): Withholding | null {
  const all = tombstones(mirror);
  if (all.length === 0) return null;
  const salts = [...new Set(all.map(({ salt }) => salt))];
  const byHash = new Map(all.map((each) => [`${each.kind} ${each.hash}`, each]));
  const of = (kind: KindName, key: string) => {
    for (const salt of salts) {
      const found = byHash.get(`${kind} ${keyedHash(salt, key)}`);
      if (found) return found;
    }
    return null;
  };
  const ofPerson = (slug: string | null) => (slug === null ? null : of('politician', slug));
  const isKept = (item: Json): boolean => {
    if (!isDocument(item)) return true;
    const { slug, id, politician } = item;
    if (ofPerson(typeof slug === 'string' ? slug : null) || ofPerson(slugOf(politician ?? null)))
      return false;
    return typeof id !== 'string' || !personalKinds.some(({ name }) => of(name, id));
  };
  return {
    of,
    admit(kind, document) {
      if (of(kind.name, keyOf(kind, document))) return null;
      if (isOfPerson(kind) && ofPerson(slugOf(document.politician ?? null))) return null;
      const changed = Object.entries(document).flatMap(([field, value]) => {
        const kept = Array.isArray(value) ? value.filter(isKept) : value;
        return Array.isArray(value) && (kept as Json[]).length < value.length ? [[field, kept] as const] : [];
      });
      return changed.length === 0 ? document : { ...document, ...Object.fromEntries(changed) };
    },
  };
}

/** Throws a WithheldError for a record that is withheld. */
export function refuseWithheld(mirror: Mirror, kind: KindName, key: string): void {
  const found = withholding(mirror)?.of(kind, key);
  if (found) throw new WithheldError(kind, found);
}

/** True if the bytes of a dataset may hold what is withheld, so that none of them are kept. */
export function holdsBack(mirror: Mirror, kind: Kind): boolean {
  return countWithheld(mirror, [kind.name]) > 0;
}

/** Number of records that the mirror withholds from lists of these kinds; a politician's may be of any kind about persons. */
export function countWithheld(mirror: Mirror, asked: readonly KindName[]): number {
  if (withholding(mirror) === null) return 0;
  const isAsked = (kind: KindName) =>
    asked.includes(kind) || (kind === 'politician' && asked.some((name) => isOfPerson(kindOf(name))));
  return tombstones(mirror).reduce(
    (sum, { kind, records }) => sum + (isAsked(kind) ? Math.max(1, records) : 0),
    0,
  );
}
