import { stemmer } from '@orama/stemmers/french';
import { commonPrefix, fold } from './fold.ts';

const minPrefixLength = 4; // Shortest prefix that identifies a family; shorter stems match too many words.

/** Returns the folded Snowball stem of a token; it is the same for all words of a family (forestier, forestière). */
export const familyOf = (token: string): string => fold(stemmer(token));

/** A prefix of the words of a token's family in the index, of at least four letters; null for a shorter token. */
export function familyPrefix(token: string): string | null {
  const prefix = commonPrefix(token, familyOf(token));
  if (prefix.length >= minPrefixLength) return prefix;
  return token.length >= minPrefixLength ? token.slice(0, minPrefixLength) : null;
}

/** Endings of verbs of the first two groups that the index's stemmer keeps, longest first; nouns do not have them. */
const verbEnding = /(?:iss(?:aient|ait|ent|ez|on)|er(?:aient|ait|ont|ez|on)|aient|ait|ent|ez|on|er|ir)$/;
const minRootLength = 3;

/** Matches verb roots whose last syllable varies (achète, acheter): verb forms even without an ending. */
const changingRoot = /e[bcdgl-np-tv]$/;

/** True if two tokens of one family are forms of one verb, not a noun and its derivatives. */
export function areOfOneVerb(one: string, other: string): boolean {
  const root = verbRoot(one);
  return root !== null && root === verbRoot(other);
}

/** The token without a verb's ending; null if it has none or is too short. */
function verbRoot(token: string): string | null {
  const root = token.replace(verbEnding, '');
  if (root.length < minRootLength) return null;
  return root !== token || changingRoot.test(root) ? root : null;
}
