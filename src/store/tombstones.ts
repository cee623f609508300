import { randomBytes } from 'node:crypto';
import { WithheldError } from '../errors.ts';
import { keyedHash } from '../language/traces.ts';
import { type Document, isDocument, type Json, slugOf } from '../model/document.ts';
import { type Facets, facetsOf } from '../model/facets.ts';
import { hasColumn, type Kind, type KindName } from '../model/kinds.ts';
import { type Mirror, readMeta, saveMeta } from './mirror.ts';

/** Tombstone of a withheld record. That of a politician covers all records about them, later ones included. */
export type Tombstone = {
  kind: KindName;
  /** Key of the hash; copied to followers, which must recognise the record in every later response. */
  salt: string;
  /** HMAC-SHA256 of the record's key, which may be a name; hexadecimal. */
  hash: string;
  day: string;
  reason: string;
  /** Address of the followed mirror that withheld it; null for this one. */
  of: string | null;
  /** Hash of the tombstone that covers this one; null if the record was withheld by itself. */
  under: string | null;
};

/** True for a kind whose records are about persons. */
export const isPersonKind = (kind: Kind): boolean => kind.name === 'politician' || hasColumn(kind, 'politician');

/** True if records of a kind can be withheld: those about persons, and sources that only such records cite. */
export const isWithholdable = (kind: Kind): boolean => isPersonKind(kind) || kind.name === 'source';

/** True if the record is stored and about a person. */
export function isAboutPerson(mirror: Mirror, { kind, key }: { kind: KindName; key: string }): boolean {
  const sql = "SELECT 1 FROM record WHERE kind = ? AND key = ? AND (kind = 'politician' OR politician IS NOT NULL)";
  return mirror.sql(sql).get(kind, key) !== undefined;
}

/** All tombstones of a mirror, oldest first. */
export function tombstones(mirror: Mirror): Tombstone[] {
  return mirror.sql<Tombstone>('SELECT * FROM withheld_record ORDER BY day, kind, hash').all();
}

/** Numbers of withheld records: a row for each day, reason and withholding mirror, with numbers by kind. */
export function countTombstones(mirror: Mirror) {
  type CountRow = Pick<Tombstone, 'day' | 'reason' | 'of'> & { kinds: string };
  const sql = `SELECT day, reason, "of", json_group_object(kind, records) AS kinds
    FROM (SELECT day, reason, "of", kind, count(*) AS records FROM withheld_record GROUP BY day, reason, "of", kind)
    GROUP BY day, reason, "of" ORDER BY day, reason`;
  const rows = mirror.sql<CountRow>(sql).all();
  return rows.map((row) => ({ ...row, kinds: JSON.parse(row.kinds) as Partial<Record<KindName, number>> }));
}

/** Returns a new tombstone of a record, without saving it. */
export function createTombstone(
  mirror: Mirror,
  { kind, key, reason }: { kind: KindName; key: string; reason: string },
): Tombstone {
  const salt = tombstoneSalt(mirror);
  const day = new Date().toISOString().slice(0, 10);
  return { kind, salt, hash: keyedHash(salt, key), day, reason, of: null, under: null };
}

/** Key of this mirror's own hashes; creates and saves one if missing. */
export function tombstoneSalt(mirror: Mirror): string {
  const salt = readMeta(mirror, 'tombstone_salt') ?? randomBytes(16).toString('hex');
  saveMeta(mirror, 'tombstone_salt', salt);
  return salt;
}

/** Saves a tombstone; false if it exists. */
export function saveTombstone(mirror: Mirror, tombstone: Tombstone): boolean {
  filterCache.delete(mirror);
  const sql = `INSERT INTO withheld_record (kind, salt, hash, day, reason, "of", under)
    VALUES ($kind, $salt, $hash, $day, $reason, $of, $under) ON CONFLICT DO NOTHING`;
  return mirror.sql(sql).run(tombstone).changes > 0;
}

/** Deletes a tombstone and those that it covers. */
export function deleteTombstone(mirror: Mirror, { kind, salt, hash }: Tombstone): void {
  filterCache.delete(mirror);
  const sql = 'DELETE FROM withheld_record WHERE salt = $salt AND ((kind = $kind AND hash = $hash) OR under = $hash)';
  mirror.sql(sql).run({ kind, salt, hash });
}

/** Decides by the tombstones of a mirror which records and parts of documents may be stored or shown. */
export type AdmissionFilter = NonNullable<ReturnType<typeof createAdmissionFilter>>;

const filterCache = new WeakMap<Mirror, AdmissionFilter | null>();

/** The admission filter; null if nothing is withheld. Cached for a writer, which no other process can interrupt. */
export function readAdmissionFilter(mirror: Mirror): AdmissionFilter | null {
  if (mirror.readonly) return mirror.readOnce('withholding', () => createAdmissionFilter(mirror));
  if (!filterCache.has(mirror)) filterCache.set(mirror, createAdmissionFilter(mirror));
  return filterCache.get(mirror)!;
}

function createAdmissionFilter(mirror: Mirror) {
  const allTombstones = tombstones(mirror);
  if (allTombstones.length === 0) return null;
  const tombstonesByHash = Map.groupBy(allTombstones, ({ hash }) => hash);
  const salts = [...new Set(allTombstones.map(({ salt }) => salt))];
  const tombstonesFor = (key: string) => salts.flatMap((salt) => tombstonesByHash.get(keyedHash(salt, key)) ?? []);
  const findTombstone = (kind: KindName, key: string) => tombstonesFor(key).find((each) => each.kind === kind) ?? null;
  const coveringTombstone = (kind: Kind, { key, politician }: Pick<Facets, 'key' | 'politician'>): Tombstone | null => {
    const ownTombstone = findTombstone(kind.name, key);
    if (ownTombstone || politician === null || !isPersonKind(kind)) return ownTombstone;
    const personTombstone = findTombstone('politician', politician);
    if (personTombstone === null) return null;
    const hash = keyedHash(personTombstone.salt, key);
    const derivedTombstone = { ...personTombstone, kind: kind.name, hash, under: personTombstone.hash };
    saveTombstone(mirror, derivedTombstone);
    filterCache.set(mirror, admissionFilter); // `saveTombstone` has removed it
    tombstonesByHash.set(hash, [...(tombstonesByHash.get(hash) ?? []), derivedTombstone]);
    return derivedTombstone;
  };
  /** True if the value, or any value in it, is the key of a withheld record. */
  const mentionsWithheld = (value: Json): boolean => {
    if (typeof value === 'string') return value.length <= maxKeyLength && tombstonesFor(value).length > 0;
    return typeof value === 'object' && value !== null && Object.values(value).some(mentionsWithheld);
  };
  const isWithheldItem = (item: Json): boolean =>
    isDocument(item)
      ? [item.slug, item.id, slugOf(item.politician ?? null)].some((key) => mentionsWithheld(key ?? null))
      : mentionsWithheld(item);
  const admissionFilter = {
    findTombstone,
    /** The tombstone of a record with that key, of any kind; null for none. */
    findTombstoneOfAnyKind: (key: string): Tombstone | null => tombstonesFor(key)[0] ?? null,
    /** The tombstone of a record; creates and saves one if its politician is withheld. Null for none. */
    coveringTombstone,
    mentionsWithheld,
    /** The document without withheld list items: itself if it has none; null if the record is withheld. */
    admit(kind: Kind, document: Document): Document | null {
      if (coveringTombstone(kind, facetsOf(kind, document)) !== null) return null;
      const changedFields = Object.entries(document).flatMap(([field, value]) =>
        Array.isArray(value) && value.some(isWithheldItem)
          ? [[field, value.filter((item) => !isWithheldItem(item))] as const]
          : [],
      );
      return changedFields.length === 0 ? document : { ...document, ...Object.fromEntries(changedFields) };
    },
  };
  return admissionFilter;
}

/** Longer texts are no keys, so they need no hash. */
const maxKeyLength = 300;

/** Throws a WithheldError if the record is withheld. */
export function refuseWithheld(mirror: Mirror, kind: KindName, key: string): void {
  const tombstone = readAdmissionFilter(mirror)?.findTombstone(kind, key);
  if (tombstone) throw new WithheldError(kind, tombstone);
}

/** Number of withheld records that a result of these kinds lacks; for a list of parties, of their members. */
export function countWithheldInResult(mirror: Mirror, requestedKinds: readonly KindName[]): number {
  const isOfParties = requestedKinds.length === 1 && requestedKinds[0] === 'party';
  return countWithheld(mirror, isOfParties ? ['politician'] : requestedKinds);
}

/** Number of withheld records of these kinds, or of all kinds for an empty list. */
export function countWithheld(mirror: Mirror, requestedKinds: readonly KindName[]): number {
  const count = mirror.column<number>(
    "SELECT count(*) FROM withheld_record WHERE kind IN (SELECT value FROM json_each($kinds)) OR $kinds = '[]'",
  );
  return count.get({ kinds: JSON.stringify(requestedKinds) })!;
}
