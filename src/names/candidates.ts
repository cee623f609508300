import { byCodeUnit } from '../language/fold.ts';
import { partiesOf } from '../model/affiliation.ts';
import { type Document, isDocument, type Json, textOf } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import type { Candidate } from './candidate.ts';
import type { NameDatabase, NamedKind } from './database.ts';
import { timesNamed } from './known.ts';
import type { Gender } from './title.ts';

/** A candidate with the number of its record, and the text by which it is sorted. */
export type NamedRecord = Candidate & { id: number; sortName: string };

type Stored = {
  id: number;
  key: string;
  name: string;
  sortName: string;
  json: string;
  former: string | null;
};

/** What a record was called before it was edited, by the moment that the mirror is read as of. */
const formerSql = `(SELECT json_group_array(DISTINCT json) FROM version
  WHERE version.record = record.id AND part = 'row' AND seen_to <= ?)`;
const storedSql = `SELECT id, key, name, sort_name AS sortName, coalesce(row, detail) AS json,
  ${formerSql} AS former FROM record WHERE withdrawn IS NULL AND name IS NOT NULL`;

/** All that have a name of a kind, in the order of names. */
export function candidatesOf(db: NameDatabase, kind: NamedKind): NamedRecord[] {
  return db
    .sql<Stored>(`${storedSql} AND kind = ? ORDER BY sort_name, id`)
    .all(momentOf(db), kind)
    .map((stored) => candidateOf(db, kind, stored));
}

/**
 * Those of some records of a kind that have a name, in the order of names. They are remembered as long as nobody saves
 * anything, for a list of names asks for those with one given name again and again.
 */
export function candidatesAmong(db: NameDatabase, kind: NamedKind, ids: Iterable<number>): NamedRecord[] {
  const known = db.readOnce(`candidates of ${kind}`, () => new Map<number, NamedRecord | null>());
  const asked = [...new Set(ids)];
  const missing = asked.filter((id) => !known.has(id));
  if (known.size + missing.length > mostRemembered) return readAmong(db, kind, asked);
  for (const id of missing) known.set(id, null);
  for (const candidate of readAmong(db, kind, missing)) known.set(candidate.id, candidate);
  return asked
    .map((id) => known.get(id))
    .filter((candidate) => candidate !== undefined && candidate !== null)
    .sort((one, other) => byCodeUnit(one.sortName, other.sortName) || one.id - other.id);
}

const mostRemembered = 20_000;

function readAmong(db: NameDatabase, kind: NamedKind, ids: readonly number[]): NamedRecord[] {
  if (ids.length === 0) return [];
  return db
    .sql<Stored>(
      `${storedSql} AND +kind = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY +sort_name, id`,
    )
    .all(momentOf(db), kind, JSON.stringify(ids))
    .map((stored) => candidateOf(db, kind, stored));
}

/** The same candidate under other acronyms; not a copy, for what is known of it is looked up when it is asked for. */
export function calledBy(candidate: Candidate, acronyms: readonly string[]): Candidate {
  return Object.create(candidate, { acronyms: { value: acronyms, enumerable: true } });
}

function momentOf({ pastOf }: NameDatabase): string {
  return pastOf ?? '9999';
}

function candidateOf(
  db: NameDatabase,
  kind: NamedKind,
  { id, key, name, sortName, json, former }: Stored,
): NamedRecord {
  const document: Document = JSON.parse(json);
  const facts = listOf(document.affiliations).length + Object.values(document).filter(isFilled).length;
  let known: number | undefined;
  return {
    id,
    key,
    name,
    sortName,
    formerNames: formerNames(kind, { name, document, former }),
    ...(kind === 'party' ? partyFacts(document) : personFacts(document, sortName)),
    get known() {
      known ??= timesNamed(db, kind, key) + facts;
      return known;
    },
  };
}

/** Parties go before groups, and those that last before those that ended, where several bear one short name. */
function partyFacts(document: Document): Pick<Candidate, 'shortName' | 'preference'> {
  const isLasting = document.end_date === undefined || document.end_date === null;
  const isParty = document.chamber === undefined || document.chamber === null;
  return { shortName: textOf(document, 'short_name'), preference: isLasting ? 2 + Number(isParty) : 0 };
}

/** Fields in which others state by what name somebody was known before, or is known beside. */
const otherNames = ['former_names', 'former_name', 'birth_name', 'other_names', 'aliases', 'alternate_names'];

function formerNames(
  kind: NamedKind,
  { name, document, former }: { name: string; document: Document; former: string | null },
): string[] {
  const [field = ''] = kindOf(kind).search.name;
  const versions: string[] = former === null ? [] : JSON.parse(former);
  const before = versions.map((json) => textOf(JSON.parse(json), field));
  const stated = otherNames
    .flatMap((other) => [document[other]].flat())
    .map((value) => {
      if (isDocument(value)) return textOf(value, 'name', field);
      return typeof value === 'string' && value !== '' ? value : null;
    });
  return [...new Set([...before, ...stated])].filter((each) => each !== null && each !== name) as string[];
}

function listOf(value: Json | undefined): Json[] {
  return value === undefined || value === null ? [] : [value].flat();
}

function isFilled(value: Json | undefined): boolean {
  return (
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function personFacts(
  document: Document,
  sortName: string,
): Pick<Candidate, 'gender' | 'parties' | 'surname'> {
  return { gender: genderOf(document), parties: partiesOf(document, null), ...surnameOf(sortName) };
}

/** The word for a gender in the letter that titles tell; null for what says nothing of them. */
function genderOf({ gender }: Document): Gender | null {
  const first = typeof gender === 'string' ? gender.trim()[0]?.toLowerCase() : undefined;
  if (first === 'f') return 'F';
  return first === 'h' || first === 'm' ? 'M' : null;
}

/** Persons are sorted by their surname, then by what goes before it. */
function surnameOf(sortName: string): { surname?: string } {
  const [surname] = sortName.split(' ');
  return surname ? { surname } : {};
}
