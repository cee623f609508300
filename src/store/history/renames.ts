import { type Document, textOf } from '../../model/document.ts';
import { facetsOf } from '../../model/facets.ts';
import type { Kind } from '../../model/kinds.ts';
import { statedForm } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';
import { recordRange } from '../record.ts';

/** A record that its service lists under another key now, all else equal. */
export type Rename = { from: number; formerKey: string; to: number; key: string };

/** The renames of each kind, by the record that went and by the one that came; read once, on first use. */
export type Renames = {
  of(kind: Kind): { byFormer: ReadonlyMap<number, Rename>; byLatter: ReadonlyMap<number, Rename> };
  /** The key that a record of the kind was given in the place of that one; null for none. */
  latterKey(kind: Kind, formerKey: string): string | null;
};

/** So many records that went, and that came, are looked at, the newest first; whoever moves more at once renames nothing. */
const [mostGone, mostCome] = [500, 5000];

/**
 * By how much a record may have come before the other one is withdrawn: what one answer alone lacks is withdrawn after
 * the next one, and the feed is walked to its end once a week.
 */
const longestMs = 15 * 86_400_000;

/** A stretch of time, ISO 8601: after `since`, and not after `until` where that is not null. */
type Stretch = { since: string; until: string | null };

/**
 * The records that were withdrawn in a stretch of time and came again under another key, all else equal. Only a person's
 * name may differ too, where the day of birth is the same. Where several records fit, none is taken for the other.
 */
export function readRenames(mirror: Mirror, stretch: Stretch): Renames {
  const known = new Map<Kind, ReturnType<typeof byRecord>>();
  const of = (kind: Kind) => {
    const found = known.get(kind) ?? byRecord(remembered(mirror, kind, stretch));
    known.set(kind, found);
    return found;
  };
  return { of, latterKey: (kind, formerKey) => of(kind).keys.get(formerKey) ?? null };
}

/** Those of all times, which pages of one record ask for again and again, are read once as long as nothing changes. */
function remembered(mirror: Mirror, kind: Kind, stretch: Stretch): Rename[] {
  return stretch.since === '' && stretch.until === null
    ? mirror.readOnce(`renames of ${kind.name}`, () => renamesOf(mirror, kind, stretch))
    : renamesOf(mirror, kind, stretch);
}

function byRecord(renames: Rename[]) {
  return {
    byFormer: new Map(renames.map((rename) => [rename.from, rename])),
    byLatter: new Map(renames.map((rename) => [rename.to, rename])),
    keys: new Map(renames.map(({ formerKey, key }) => [formerKey, key])),
  };
}

type Facet = { date: string; politician: string | null; party: string | null; topic: string | null };
type Departure = Facet & { id: number; key: string; text: string; first_seen: string; withdrawn: string };
type Arrival = Facet & { id: number; first_seen: string; isEdited: 0 | 1 };

/** What two records that say the same have in common, as far as the mirror keeps it apart from the document. */
function facetText({ date, politician, party, topic }: Facet): string {
  return JSON.stringify([date, politician, party, topic]);
}

function renamesOf(mirror: Mirror, kind: Kind, { since, until }: Stretch): Rename[] {
  const { first, last } = recordRange(kind);
  const end = until ?? '\uffff';
  const gone = mirror
    .sql<Departure>(
      `SELECT id, key, coalesce(row, detail) AS text, first_seen, withdrawn, date, politician, party, topic FROM record
       WHERE withdrawn > ? AND withdrawn <= ? AND +id BETWEEN ? AND ? ORDER BY withdrawn DESC, id LIMIT ?`,
    )
    .all(since, end, first, last, mostGone);
  if (gone.length === 0) return [];
  const least = gone.map(earliest).sort()[0]!;
  const come = mirror
    .sql<Arrival>(
      `SELECT id, first_seen, date, politician, party, topic,
         EXISTS (SELECT 1 FROM version WHERE version.record = record.id) AS isEdited FROM record
       WHERE first_seen > ? AND first_seen <= ? AND +id BETWEEN ? AND ? ORDER BY first_seen DESC, id LIMIT ?`,
    )
    .all(least, end, first, last, mostCome);
  const firstOf = rememberedFirsts(mirror, kind);
  const alike = Map.groupBy(come, (each) => (each.isEdited ? firstOf(each.id).facets : facetText(each)));
  const found = gone.flatMap((former) => {
    const among = alike.get(facetText(former)) ?? [];
    const latter = onlyEqual(kind, { former, among, firstOf });
    return latter === null ? [] : [{ from: former.id, formerKey: former.key, ...latter }];
  });
  // Two that went for one that came: it may be either.
  const times = Map.groupBy(found, ({ to }) => to);
  return found.filter(({ to }) => times.get(to)!.length === 1);
}

/** What comes later than that, and not before the record itself, may be the same under another key. */
function earliest({ first_seen, withdrawn }: Departure): string {
  const least = new Date(Date.parse(withdrawn) - longestMs).toISOString();
  return least > first_seen ? least : first_seen;
}

/** What a record said when it came, each read once: it may have been edited since. */
type First = { key: string; facets: string; forms: (string | null)[] };

function rememberedFirsts(mirror: Mirror, kind: Kind): (id: number) => First {
  const known = new Map<number, First>();
  const read = mirror.sql<{ key: string; text: string }>(
    `SELECT key, coalesce(
       (SELECT json FROM version WHERE version.record = record.id AND part = 'row' ORDER BY rowid LIMIT 1),
       row, detail) AS text FROM record WHERE id = ?`,
  );
  return (id) => {
    const found = known.get(id);
    if (found) return found;
    const { key, text } = read.get(id)!;
    const document: Document = JSON.parse(text);
    const first = { key, facets: facetText(facetsOf(kind, document)), forms: formsOf(kind, key, document) };
    known.set(id, first);
    return first;
  };
}

function onlyEqual(
  kind: Kind,
  { former, among, firstOf }: { former: Departure; among: Arrival[]; firstOf: (id: number) => First },
): Pick<Rename, 'to' | 'key'> | null {
  const least = earliest(former);
  const candidates = among.filter(({ first_seen }) => first_seen > least && first_seen <= former.withdrawn);
  if (candidates.length === 0) return null;
  for (const [at, said] of formsOf(kind, former.key, JSON.parse(former.text)).entries()) {
    const equal = said === null ? [] : candidates.filter(({ id }) => firstOf(id).forms[at] === said);
    if (equal.length > 1) return null;
    if (equal[0]) return { to: equal[0].id, key: firstOf(equal[0].id).key };
  }
  return null;
}

/**
 * A record as texts that are equal for another that is the same, the surest first: all that it says but its key, and for
 * a person whose day of birth is known all but the name too. Null where that says too little to tell.
 */
function formsOf(kind: Kind, key: string, document: Document): (string | null)[] {
  const stated = statedForm(kind, document);
  const without = (fields: string[]) =>
    formWithout([...fields, kind.keyField, 'slug', 'id', 'uid'], key, stated);
  const isBorn = kind.name === 'politician' && textOf(document, 'birth_date') !== null;
  return [
    isTelling(kind, document) ? without([]) : null,
    isBorn ? without([...kind.search.name, 'first_name', 'last_name']) : null,
  ];
}

/** True for a record that says what it is: a name, words, an address, or the ballot that it is about. */
function isTelling(kind: Kind, document: Document): boolean {
  const { name, title, body } = kind.search;
  const telling = name.length > 0 ? name : [...title, ...body, 'title', 'url', 'ballot_id'];
  return textOf(document, ...telling) !== null;
}

function formWithout(fields: string[], key: string, stated: Document): string {
  const left = new Set(fields);
  // The page of a record is mostly found under its key.
  const isPage = (value: unknown) => typeof value === 'string' && /^(https?:\/)?\//.test(value);
  return JSON.stringify(
    Object.entries(stated)
      .filter(([field]) => !left.has(field))
      .map(([field, value]) => [field, isPage(value) ? String(value).replaceAll(key, '\0') : value]),
  );
}
