import { stemmer } from '@orama/stemmers/french';
import { fold } from './fold.ts';

/** Endings that the index writes shorter than French does, and those that lost their accent, as the stemmer knows them. */
const restored: readonly (readonly [RegExp, string])[] = [
  [/eu$/, 'eur'],
  [/ic$/, 'ique'],
  [/it$/, 'ité'],
  // They vote: an ending that the stemmer leaves, for nouns and adverbs have it, too.
  [/(?<=[^m]|[^ae]mm)ent$/, 'er'],
];

/** A word that begins so may be of the family: shorter stems name too much. */
const leastShared = 4;

/**
 * Returns what a token of the index shares with the other words of its family (forestier, forestière; agricole,
 * agriculture do not): the Snowball stem of what it stood for, folded. A coarser key than the token itself.
 */
export function familyOf(token: string): string {
  const rule = restored.find(([ending]) => token.length > 5 && ending.test(token));
  return fold(stemmer(rule ? token.replace(rule[0], rule[1]) : token));
}

/** Returns what every word of a token's family begins with in the index; null where that would name too much. */
export function familyBeginning(token: string): string | null {
  const shared = familyOf(token);
  const beginning = token.startsWith(shared) ? shared : commonBeginning(token, shared);
  if (beginning.length >= leastShared) return beginning;
  return token.length >= leastShared ? token.slice(0, leastShared) : null;
}

function commonBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
