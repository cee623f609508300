import { fold } from '../language/fold.ts';
import { nameWords } from '../language/name.ts';
import { partiesOf } from '../model/affiliation.ts';
import { type Document, documentOf, textOf } from '../model/document.ts';
import type { RankedName } from './among.ts';
import { type NameDatabase, type NamedKind, namedKinds } from './database.ts';
import { resolveSlug } from './lookup.ts';
import { bearersOf, type WayToMatch } from './rules.ts';
import { searchNames } from './search.ts';
import { nameSource } from './source.ts';
import { bareName, isTitle } from './title.ts';

/** What may be stated of somebody beside a name; what is not stated is left out. */
export type StatedFacts = {
  /** A party or group, by slug, name or short name. */
  party?: string | undefined;
  department?: string | undefined;
  /** Day of birth, or the beginning of one: 1971, 1971-01, 16/01/1971. */
  born?: string | undefined;
  /** The day on which the party is stated of somebody, ISO 8601. */
  date?: string | undefined;
};

/** The facts that are compared; the day only says of when the party is. */
export const comparedFacts = ['party', 'department', 'born'] as const;
export type ComparedFact = (typeof comparedFacts)[number];

/** A name as a list of others has it, with what that list states beside it. */
export type NameAsked = { name: string; kinds?: readonly NamedKind[] | undefined } & StatedFacts;

/**
 * Somebody or something that a name may mean: `score` from 0 to 100, in which way the name does so, and of the facts that
 * were stated which agree with the record and which differ from it (what the record does not say is neither).
 */
export type NameCandidate = {
  kind: NamedKind;
  slug: string;
  name: string;
  score: number;
  matched: RankedName['matched'];
  agrees: ComparedFact[];
  differs: ComparedFact[];
  /** True for the one that may be taken without anybody looking; of homonyms never. */
  match: boolean;
};

/** Ways in which the whole of a name is said, or what stands for it. */
const wholeWays: ReadonlySet<WayToMatch | 'within'> = new Set([
  'key',
  'short-name',
  'exact',
  'acronym',
  'former-name',
]);

/** What is longer, in UTF-16 units, is a text and no name. */
const longestName = 500;

/** As many candidates are compared before the best are chosen. */
const mostCompared = 25;

/**
 * Returns whom and what a name may mean, the likeliest first, `limit` at most. One is a match where it alone bears that whole
 * name, whatever its accents, hyphens, case, order and titles, and nothing that is stated beside it differs: never a near
 * spelling, a part of a name, or one of several who bear it, though what is stated agreed with one of these alone. A text
 * of more than 500 characters is no name.
 */
export function matchName(db: NameDatabase, asked: NameAsked, limit: number): NameCandidate[] {
  if (asked.name.length > longestName) return [];
  const { names } = searchNames(db, asked.name, { kinds: asked.kinds ?? namedKinds, limit: mostCompared });
  // One word of several that is somebody's surname says too little of whom the others mean.
  const named = names.filter(({ matched, taken }) => matched !== 'within' || taken.length > 1);
  const found = [...named, ...homonymsOf(db, asked.name, named)];
  const sure = found.filter(({ matched }) => wholeWays.has(matched));
  const isSure = sure.length === 1 && saysNoMore(asked.name, sure[0]!.name) && isAlone(sure[0]!, found);
  const compare = comparison(db, asked);
  const candidates = found.map((each): NameCandidate => {
    const { agrees, differs } = compare(each);
    return {
      kind: each.kind,
      slug: each.key,
      name: each.name,
      score: scored(each.score, agrees.length, differs.length),
      matched: each.matched,
      agrees,
      differs,
      match: isSure && wholeWays.has(each.matched) && differs.length === 0,
    };
  });
  // What was found first stays first among equals.
  return candidates.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** What stands in parentheses behind a name may tell its bearer from somebody of whom the mirror holds nothing. */
function saysNoMore(asked: string, name: string): boolean {
  const known = new Set(nameWords(name));
  const said = nameWords(asked.slice(bareName(asked).length));
  return said.every((word) => known.has(word) || isTitle(word));
}

/** Of namesakes a mirror may tell one by what stands in parentheses behind the name: without that neither is meant. */
function isAlone({ name }: RankedName, found: RankedName[]): boolean {
  return found.filter((each) => inOrder(bareName(each.name)) === inOrder(name)).length < 2;
}

/** The words of a name in an order that is the same however they were turned. */
function inOrder(name: string): string {
  return nameWords(name).sort().join(' ');
}

/** Those who bear the name of the one that was found, whom the title of a query ruled out. */
function homonymsOf(db: NameDatabase, asked: string, found: RankedName[]): RankedName[] {
  const [first, ...others] = found.filter(({ matched }) => wholeWays.has(matched));
  if (first === undefined || others.length > 0) return [];
  if (first.matched === 'key' || inOrder(asked) === inOrder(first.name)) return [];
  const { names } = searchNames(db, first.name, { kinds: [first.kind], limit: mostCompared });
  const isAnother = ({ matched, key }: RankedName) =>
    (matched === 'key' || matched === 'exact') && key !== first.key;
  return names.filter(isAnother).map((each) => ({ ...each, score: each.score * unlike }));
}

/** What remains of the score where something differs. */
const unlike = 0.6;

/** What agrees takes half of the doubt away. */
function scored(sureness: number, agreeing: number, differing: number): number {
  const doubt = (1 - sureness) * 0.5 ** agreeing;
  return Math.round((1 - doubt) * unlike ** differing * 1000) / 10;
}

/** Compares what is stated with each that was found; whom the party means is looked up once for all of them. */
function comparison(
  db: NameDatabase,
  asked: NameAsked,
): (found: RankedName) => Pick<NameCandidate, 'agrees' | 'differs'> {
  const stated = comparedFacts.filter((fact) => (asked[fact] ?? '').trim() !== '');
  let parties: Set<string> | undefined;
  /** Whether a fact agrees with what a record says; null where that says nothing of it. */
  const agreesOn = (fact: ComparedFact, document: Document): boolean | null => {
    if (fact === 'party') {
      parties ??= partiesMeant(db, asked.party!);
      return agreesOnParty(db, partiesOf(document, asked.date?.trim() || null), parties);
    }
    const said = textOf(document, fact === 'born' ? 'birth_date' : fact);
    if (said === null) return null;
    return fact === 'born' ? said.startsWith(isoDay(asked.born!)) : plain(said) === plain(asked.department!);
  };
  return ({ kind, key }) => {
    if (stated.length === 0 || kind === 'party') return { agrees: [], differs: [] };
    const document = documentOfKey(db, kind, key) ?? {};
    const verdicts = stated.map((fact) => ({ fact, agrees: agreesOn(fact, document) }));
    const factsOf = (verdict: boolean) =>
      verdicts.filter(({ agrees }) => agrees === verdict).map(({ fact }) => fact);
    return { agrees: factsOf(true), differs: factsOf(false) };
  };
}

/**
 * Parties are compared with parties and groups with groups: who sits in a group of another name than the party's is no
 * other person.
 */
function agreesOnParty(db: NameDatabase, own: readonly string[], meant: ReadonlySet<string>): boolean | null {
  if (own.some((slug) => meant.has(slug))) return true;
  const isGroup = (slug: string) => textOf(documentOfKey(db, 'party', slug) ?? {}, 'chamber') !== null;
  const sorts = new Set([...meant].map(isGroup));
  return own.some((slug) => sorts.has(isGroup(slug))) ? false : null;
}

/** Every party and group that a text may mean; empty where it names none. */
function partiesMeant(db: NameDatabase, written: string): Set<string> {
  if (written.length > longestName) return new Set();
  const bearers = bearersOf(written, nameSource(db, 'party', written).named());
  const found = resolveSlug(db, 'party', written.trim());
  const several = found.match === 'several' ? found.candidates : [];
  return new Set([...bearers, ...several, ...(found.match === 'one' ? [found] : [])].map(({ key }) => key));
}

function documentOfKey(db: NameDatabase, kind: NamedKind, slug: string): Document | undefined {
  const texts = db
    .sql<Parameters<typeof documentOf>[0]>(
      'SELECT row, detail FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL',
    )
    .get(kind, slug);
  return texts && documentOf(texts);
}

function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A day as others write it, in ISO 8601. */
function isoDay(written: string): string {
  const [, day, month, year] = /^\s*(\d{1,2})[/.](\d{1,2})[/.](\d{4})\s*$/.exec(written) ?? [];
  if (year === undefined) return written.trim();
  return [year, month!.padStart(2, '0'), day!.padStart(2, '0')].join('-');
}
