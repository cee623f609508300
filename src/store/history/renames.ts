import { type Document, textOf } from '../../model/document.ts';
import { facetsOf } from '../../model/facets.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import { canonicalForm } from '../../model/normal-form.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';

/** A record that the service now lists under another key, all else equal; `isLate` if it came after the withdrawal. */
export type Rename = { from: number; formerKey: string; to: number; key: string; isLate: boolean };

/** Renames per kind, read on first use, keyed by the id of the withdrawn and of the new record. */
export type Renames = ReturnType<typeof readRenames>;

/** Most withdrawn and new records that are compared, newest first. */
const maxDepartures = 500;
const maxArrivals = 5000;

/** How long before the withdrawal the new record may appear: two enumerations, up to a week apart. */
const maxLeadMs = 15 * 86_400_000;

/** How long after it, if the enumeration that lacked the old record lacked the new one too: one enumeration. */
const maxDelayMs = 8 * 86_400_000;

const shiftTime = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

/** Renames by `until` (ISO 8601; null: now): records withdrawn and listed under another key, all else equal. */
export function readRenames(mirror: Mirror, until: string | null) {
  const cache = new Map<Kind, ReturnType<typeof indexRenames>>();
  const read = (kind: Kind) => indexRenames(findRenames(mirror, kind, until));
  // Every page of a record or of changes reads the renames of now, so these are cached.
  const remembered = (kind: Kind) =>
    until === null ? mirror.readOnce(`renames of ${kind.name}`, () => read(kind)) : read(kind);
  const ofKind = (kind: Kind) => readCached(cache, kind, { compute: () => remembered(kind) });
  /** New key of a renamed record, or null. */
  const latterKey = (kind: Kind, formerKey: string) => ofKind(kind).keys.get(formerKey) ?? null;
  return { of: ofKind, latterKey };
}

function indexRenames(renames: Rename[]) {
  return {
    byFormer: new Map(renames.map((rename) => [rename.from, rename])),
    byLatter: new Map(renames.map((rename) => [rename.to, rename])),
    keys: new Map(renames.map(({ formerKey, key }) => [formerKey, key])),
  };
}

type FacetFields = { date: string; politician: string | null; party: string | null; topic: string | null };
type Departure = FacetFields & { id: number; key: string; text: string; first_seen: string; withdrawn: string };
type Arrival = FacetFields & { id: number; first_seen: string; isEdited: 0 | 1 };

function facetText({ date, politician, party, topic }: FacetFields): string {
  return JSON.stringify([date, politician, party, topic]);
}

function findRenames(mirror: Mirror, kind: Kind, until: string | null): Rename[] {
  const { first, last } = recordRange(kind);
  const end = until ?? '\uffff';
  const sql = `SELECT id, key, coalesce(row, detail) AS text, first_seen, withdrawn, date, politician, party, topic FROM record
    WHERE withdrawn <= ? AND +id BETWEEN ? AND ? ORDER BY withdrawn DESC, id LIMIT ?`;
  const departures = mirror.sql<Departure>(sql).all(end, first, last, maxDepartures);
  if (departures.length === 0) return [];
  const firstArrival = departures.map(earliestArrival).sort()[0]!;
  const arrivalsSql = `SELECT id, first_seen, date, politician, party, topic,
      EXISTS (SELECT 1 FROM version WHERE version.record = record.id) AS isEdited FROM record
    WHERE first_seen > ? AND first_seen <= ? AND +id BETWEEN ? AND ? ORDER BY first_seen DESC, id LIMIT ?`;
  const arrivals = mirror.sql<Arrival>(arrivalsSql).all(firstArrival, end, first, last, maxArrivals);
  const firstContentOf = createFirstContentReader(mirror, kind);
  const alike = Map.groupBy(arrivals, (each) => (each.isEdited ? firstContentOf(each.id).facets : facetText(each)));
  const renames = departures.flatMap((former) => {
    const similarArrivals = alike.get(facetText(former)) ?? [];
    const latter = findReplacement(kind, { former, among: similarArrivals, firstOf: firstContentOf });
    return latter === null ? [] : [{ from: former.id, formerKey: former.key, ...latter }];
  });
  // Ambiguous: two withdrawn records match one new record, neither of them more closely in time.
  const rivals = Map.groupBy(renames, ({ to }) => to);
  return renames.filter(({ to, isLate }) => rivals.get(to)!.filter((each) => isLate || !each.isLate).length === 1);
}

/** Earliest first sight of a record that may replace it. */
function earliestArrival({ first_seen, withdrawn }: Departure): string {
  const leadStart = shiftTime(withdrawn, -maxLeadMs);
  return leadStart > first_seen ? leadStart : first_seen;
}

type FirstContent = { key: string; facets: string; forms: (string | null)[] };

function createFirstContentReader(mirror: Mirror, kind: Kind): (id: number) => FirstContent {
  const cache = new Map<number, FirstContent>();
  const read = mirror.sql<{ key: string; text: string }>(
    `SELECT key, coalesce(
       (SELECT json FROM version WHERE version.record = record.id AND part = 'row' ORDER BY rowid LIMIT 1),
       row, detail) AS text FROM record WHERE id = ?`,
  );
  const readFirst = (id: number): FirstContent => {
    const { key, text } = read.get(id)!;
    const document: Document = JSON.parse(text);
    return { key, facets: facetText(facetsOf(kind, document)), forms: formsOf(kind, key, document) };
  };
  return (id) => readCached(cache, id, { compute: () => readFirst(id) });
}

function findReplacement(
  kind: Kind,
  { former, among, firstOf }: { former: Departure; among: Arrival[]; firstOf: (id: number) => FirstContent },
): Pick<Rename, 'to' | 'key' | 'isLate'> | null {
  const firstArrival = earliestArrival(former);
  const latest = shiftTime(former.withdrawn, maxDelayMs);
  const candidates = among.filter(({ first_seen }) => first_seen > firstArrival && first_seen <= latest);
  if (candidates.length === 0) return null;
  for (const [at, form] of formsOf(kind, former.key, JSON.parse(former.text)).entries()) {
    const fitting = form === null ? [] : candidates.filter(({ id }) => firstOf(id).forms[at] === form);
    const onTime = fitting.filter(({ first_seen }) => first_seen <= former.withdrawn);
    // Of later candidates only the first: it may be renamed again.
    const isLate = onTime.length === 0;
    const equal = isLate ? fitting.filter(({ first_seen }) => first_seen === fitting.at(-1)!.first_seen) : onTime;
    if (equal.length > 1) return null;
    if (equal[0]) return { to: equal[0].id, key: firstOf(equal[0].id).key, isLate };
  }
  return null;
}

/** Comparison texts: all but the key, then with a birth date also without the name. Null if too little to compare. */
function formsOf(kind: Kind, key: string, document: Document): (string | null)[] {
  const canonical = canonicalForm(kind, document);
  const without = (fields: string[]) => formWithout([...fields, kind.keyField, 'slug', 'id', 'uid'], key, canonical);
  const hasBirthDate = kind.name === 'politician' && textOf(document, 'birth_date') !== null;
  return [
    isIdentifying(kind, document) ? without([]) : null,
    hasBirthDate ? without([...kind.search.name, 'first_name', 'last_name']) : null,
  ];
}

/** True if a record has identifying content: a name, text, URL or ballot. */
function isIdentifying(kind: Kind, document: Document): boolean {
  const { name, title, body } = kind.search;
  const identifyingFields = name.length > 0 ? name : [...title, ...body, 'title', 'url', 'ballot_id'];
  return textOf(document, ...identifyingFields) !== null;
}

function formWithout(fields: string[], key: string, canonical: Document): string {
  const omittedFields = new Set(fields);
  // A record's URL usually contains its key.
  const isPage = (value: unknown) => typeof value === 'string' && /^(https?:\/)?\//.test(value);
  return JSON.stringify(
    Object.entries(canonical)
      .filter(([field]) => !omittedFields.has(field))
      .map(([field, value]) => [field, isPage(value) ? String(value).replaceAll(key, '\0') : value]),
  );
}
