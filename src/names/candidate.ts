import { byCodeUnit } from '../language/fold.ts';
import { nameTokens, nameWords } from '../language/name.ts';
import { partiesOf } from '../model/affiliation.ts';
import { type Document, isDocument, textOf } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import type { NameDatabase, NamedKind } from './database.ts';
import { timesNamed } from './known.ts';
import type { KeyedName } from './nearness.ts';
import { withoutAcronym } from './party-name.ts';
import type { Gender } from './title.ts';

/** What is known of a record that a name may mean. */
type NameFacts = KeyedName & {
  shortName?: string | null;
  /** Decides between those of one short name, the highest first. */
  preference?: number;
  /** Short names that texts use for it. */
  acronyms?: readonly string[];
  /** Names that it bore before, or bears beside. */
  formerNames?: readonly string[];
  gender?: Gender | null;
  /** The folded surname without spaces, by which it is sorted; none for what is no person. */
  surname?: string;
  /** The parties and groups of a person, by slug. */
  parties?: readonly string[];
  /** How much is known of it, by which names that are equally sure are put in order. */
  known?: () => number;
};

/** The folded parts of a name, and every word by which it is looked for. */
export type ReadName = { parts: string[]; readonly tokens: string[] };

/** A record that a name may mean, with its names taken apart. */
export type Candidate = NameFacts & {
  own: ReadName;
  /** The name of a party without the acronym that follows it. */
  bare: ReadName[];
  former: ReadName[];
  /** The words of its short name. */
  short: string[];
};

/** A candidate with the number of its record, and the text by which it is sorted. */
export type NamedRecord = Candidate & { id: number; sortName: string };

/** Returns a candidate of what is known of it. */
export function createCandidate<Facts extends NameFacts>(facts: Facts): Facts & Candidate {
  const { name, surname, shortName, formerNames = [] } = facts;
  const bare = surname === undefined ? withoutAcronym(name) : name;
  return {
    ...facts,
    own: readName(name, surname),
    bare: bare === name ? [] : [readName(bare)],
    former: formerNames.map((former) => readName(former)),
    short: nameWords(shortName ?? ''),
  };
}

/** A surname of several words is a word of its name too (lerocbrun). */
function readName(name: string, surname?: string): ReadName {
  let tokens: string[] | undefined;
  return {
    parts: nameWords(name),
    get tokens() {
      tokens ??= surname ? [...nameTokens(name), surname] : nameTokens(name);
      return tokens;
    },
  };
}

type NameRow = {
  id: number;
  key: string;
  name: string;
  sortName: string;
  json: string;
  former: string | null;
};

/** KeyedName records, with what each was called before it was edited, by the moment that the mirror is read as of. */
const namedSql = `SELECT id, key, name, sort_name AS sortName, coalesce(row, detail) AS json,
  (SELECT json_group_array(DISTINCT json) FROM version
   WHERE version.record = record.id AND part = 'row' AND seen_to <= ?) AS former
  FROM record WHERE withdrawn IS NULL AND name IS NOT NULL`;

/** All named records of a kind, in the order of names. */
export function allCandidates(db: NameDatabase, kind: NamedKind): NamedRecord[] {
  return db
    .sql<NameRow>(`${namedSql} AND kind = ? ORDER BY sort_name, id`)
    .all(db.pastOf ?? '9999', kind)
    .map((row) => candidateOf(db, kind, row));
}

/**
 * The named records among some ids of a kind, in the order of names. Remembered until anybody saves: a list of names asks for
 * those with one given name again and again.
 */
export function candidatesAmong(db: NameDatabase, kind: NamedKind, ids: Iterable<number>): NamedRecord[] {
  const known = db.readOnce(`candidates of ${kind}`, () => new Map<number, NamedRecord | null>());
  const asked = [...new Set(ids)];
  const missing = asked.filter((id) => !known.has(id));
  if (known.size + missing.length > mostRemembered) known.clear();
  const unread = asked.filter((id) => !known.has(id));
  for (const id of unread) known.set(id, null);
  const rows = db.sql<NameRow>(`${namedSql} AND +kind = ? AND id IN (SELECT value FROM json_each(?))`);
  if (unread.length > 0)
    for (const row of rows.all(db.pastOf ?? '9999', kind, JSON.stringify(unread)))
      known.set(row.id, candidateOf(db, kind, row));
  return asked
    .map((id) => known.get(id) ?? null)
    .filter((candidate) => candidate !== null)
    .sort((one, other) => byCodeUnit(one.sortName, other.sortName) || one.id - other.id);
}

const mostRemembered = 20_000;

function candidateOf(db: NameDatabase, kind: NamedKind, row: NameRow): NamedRecord {
  const { id, key, name, sortName } = row;
  const document: Document = JSON.parse(row.json);
  const filled = Object.values(document).filter(
    (value) => ![null, ''].includes(value as null) && [value].flat().length > 0,
  );
  const facts = filled.length + [document.affiliations ?? []].flat().length;
  let known: number | undefined;
  return createCandidate({
    id,
    key,
    name,
    sortName,
    formerNames: formerNames(kind, row, document),
    ...(kind === 'party' ? partyFacts(document) : personFacts(document, sortName)),
    known: () => {
      known ??= timesNamed(db, kind, key) + facts;
      return known;
    },
  });
}

/** Parties go before groups, and those that last before those that ended, where several bear one short name. */
function partyFacts(document: Document): Pick<NameFacts, 'shortName' | 'preference'> {
  const { end_date = null, chamber = null } = document;
  return {
    shortName: textOf(document, 'short_name'),
    preference: end_date === null ? 2 + Number(chamber === null) : 0,
  };
}

/** Persons are sorted by their surname, then by what goes before it. */
function personFacts(
  document: Document,
  sortName: string,
): Pick<NameFacts, 'gender' | 'parties' | 'surname'> {
  const [surname] = sortName.split(' ');
  const letter = (textOf(document, 'gender') ?? '').trim()[0]?.toLowerCase() ?? '';
  return {
    gender: letter === 'f' ? 'F' : letter === 'h' || letter === 'm' ? 'M' : null,
    parties: partiesOf(document, null),
    ...(surname ? { surname } : {}),
  };
}

/** Fields in which others state by what name somebody was known before, or is known beside. */
const otherNames = ['former_names', 'former_name', 'birth_name', 'other_names', 'aliases', 'alternate_names'];

function formerNames(kind: NamedKind, { name, former }: NameRow, document: Document): string[] {
  const [field = ''] = kindOf(kind).search.name;
  const versions: string[] = former === null ? [] : JSON.parse(former);
  const before = versions.map((json) => textOf(JSON.parse(json), field));
  const stated = otherNames
    .flatMap((other) => [document[other]].flat())
    .map((value) => (isDocument(value) ? textOf(value, 'name', field) : value));
  const names = [...before, ...stated].filter(
    (each) => typeof each === 'string' && each !== '' && each !== name,
  );
  return [...new Set(names as string[])];
}
