import { fold } from '../language/fold.ts';

/** A key equal for all spellings of a text's name: words without case, accents, punctuation and direct repetition. */
export function textKey(name: string): string {
  // The last step turns l'aide à l'aide à mourir into l'aide à mourir.
  return fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(?<!\S)(\S+ \S+ (?:\S+ )*)\1/gu, '$1');
}
