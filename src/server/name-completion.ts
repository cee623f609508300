import { nameWords } from '../language/name.ts';
import { proseTokens } from '../language/prose.ts';
import { type Document, textOf } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import type { NamedKind } from '../names/database.ts';
import { searchNames } from '../names/search.ts';
import type { Mirror } from '../store/mirror.ts';
import { readRecord } from '../store/record.ts';
import { listParties } from '../store/records/parties.ts';
import { listPoliticians } from '../store/records/politicians.ts';
import { termsOf } from '../store/word-index/terms.ts';

/** Returns records for a partly typed name: exact matches, then prefixes; similar names only for rare words. */
export function completeNames(
  mirror: Mirror,
  q: string,
  { kinds, limit }: { kinds: readonly NamedKind[]; limit: number },
): Document[] {
  const matchingRecords = (allowsGuesses: boolean) =>
    searchNames(mirror, q, { kinds, limit, allowsGuesses }).names.map(
      ({ kind, key }) => readRecord(mirror, kindOf(kind), key)!,
    );
  const matchesPrefixes = createPrefixMatcher(q);
  // `true` omits derived fields, which take longer to read.
  const matchingItems = kinds.includes('politician') ? listPoliticians(mirror, { q, limit: 100 }, true).items : [];
  const inOfficeFirst = sortFirst(parseItems(matchingItems), (person) => textOf(person, 'current_role') !== null);
  const people = sortFirst(inOfficeFirst, (person) => matchesPrefixes(textOf(person, 'last_name') ?? ''));
  const allParties = kinds.includes('party') ? mirror.readOnce('parties by name', () => partiesWithNames(mirror)) : [];
  const parties = allParties.filter(({ names }) => matchesPrefixes(names)).map(({ party }) => party);
  // People come first, but must not displace every party from a short list. The last line removes duplicates.
  const candidates = [...matchingRecords(false), ...people.slice(0, 5), ...parties.slice(0, 3), ...people, ...parties];
  // If at least five records contain each word, it is correctly spelt: suggest no similar names.
  const hasOnlyCommonWords = () => proseTokens(q).every((token) => termsOf(mirror).countRecords(token) >= 5);
  const records = candidates.length > 0 || hasOnlyCommonWords() ? candidates : matchingRecords(true);
  return [...new Map(records.map((each) => [each.slug, each])).values()].slice(0, limit);
}

/** Returns a function: true if every word of the query is a prefix of a word of a text, or of a list of words. */
export function createPrefixMatcher(query: string): (text: string | readonly string[]) => boolean {
  const queryWords = nameWords(query);
  return (text) => {
    const words = typeof text === 'string' ? nameWords(text) : text;
    return queryWords.every((queryWord) => words.some((word) => word.startsWith(queryWord)));
  };
}

/** Returns all parties and groups with the words of their names; those that still exist come first. */
function partiesWithNames(mirror: Mirror): { party: Document; names: string[] }[] {
  const allParties = parseItems(listParties(mirror).items);
  return sortFirst(allParties, (party) => textOf(party, 'end_date') === null).map((party) => ({
    party,
    names: nameWords(`${textOf(party, 'name') ?? ''} ${textOf(party, 'short_name') ?? ''}`),
  }));
}

const parseItems = (items: Iterable<string>): Document[] => JSON.parse(`[${[...items].join(',')}]`);

const sortFirst = (documents: Document[], isFirst: (document: Document) => boolean) =>
  documents.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
