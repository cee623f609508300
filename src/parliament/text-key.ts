import { fold } from '../language/fold.ts';

/** Key of a bill's or motion's name, equal for all its spellings: folded words without punctuation and repetition. */
export function textKey(name: string): string {
  // The last step drops an immediate repetition of two or more words: "l'aide à l'aide à mourir".
  return fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(?<!\S)(\S+ \S+ (?:\S+ )*)\1/gu, '$1');
}
