import { byCodeUnit } from '../language/fold.ts';
import { nameTokens, nameWords } from '../language/name.ts';
import { once } from '../language/once.ts';
import { type Document, isDocument, textOf } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import type { NameDatabase, NamedKind } from './database.ts';
import type { KeyedName } from './nearness.ts';
import { withoutAcronym } from './party-name.ts';
import { countReferences } from './reference-counts.ts';
import type { Gender } from './title.ts';

type NameFacts = KeyedName & {
  shortName?: string | null;
  /** Breaks ties between records with the same short name: the highest wins; 0 marks a party or group that ended. */
  preference?: number;
  /** Short names that texts use for the record. */
  acronyms?: readonly string[];
  formerNames?: readonly string[];
  gender?: Gender | null;
  /** The folded surname without spaces; undefined for parties. */
  surname?: string;
  /** Number of references to the record and of its filled fields; breaks ties between equally likely matches. */
  countReferences?: () => number;
};

/** The folded parts of a name, and the tokens that match it. */
export type ParsedName = { parts: string[]; tokens: () => string[] };

/** A record that a name may refer to, with its names parsed. */
export type Candidate = ReturnType<typeof createCandidate>;

/** A candidate with its record id and sort name. */
export type CandidateRecord = Candidate & { id: number; sortName: string };

/** Creates a candidate: facts about a record, with its full, shortened, former and short names parsed. */
export function createCandidate<Facts extends NameFacts>(facts: Facts) {
  const { name, surname, shortName, formerNames = [] } = facts;
  const nameWithoutAcronym = surname === undefined ? withoutAcronym(name) : name;
  return {
    ...facts,
    parsedName: parseName(name, surname),
    parsedWithoutAcronym: nameWithoutAcronym === name ? [] : [parseName(nameWithoutAcronym)],
    parsedFormerNames: formerNames.map((former) => parseName(former)),
    shortNameParts: nameWords(shortName ?? ''),
  };
}

/** Parses a name; tokens are computed on first use, and include a surname of several words as one (lerocbrun). */
function parseName(name: string, surname?: string): ParsedName {
  const tokens = once(() => (surname ? [...nameTokens(name), surname] : nameTokens(name)));
  return { parts: nameWords(name), tokens };
}

type NameRow = { id: number; key: string; name: string; sortName: string; json: string; former: string | null };

/** Selects named records; `former` is a JSON list of their earlier rows, up to the past moment that is read. */
const candidatesSql = `SELECT id, key, name, sort_name AS sortName, coalesce(row, detail) AS json,
  (SELECT json_group_array(DISTINCT json) FROM version
   WHERE version.record = record.id AND part = 'row' AND seen_to <= ?) AS former
  FROM record WHERE withdrawn IS NULL AND name IS NOT NULL`;

/** All named records of a kind, in name order. */
export function allCandidates(db: NameDatabase, kind: NamedKind): CandidateRecord[] {
  return candidatesAmong(db, kind, db.column<number>('SELECT id FROM record WHERE kind = ?').all(kind));
}

/** The named records of a kind with these ids, in name order; cached until the next write. */
export function candidatesAmong(db: NameDatabase, kind: NamedKind, ids: Iterable<number>): CandidateRecord[] {
  const cachedCandidates = db.readOnce(`candidates of ${kind}`, () => new Map<number, CandidateRecord | null>());
  const distinctIds = [...new Set(ids)];
  const missingIds = distinctIds.filter((id) => !cachedCandidates.has(id));
  if (cachedCandidates.size + missingIds.length > maxCached) cachedCandidates.clear(); // all ids are missing then
  const uncachedIds = distinctIds.filter((id) => !cachedCandidates.has(id));
  for (const id of uncachedIds) cachedCandidates.set(id, null);
  const rows = db.sql<NameRow>(`${candidatesSql} AND +kind = ? AND id IN (SELECT value FROM json_each(?))`);
  if (uncachedIds.length > 0)
    for (const row of rows.all(db.asOf ?? '9999', kind, JSON.stringify(uncachedIds)))
      cachedCandidates.set(row.id, candidateOf(db, kind, row));
  return distinctIds
    .map((id) => cachedCandidates.get(id) ?? null)
    .filter((candidate) => candidate !== null)
    .sort((one, other) => byCodeUnit(one.sortName, other.sortName) || one.id - other.id);
}

const maxCached = 20_000;

function candidateOf(db: NameDatabase, kind: NamedKind, row: NameRow): CandidateRecord {
  const { id, key, name, sortName } = row;
  const document: Document = JSON.parse(row.json);
  const filledValues = Object.values(document).filter(
    (value) => ![null, ''].includes(value as null) && [value].flat().length > 0,
  );
  const factCount = filledValues.length + [document.affiliations ?? []].flat().length;
  return createCandidate({
    id,
    key,
    name,
    sortName,
    formerNames: formerNames(kind, row, document),
    ...(kind === 'party' ? factsOfParty(document) : factsOfPerson(document, sortName)),
    countReferences: once(() => countReferences(db, kind, key) + factCount),
  });
}

/** For the same short name, parties precede groups, and current ones precede ended ones. */
function factsOfParty(document: Document) {
  const preference = textOf(document, 'end_date') === null ? 2 + Number(textOf(document, 'chamber') === null) : 0;
  return { shortName: textOf(document, 'short_name'), preference };
}

/** A sort name begins with the surname. */
function factsOfPerson(document: Document, sortName: string) {
  const [surname] = sortName.split(' ');
  const letter = (textOf(document, 'gender') ?? '').trim()[0]?.toLowerCase() ?? '';
  const gender: Gender | null = letter === 'f' ? 'F' : letter === 'h' || letter === 'm' ? 'M' : null;
  return { gender, ...(surname ? { surname } : {}) };
}

/** Fields in which services publish former or alternative names. */
const otherNameFields = ['former_names', 'former_name', 'birth_name', 'other_names', 'aliases', 'alternate_names'];

function formerNames(kind: NamedKind, { name, former }: NameRow, document: Document): string[] {
  const [field = ''] = kindOf(kind).search.name;
  const versions: string[] = former === null ? [] : JSON.parse(former);
  const versionNames = versions.map((json) => textOf(JSON.parse(json), field));
  const declaredNames = otherNameFields
    .flatMap((other) => [document[other]].flat())
    .map((value) => (isDocument(value) ? textOf(value, 'name', field) : value));
  const names = [...versionNames, ...declaredNames].filter((each) => typeof each === 'string' && each && each !== name);
  return [...new Set(names as string[])];
}
