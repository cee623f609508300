import { stemmer } from '@orama/stemmers/french';
import { fold } from './fold.ts';

/** Endings that the index writes shorter than French does, and those that lost their accent, as the stemmer knows them. */
const restored: readonly (readonly [RegExp, string])[] = [
  [/eu$/, 'eur'],
  [/ic$/, 'ique'],
  [/it$/, 'ité'],
  [/(?<=.{3})iss(?:ent|ait|aient)$/, 'ir'],
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

/** What a verb of the first two groups may end in where the index keeps its ending, longest first; nouns of its family do not. */
const verbEnding = /(?:iss(?:aient|ait|ent|ez|on)|er(?:aient|ait|ont|ez|on)|aient|ait|ent|ez|on|er|ir)$/;
const leastOfVerb = 3;

/** What is left of a verb whose last syllable changes with its ending, and of its forms without one: achète, acheter. */
const changingRoot = /e[bcdgl-np-tv]$/;

/** True for two tokens of one family that are forms of one verb, rather than a noun and what is derived from it. */
export function areOfOneVerb(one: string, other: string): boolean {
  const [root, otherRoot] = [verbRoot(one), verbRoot(other)];
  return root !== null && root === otherRoot;
}

function verbRoot(token: string): string | null {
  const root = token.replace(verbEnding, '');
  if (root.length < leastOfVerb) return null;
  return root !== token || changingRoot.test(root) ? root : null;
}
