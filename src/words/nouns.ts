/** Union of the words of a literal text that are separated by single spaces. */
type WordsOf<Text extends string> = Text extends `${infer First} ${infer Others}` ? First | WordsOf<Others> : Text;

const regular =
  'abstention amendment ballot change contradiction day gap group hour member message minute politician position profile promise quote record request result row second source text topic version vote';
const invariable = 'added edited renamed returned unchanged withdrawn';
const irregular = {
  audit: ['entry of the moderation log', 'entries of the moderation log'],
  composed: ['profile composed', 'profiles composed'],
  content: ['text', 'texts'],
  missing: ['missing this time', 'missing this time'],
  'non-voter': ['declared non-voter', 'declared non-voters'],
  party: ['party', 'parties'],
  speech: ['speech', 'speeches'],
  watch: ['watch', 'watches'],
};

/** A word that `amount` counts: a noun, or a state such as `added`. */
export type Noun = WordsOf<typeof regular | typeof invariable> | keyof typeof irregular;

/** Singular and plural of each counted word; `french/words.json` has the same keys. */
export const nouns: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(regular.split(' ').map((noun) => [noun, [noun, `${noun}s`]])),
  ...Object.fromEntries(invariable.split(' ').map((noun) => [noun, [noun, noun]])),
  ...irregular,
};
