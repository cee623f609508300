import { type Document, textOf } from '../model/document.ts';
import { idBounds, type Kind, type KindName, kinds, recordRange } from '../model/kinds.ts';
import { canonicalForm } from '../model/normal-form.ts';
import { elementFieldSql } from '../names/database.ts';
import { readCached } from './cached.ts';
import type { Mirror } from './mirror.ts';

/** A withdrawn record (id `from`) that continues under another key, as the record with id `to`. */
export type Rename = { kind: KindName; from: number; to: number; formerKey: string; key: string } & {
  isLate: 0 | 1; // 1 if `to` arrived only after the withdrawal
  isMerge: 0 | 1; // 1 if the service redirected the former address to `to`, whose content may differ
};

/** Renames by the id of the withdrawn record and, without merges, by that of the new one; latest withdrawals first. */
export type Renames = ReturnType<typeof readRenames>;

/** Renames whose both events, withdrawal and arrival, happened by `until` (ISO 8601; null: now). */
export function readRenames(mirror: Mirror, until: string | null) {
  const sql = `SELECT one.kind, one.id AS "from", one.key AS formerKey, other.id AS "to", other.key, is_merge AS isMerge,
      other.first_seen > one.withdrawn AS isLate
    FROM rename JOIN record AS one ON one.id = former AND one.withdrawn = rename.withdrawn
      JOIN record AS other ON other.id = latter
    WHERE max(one.withdrawn, other.first_seen) <= ? ORDER BY one.withdrawn DESC, one.id`;
  const read = () => {
    const renames = mirror.sql<Rename>(sql).all(until ?? '\uffff');
    const newIdEntries = renames.filter(({ isMerge }) => !isMerge).map((rename) => [rename.to, rename] as const);
    return { byFormerId: new Map(renames.map((rename) => [rename.from, rename])), byNewId: new Map(newIdEntries) };
  };
  // Every page of a record or of changes reads the present renames, so these are memoized.
  return until === null ? mirror.readOnce('renames', read) : read();
}

/** In a transaction: saves, for good, which withdrawn records continue under another key; true if any is new. */
export function saveRenames(mirror: Mirror, ofKinds: readonly Kind[] = kinds): boolean {
  // A record that returned was not renamed.
  mirror.sql('DELETE FROM rename WHERE withdrawn IS NOT (SELECT withdrawn FROM record WHERE id = former)').run();
  const save = mirror.sql('INSERT OR IGNORE INTO rename (former, latter, withdrawn, is_merge) VALUES (?, ?, ?, 0)');
  const renames = ofKinds.flatMap((kind) => findRenames(mirror, kind));
  return renames.map(({ former, latter }) => save.run(former.id, latter.id, former.withdrawn).changes).includes(1);
}

/** Replaces the renames of a kind by those that another mirror decided. */
export function replaceRenames(mirror: Mirror, kind: Kind, renames: readonly Rename[]): void {
  mirror.sql('DELETE FROM rename WHERE former BETWEEN ? AND ?').run(...idBounds(kind));
  const sql = `INSERT OR IGNORE INTO rename (former, latter, withdrawn, is_merge)
    SELECT one.id, other.id, one.withdrawn, ${elementFieldSql('isMerge')} FROM json_each(?) CROSS JOIN record AS one
      ON one.kind = ? AND one.kind = ${elementFieldSql('kind')} AND one.key = ${elementFieldSql('formerKey')}
      CROSS JOIN record AS other ON other.kind = one.kind AND other.key = ${elementFieldSql('key')}`;
  mirror.sql(sql).run(JSON.stringify(renames), kind.name);
}

type Departure = Record<'key' | 'text' | 'withdrawn' | 'facets' | 'earliest' | 'latest', string> & { id: number };
type Arrival = { id: number; first_seen: string; facets: string; isEdited: 0 | 1 }; // edits may change `facets`

const shiftedSql = (moment: string, by: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${moment}, '${by}')`;

const facetsSql = 'json_array(date, politician, party, topic) AS facets';

/**
 * The last withdrawn records, with the period of a replacement. Of enumerations at most a week apart, the second or
 * third without a record withdraws it; the new one arrives from the first of these (-15 days) to the next (+8 days).
 */
const departuresSql = `SELECT id, key, coalesce(row, detail) AS text, withdrawn, ${facetsSql},
    max(first_seen, ${shiftedSql('withdrawn', '-15 days')}) AS earliest, ${shiftedSql('withdrawn', '+8 days')} AS latest
  FROM record WHERE withdrawn IS NOT NULL AND +id BETWEEN ? AND ? ORDER BY withdrawn DESC, id LIMIT 500`;

const arrivalsSql = `SELECT id, first_seen, ${facetsSql},
    EXISTS (SELECT 1 FROM version WHERE version.record = record.id) AS isEdited
  FROM record WHERE first_seen > ? AND +id BETWEEN ? AND ? ORDER BY first_seen DESC, id LIMIT 5000`;

const firstContentSql = `SELECT key, coalesce(
    (SELECT json FROM version WHERE version.record = record.id AND part = 'row' ORDER BY rowid LIMIT 1),
    row, detail) AS text FROM record WHERE id = ?`;

/** Texts by which to compare a record, strictest first; null where it is not comparable. */
type Forms = (string | null)[];

function findRenames(mirror: Mirror, kind: Kind): { former: Departure; latter: Arrival }[] {
  const { first, last } = recordRange(kind);
  const departures = mirror.sql<Departure>(departuresSql).all(first, last);
  const [earliest] = departures.map((each) => each.earliest).sort();
  if (earliest === undefined) return [];
  const arrivals = mirror.sql<Arrival>(arrivalsSql).all(earliest, first, last);
  const cache = new Map<number, Forms>();
  const readText = mirror.sql<{ key: string; text: string }>(firstContentSql);
  const toForms = ({ key, text }: { key: string; text: string }) => formsOf(kind, key, JSON.parse(text));
  const readForms = (id: number) => readCached(cache, id, { compute: () => toForms(readText.get(id)!) });
  const renames = departures.flatMap((former) => {
    const candidates = arrivals.filter(
      ({ facets, isEdited, first_seen: at }) =>
        (isEdited || facets === former.facets) && at > former.earliest && at <= former.latest,
    );
    const latter = candidates.length === 0 ? null : findReplacement(kind, { former, candidates, readForms });
    return latter === null ? [] : [{ former, latter, isLate: latter.first_seen > former.withdrawn }];
  });
  // A new record may match several withdrawn ones: on-time matches outrank late ones, and ambiguous ones are dropped.
  return [...Map.groupBy(renames, ({ latter }) => latter).values()].flatMap((matches) => {
    const onTimeMatches = matches.filter(({ isLate }) => !isLate);
    const bestMatches = onTimeMatches.length > 0 ? onTimeMatches : matches;
    return bestMatches.length === 1 ? bestMatches : [];
  });
}

/** The one candidate with an equal form, strictest form first; on time outranks late; null for none or several. */
function findReplacement(
  kind: Kind,
  { former, candidates, readForms }: { former: Departure; candidates: Arrival[]; readForms: (id: number) => Forms },
): Arrival | null {
  for (const [at, form] of formsOf(kind, former.key, JSON.parse(former.text)).entries()) {
    const equalArrivals = form === null ? [] : candidates.filter(({ id }) => readForms(id)[at] === form);
    const onTimeArrivals = equalArrivals.filter(({ first_seen }) => first_seen <= former.withdrawn);
    // Of late candidates only the earliest counts: the others may be later renames of it.
    const firstLate = equalArrivals.filter(({ first_seen }) => first_seen === equalArrivals.at(-1)!.first_seen);
    const bestArrivals = onTimeArrivals.length > 0 ? onTimeArrivals : firstLate;
    if (bestArrivals.length > 0) return bestArrivals.length === 1 ? bestArrivals[0]! : null;
  }
  return null;
}

/** Two texts, null if not comparable: the document without key fields; for a known birth date also without names. */
function formsOf(kind: Kind, key: string, document: Document): Forms {
  // In addresses, NUL stands for the key.
  const withoutKey = (value: unknown) =>
    typeof value === 'string' && /^(https?:\/)?\//.test(value) ? value.replaceAll(key, '\0') : value;
  const fields = Object.entries(canonicalForm(kind, document)).map(([name, each]) => [name, withoutKey(each)] as const);
  const keyFields = [kind.keyField, 'slug', 'id', 'uid'];
  const without = (omitted: string[]) => JSON.stringify(fields.filter(([field]) => !omitted.includes(field)));
  const hasBirthDate = kind.name === 'politician' && textOf(document, 'birth_date') !== null;
  const { name, title, body } = kind.search;
  // A name, text, URL or ballot identifies a record.
  const identifyingFields = name.length > 0 ? name : [...title, ...body, 'title', 'url', 'ballot_id'];
  return [
    textOf(document, ...identifyingFields) === null ? null : without(keyFields),
    hasBirthDate ? without([...keyFields, ...name, 'first_name', 'last_name']) : null,
  ];
}
