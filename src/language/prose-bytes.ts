import { stripInvisible } from './fold.ts';
import { once } from './once.ts';
import { analyseLexeme, latinLetter, lexemeFrom, tokensOfWord, wordCharacter } from './prose.ts';

/** A growing text in UTF-8. */
export type GrowingText = { bytes: Buffer; end: number };

/** Maximum UTF-8 bytes per UTF-16 unit. */
const maxBytesPerUnit = 3;

/** Appends a text, growing the buffer if necessary. */
export function appendText(to: GrowingText, text: string): void {
  reserve(to, text.length * maxBytesPerUnit);
  to.end += to.bytes.write(text, to.end);
}

function reserve(to: GrowingText, more: number): void {
  if (to.end + more <= to.bytes.length) return;
  const grown = Buffer.allocUnsafeSlow(2 * (to.end + more));
  to.bytes.copy(grown, 0, 0, to.end);
  to.bytes = grown;
}

/** Character classes of `appendProse`; a word with a character of class 0 is left to the pattern of lexemes. */
const wordClass = 1;
const apostropheClass = 2;
const pointClass = 3;
const separatorClass = 4;

function classesOfCharacters(): Uint8Array {
  const [isLetter, isInWord] = [latinLetter, wordCharacter].map((pattern) => new RegExp(`^${pattern}$`));
  // A degree sign after an N forms one word with it, and a percent sign is a word.
  const classOf = (character: string) =>
    isLetter!.test(character) ? wordClass : isInWord!.test(character) || '%°º'.includes(character) ? 0 : separatorClass;
  const classes = new Uint8Array(2 ** 16);
  for (let code = 0; code <= 0x206f; code += 1) classes[code] = classOf(String.fromCharCode(code));
  for (const each of "'’") classes[each.charCodeAt(0)] = apostropheClass;
  classes['.'.charCodeAt(0)] = pointClass;
  return classes;
}

const cachedWords = once(() => ({
  classes: classesOfCharacters(),
  /** Offsets of words in `store` by hash, 0 if free; there are more slots than words that fit into `store`. */
  slots: new Int32Array(2 ** 19),
  /** For each word: its length, the length of its tokens in bytes, its UTF-16 units, and these bytes. */
  store: new Uint16Array(2 ** 21),
  used: 1,
}));
type WordCache = ReturnType<typeof cachedWords>;

/** Longest cached word in UTF-16 units. */
const maxCachedLength = 64;

type WordRange = { from: number; to: number; hash: number };

/** Appends the tokens of `proseTokens`, a space after each; twice as fast, since no word becomes a string. */
export function appendProse(to: GrowingText, written: string): void {
  const remembered = cachedWords();
  const { classes } = remembered;
  const text = stripInvisible(written);
  const { length } = text;
  for (let from = 0; from < length; ) {
    const first = classes[text.charCodeAt(from)]!;
    if (first === separatorClass || first === pointClass) {
      from += 1;
      continue;
    }
    let end = from;
    let hash = 0;
    let isElided = false;
    let next = first;
    while (next === wordClass || next === apostropheClass) {
      isElided ||= next === apostropheClass;
      hash = Math.imul(hash ^ text.charCodeAt(end), 0x85ebca6b);
      hash ^= hash >>> 15;
      end += 1;
      next = end < length ? classes[text.charCodeAt(end)]! : separatorClass;
    }
    // A point may belong to an abbreviation.
    const isEnd = next === separatorClass || (next === pointClass && !isElided && end - from > 2);
    if (first === wordClass && isEnd && end - from <= maxCachedLength) {
      appendTokens(to, remembered, cacheWord(remembered, text, { from, to: end, hash }));
      from = end;
      continue;
    }
    const match = lexemeFrom(text, from);
    if (match === null) return;
    appendText(to, withSpace(analyseLexeme(match.lexeme)));
    from = match.end;
  }
}

const withSpace = (tokens: string): string => (tokens === '' ? '' : `${tokens} `);

function appendTokens(to: GrowingText, { store }: WordCache, entryOffset: number): void {
  const count = store[entryOffset + 1]!;
  reserve(to, count);
  const { bytes, end } = to;
  const from = entryOffset + 2 + store[entryOffset]!;
  for (let nth = 0; nth < count; nth += 1) bytes[end + nth] = store[from + nth]!;
  to.end += count;
}

/** Returns the offset of a word in the cache, adding it if missing. */
function cacheWord(cache: WordCache, text: string, word: WordRange): number {
  const { slots, store } = cache;
  let slot = word.hash & (slots.length - 1);
  for (let entryOffset = slots[slot]!; entryOffset !== 0; entryOffset = slots[slot]!) {
    if (isWordAt(store, entryOffset, text, word)) return entryOffset;
    slot = (slot + 1) & (slots.length - 1);
  }
  const written = text.slice(word.from, word.to);
  const tokens = Buffer.from(withSpace(tokensOfWord(written)));
  const size = 2 + written.length + tokens.length;
  if (cache.used + size > store.length) {
    slots.fill(0);
    cache.used = 1;
    slot = word.hash & (slots.length - 1);
  }
  const entryOffset = cache.used;
  store[entryOffset] = written.length;
  store[entryOffset + 1] = tokens.length;
  for (let nth = 0; nth < written.length; nth += 1) store[entryOffset + 2 + nth] = written.charCodeAt(nth);
  store.set(tokens, entryOffset + 2 + written.length);
  slots[slot] = entryOffset;
  cache.used += size;
  return entryOffset;
}

function isWordAt(store: Uint16Array, entryOffset: number, text: string, { from, to }: WordRange): boolean {
  if (store[entryOffset] !== to - from) return false;
  const offset = entryOffset + 2 - from;
  for (let at = from; at < to; at += 1) if (store[offset + at] !== text.charCodeAt(at)) return false;
  return true;
}
