import { nameTokens, nameWords } from './name.ts';
import { byName, type Named, nearMisses } from './near-miss.ts';

const maxSuggestions = 5;

/** What a name stands for: one key, several candidates between which nobody may choose, or nothing but guesses. */
export type Resolution =
  | { match: 'one'; key: string }
  | { match: 'several'; candidates: Named[] }
  | { match: 'none'; suggestions: Named[] };

/**
 * Returns what a person meant by a slug or a name. The first step that finds anything decides: the key itself;
 * the whole name, whatever its accents, hyphens, spaces and order of words; words that all begin words of the
 * name. Near misses are only ever suggested (5 at most); candidates with the same key count once.
 */
export function resolveName(input: string, candidates: Iterable<Named>): Resolution {
  const all = [...candidates];
  for (const step of [keyTest(input), wholeNameTest(input), prefixTest(input)]) {
    const found = distinct(all.filter(step));
    const [first] = found;
    if (first !== undefined && found.length === 1) return { match: 'one', key: first.key };
    if (found.length > 1) return { match: 'several', candidates: found.sort(byName) };
  }
  return { match: 'none', suggestions: distinct(nearMisses(input, all, maxSuggestions)) };
}

type Test = (candidate: Named) => boolean;

function keyTest(input: string): Test {
  const slug = input.trim();
  return ({ key }) => key === slug || key === slug.toLowerCase();
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

function prefixTest(input: string): Test {
  const words = nameWords(input);
  return ({ name }) => {
    if (words.length === 0) return false;
    const tokens = nameTokens(name);
    return words.every((word) => tokens.some((token) => token.startsWith(word)));
  };
}

function distinct(named: Named[]): Named[] {
  return [...new Map(named.map(({ key, name }) => [key, { key, name }])).values()];
}
