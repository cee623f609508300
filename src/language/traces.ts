import { createHmac } from 'node:crypto';
import { fold } from './fold.ts';

/** Irreversible fingerprint of successive words of withheld text: their number, a hash as fast filter, their HMAC. */
export type Trace = { words: number; filter: number; digest: string };

/** HMAC-SHA256, hexadecimal. */
export const keyedHash = (salt: string, text: string): string => createHmac('sha256', salt).update(text).digest('hex');

const wordsPerTrace = 4;
const maxTraces = 16;

/** Escaped characters of HTML, JSON and URLs; they separate words like the characters themselves. */
const escapes = /&(?:#\w+|[a-z]+);|\\u[\da-f]{4}|\\[bfnrt]|%[\da-f]{2}/gi;

/** Words, and words joined by hyphens, underscores, points or colons, such as slugs and ids. */
const tokensIn = (text: string): string[] =>
  text.replace(escapes, ' ').match(/[\p{L}\p{M}\p{N}]+(?:[-_.:][\p{L}\p{M}\p{N}]+)*/gu) ?? [];

/** FNV-1a hash of a word with a seed. */
function hashOfWord(word: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 16777619);
  return hash;
}

const extend = (before: number, hash: number): number => (Math.imul(before, 31) + hash) | 0;

function traceOf(words: string[], salt: string): Trace {
  const seed = seedOf(salt);
  const filter = words.reduce((hash, word) => extend(hash, hashOfWord(word, seed)), 0);
  return { words: words.length, filter, digest: keyedHash(salt, words.join(' ')) };
}

const seedOf = (salt: string) => hashOfWord(salt, 0);

/** The traces of a text: one for every four words, at most 16; one for a name of two or three words. */
export function tracesOf(text: string, salt: string, isName = false): Trace[] {
  const words = tokensIn(text).flatMap((token) => fold(token).split(/[-_.:]/));
  if (words.length < wordsPerTrace) return isName && words.length > 1 ? [traceOf(words, salt)] : [];
  const traces: Trace[] = [];
  for (let at = 0; at + wordsPerTrace <= words.length && traces.length < maxTraces; at += wordsPerTrace)
    traces.push(traceOf(words.slice(at, at + wordsPerTrace), salt));
  return traces;
}

/** True for a token like an id or a slug; a number or a word is too ambiguous. */
const mayBeKey = (token: string) => token.length >= 4 && /[\d_.:-]/.test(token) && /\p{L}/u.test(token);

const maxCached = 500_000;

/** Creates a function that returns which stored traces are in successive chunks of a text, and keys of ids or slugs. */
export function createTraceScanner<Stored extends Trace, Key>(
  traces: readonly Stored[],
  { salt, findKey }: { salt: string; findKey(token: string): Key | null },
) {
  const byFilter = Map.groupBy(traces, ({ filter }) => filter);
  const wordCounts = [...new Set(traces.map(({ words }) => words))];
  const seed = seedOf(salt);
  type Entry = { words: string[]; hashes: number[]; keys: Key[] };
  const entryCache = new Map<string, Entry>();
  const readToken = (token: string): Entry => {
    const words = fold(token).split(/[-_.:]/);
    const possibleKeys = [...new Set([token, ...token.split(/[.:]/)])].filter(mayBeKey);
    const hashes = words.map((word) => hashOfWord(word, seed));
    const entry = { words, hashes, keys: possibleKeys.flatMap((each) => findKey(each) ?? []) };
    if (entryCache.size >= maxCached) entryCache.clear();
    entryCache.set(token, entry);
    return entry;
  };
  return async (chunks: AsyncIterable<string> | Iterable<string>): Promise<Set<Stored | Key>> => {
    const hits = new Set<Stored | Key>();
    // The last four words and their hashes, each at its index modulo four.
    const lastWords: string[] = [];
    const lastHashes: number[] = [];
    let count = 0;
    const addHits = (size: number, candidates: readonly Stored[]) => {
      const words = Array.from({ length: size }, (_, at) => lastWords[(count - size + at) % wordsPerTrace]!);
      const digest = keyedHash(salt, words.join(' '));
      for (const each of candidates) if (each.digest === digest) hits.add(each);
    };
    const scan = (text: string) => {
      for (const token of tokensIn(text)) {
        const { words, hashes, keys } = entryCache.get(token) ?? readToken(token);
        for (const key of keys) hits.add(key);
        for (let at = 0; at < words.length; at += 1) {
          lastWords[count % wordsPerTrace] = words[at]!;
          lastHashes[count % wordsPerTrace] = hashes[at]!;
          count += 1;
          for (const size of wordCounts) {
            if (size > count) continue;
            let filter = 0;
            for (let from = count - size; from < count; from += 1)
              filter = extend(filter, lastHashes[from % wordsPerTrace]!);
            const candidates = byFilter.get(filter);
            if (candidates !== undefined) addHits(size, candidates);
          }
        }
      }
    };
    let pendingText = ''; // its last word may continue in the next chunk
    for await (const chunk of chunks) {
      const text = pendingText + chunk;
      let end = text.length;
      while (end > 0 && text.length - end < 1000 && !/[\s",<>]/.test(text[end - 1]!)) end -= 1;
      pendingText = text.slice(end);
      scan(text.slice(0, end));
    }
    scan(pendingText);
    return hits;
  };
}
