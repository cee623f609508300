import { stripInvisible } from './fold.ts';
import { once } from './once.ts';
import { analyseLexeme, inWord, letter, lexemeFrom, tokensOfWord } from './prose.ts';

/** A growing text in UTF-8. */
export type GrowingText = { bytes: Buffer; end: number };

/** Maximum UTF-8 bytes per UTF-16 unit. */
const bytesOfUnit = 3;

/** Appends a text, growing the buffer if necessary. */
export function appendText(to: GrowingText, text: string): void {
  reserve(to, text.length * bytesOfUnit);
  to.end += to.bytes.write(text, to.end);
}

function reserve(to: GrowingText, more: number): void {
  if (to.end + more <= to.bytes.length) return;
  const grown = Buffer.allocUnsafeSlow(2 * (to.end + more));
  to.bytes.copy(grown, 0, 0, to.end);
  to.bytes = grown;
}

/** Character classes of `appendProse`; a word with a character of class 0 is left to the pattern of lexemes. */
const ofWord = 1;
const apostrophe = 2;
const point = 3;
const between = 4;

function classesOfCharacters(): Uint8Array {
  const [isLetter, isInWord] = [letter, inWord].map((pattern) => new RegExp(`^${pattern}$`));
  // A degree sign after an N forms one word with it, and a percent sign is a word.
  const classOf = (character: string) =>
    isLetter!.test(character) ? ofWord : isInWord!.test(character) || '%°º'.includes(character) ? 0 : between;
  const classes = new Uint8Array(2 ** 16);
  for (let code = 0; code <= 0x206f; code += 1) classes[code] = classOf(String.fromCharCode(code));
  for (const each of "'’") classes[each.charCodeAt(0)] = apostrophe;
  classes['.'.charCodeAt(0)] = point;
  return classes;
}

const cachedWords = once(() => ({
  classes: classesOfCharacters(),
  /** Offsets of words in `store` by hash, 0 if free; there are more slots than words that fit into `store`. */
  places: new Int32Array(2 ** 19),
  /** For each word: its length, the length of its tokens in bytes, its UTF-16 units, and these bytes. */
  store: new Uint16Array(2 ** 21),
  used: 1,
}));
type Remembered = ReturnType<typeof cachedWords>;

/** Longest cached word in UTF-16 units. */
const mostUnits = 64;

type WordRange = { from: number; to: number; hash: number };

/** Appends the tokens of `proseTokens`, a space after each; twice as fast, since no word becomes a string. */
export function appendProse(to: GrowingText, written: string): void {
  const remembered = cachedWords();
  const { classes } = remembered;
  const text = stripInvisible(written);
  const { length } = text;
  for (let from = 0; from < length; ) {
    const first = classes[text.charCodeAt(from)]!;
    if (first === between || first === point) {
      from += 1;
      continue;
    }
    let end = from;
    let hash = 0;
    let isElided = false;
    let next = first;
    while (next === ofWord || next === apostrophe) {
      isElided ||= next === apostrophe;
      hash = Math.imul(hash ^ text.charCodeAt(end), 0x85ebca6b);
      hash ^= hash >>> 15;
      end += 1;
      next = end < length ? classes[text.charCodeAt(end)]! : between;
    }
    // A point may belong to an abbreviation.
    const isEnd = next === between || (next === point && !isElided && end - from > 2);
    if (first === ofWord && isEnd && end - from <= mostUnits) {
      appendTokens(to, remembered, placeOf(remembered, text, { from, to: end, hash }));
      from = end;
      continue;
    }
    const match = lexemeFrom(text, from);
    if (match === null) return;
    appendText(to, spaced(analyseLexeme(match.lexeme)));
    from = match.end;
  }
}

const spaced = (tokens: string): string => (tokens === '' ? '' : `${tokens} `);

function appendTokens(to: GrowingText, { store }: Remembered, entryOffset: number): void {
  const count = store[entryOffset + 1]!;
  reserve(to, count);
  const { bytes, end } = to;
  const from = entryOffset + 2 + store[entryOffset]!;
  for (let nth = 0; nth < count; nth += 1) bytes[end + nth] = store[from + nth]!;
  to.end += count;
}

/** Returns the offset of a word in the cache, adding it if missing. */
function placeOf(memory: Remembered, text: string, word: WordRange): number {
  const { places, store } = memory;
  let slot = word.hash & (places.length - 1);
  for (let entryOffset = places[slot]!; entryOffset !== 0; entryOffset = places[slot]!) {
    if (isWordAt(store, entryOffset, text, word)) return entryOffset;
    slot = (slot + 1) & (places.length - 1);
  }
  const written = text.slice(word.from, word.to);
  const tokens = Buffer.from(spaced(tokensOfWord(written)));
  const size = 2 + written.length + tokens.length;
  if (memory.used + size > store.length) {
    places.fill(0);
    memory.used = 1;
    slot = word.hash & (places.length - 1);
  }
  const entryOffset = memory.used;
  store[entryOffset] = written.length;
  store[entryOffset + 1] = tokens.length;
  for (let nth = 0; nth < written.length; nth += 1) store[entryOffset + 2 + nth] = written.charCodeAt(nth);
  store.set(tokens, entryOffset + 2 + written.length);
  places[slot] = entryOffset;
  memory.used += size;
  return entryOffset;
}

function isWordAt(store: Uint16Array, entryOffset: number, text: string, { from, to }: WordRange): boolean {
  if (store[entryOffset] !== to - from) return false;
  const offset = entryOffset + 2 - from;
  for (let at = from; at < to; at += 1) if (store[offset + at] !== text.charCodeAt(at)) return false;
  return true;
}
