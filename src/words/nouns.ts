import words from './nouns.json' with { type: 'json' };

export type Noun = keyof typeof words;

/** Countable nouns, singular and plural; `french/words.json` has the same keys. */
export const nouns: Readonly<Record<Noun, readonly string[]>> = words;
