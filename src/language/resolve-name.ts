import { nameTokens, nameWords } from './name.ts';
import { byName, type Named, nearMisses } from './near-miss.ts';

const maxSuggestions = 5;

/** A single word as short as that is an acronym: it is never taken for the beginning of another word. */
const longestAcronym = 3;

/** Something that a name may mean; `preference` decides between those of one short name, the highest first. */
export type Candidate = Named & { shortName?: string | null; preference?: number };

/** What a name stands for: one key, several candidates between which nobody may choose, or nothing but guesses. */
export type Resolution =
  | { match: 'one'; key: string }
  | { match: 'several'; candidates: Named[] }
  | { match: 'none'; suggestions: Named[] };

/**
 * Returns what a person meant by a slug or a name. The first step that finds anything decides: the key itself; the
 * short name (of several with one preference nobody chooses); the whole name, whatever its accents, hyphens, spaces
 * and order of words; all words as whole words of the name; all words as beginnings of its words. Near misses are only
 * ever suggested (5 at most); candidates with the same key count once.
 */
export function resolveName(input: string, candidates: Iterable<Candidate>): Resolution {
  const all = [...candidates];
  const steps = [keyTest, shortNameTest, wholeNameTest, wholeWordsTest, prefixTest];
  for (const step of steps) {
    const matching = all.filter(step(input));
    const found = distinct(step === shortNameTest ? preferred(matching) : matching);
    const [first] = found;
    if (first !== undefined && found.length === 1) return { match: 'one', key: first.key };
    if (found.length > 1) return { match: 'several', candidates: found.sort(byName) };
  }
  const near = [...all.filter(acronymTest(input)), ...nearMisses(input, all, maxSuggestions)];
  return { match: 'none', suggestions: distinct(near).slice(0, maxSuggestions) };
}

/** Every candidate that bears exactly that short name. */
export function bearersOf(shortName: string, candidates: Iterable<Candidate>): Candidate[] {
  return [...candidates].filter(shortNameTest(shortName));
}

type Test = (candidate: Candidate) => boolean;

function keyTest(input: string): Test {
  const slug = input.trim();
  return ({ key }) => key === slug || key === slug.toLowerCase();
}

function shortNameTest(input: string): Test {
  const short = nameWords(input).join('');
  return ({ shortName }) => short !== '' && !!shortName && nameWords(shortName).join('') === short;
}

/** Short names that begin with the acronym, as LFI-NFP does with LFI: never chosen, only suggested. */
function acronymTest(input: string): Test {
  const [first, ...more] = nameWords(input);
  return ({ shortName }) => more.length === 0 && !!first && !!shortName && nameWords(shortName)[0] === first;
}

function preferred(found: Candidate[]): Candidate[] {
  const most = Math.max(...found.map(({ preference = 0 }) => preference));
  return found.filter(({ preference = 0 }) => preference === most);
}

/** Spaces may be anywhere or nowhere when the order is the name's own or turned (LEROC Anne); else words must be. */
function wholeNameTest(input: string): Test {
  const words = nameWords(input);
  const turned = new Set(words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join('')));
  const sorted = words.toSorted().join(' ');
  return ({ name }) => {
    const parts = nameWords(name);
    return turned.has(parts.join('')) || (parts.length > 0 && parts.toSorted().join(' ') === sorted);
  };
}

function wholeWordsTest(input: string): Test {
  const words = nameWords(input);
  return ({ name }) => {
    const tokens = words.length === 0 ? [] : nameTokens(name);
    return tokens.length > 0 && words.every((word) => tokens.includes(word));
  };
}

function prefixTest(input: string): Test {
  const words = nameWords(input);
  const isAcronym = words.length === 1 && words[0]!.length <= longestAcronym;
  return ({ name }) => {
    if (words.length === 0 || isAcronym) return false;
    const tokens = nameTokens(name);
    return words.every((word) => tokens.some((token) => token.startsWith(word)));
  };
}

function distinct(named: Candidate[]): Named[] {
  return [...new Map(named.map(({ key, name }) => [key, { key, name }])).values()];
}
