import { createHmac } from 'node:crypto';
import { fold } from './fold.ts';

/** Some successive words of a text, which can be recognised but not read: their number, a seeded hash, and their HMAC. */
export type Trace = { words: number; filter: number; digest: string };

/** HMAC-SHA256, hexadecimal. */
export const keyedHash = (salt: string, text: string): string => createHmac('sha256', salt).update(text).digest('hex');

const wordsOfTrace = 4;
const mostTraces = 16;

/** Words, also joined ones such as slugs and ids. */
const tokens = /[\p{L}\p{M}\p{N}]+(?:[-_.:][\p{L}\p{M}\p{N}]+)*/gu;

/** Characters as HTML, JSON and addresses write them; they part words like the character itself. */
const escapes = /&(?:#\w+|[a-z]+);|\\u[\da-f]{4}|\\[bfnrt]|%[\da-f]{2}/gi;

const tokensIn = (text: string): string[] => text.replace(escapes, ' ').match(tokens) ?? [];

/** The hash of a word (FNV-1a), and of a run of words by those of its words. */
function hashOfWord(word: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 16777619);
  return hash;
}

const joined = (before: number, hash: number): number => (Math.imul(before, 31) + hash) | 0;

function traceOf(words: string[], salt: string): Trace {
  const seed = seedOf(salt);
  const filter = words.reduce((hash, word) => joined(hash, hashOfWord(word, seed)), 0);
  return { words: words.length, filter, digest: keyedHash(salt, words.join(' ')) };
}

const seedOf = (salt: string) => hashOfWord(salt, 0);

/** The traces of a text: of four words each, or of all where a name has fewer; none of a single word. */
export function tracesOf(text: string, salt: string, isName = false): Trace[] {
  const words = tokensIn(text).flatMap((token) => fold(token).split(/[-_.:]/));
  if (words.length < wordsOfTrace) return isName && words.length > 1 ? [traceOf(words, salt)] : [];
  const traces: Trace[] = [];
  for (let at = 0; at + wordsOfTrace <= words.length && traces.length < mostTraces; at += wordsOfTrace)
    traces.push(traceOf(words.slice(at, at + wordsOfTrace), salt));
  return traces;
}

/** An id or a slug: a number or a plain word alone may mean anything. */
const isKey = (token: string) => token.length >= 4 && /[\d_.:-]/.test(token) && /\p{L}/u.test(token);

const mostCached = 500_000;

/**
 * Looks for traces and keys in chunks of text. `onHit` is called with each trace that occurs, and with what `keyed`
 * returns for a token that may be a key, unless that is null.
 */
export function createTraceScanner<Stored extends Trace, Key>(
  traces: readonly Stored[],
  { salt, keyed, onHit }: { salt: string; keyed(token: string): Key | null; onHit(hit: Stored | Key): void },
) {
  const byFilter = Map.groupBy(traces, ({ filter }) => filter);
  const sizes = [...new Set(traces.map(({ words }) => words))];
  const seed = seedOf(salt);
  type Entry = { words: string[]; hashes: number[]; keys: Key[] };
  const cached = new Map<string, Entry>();
  const read = (token: string): Entry => {
    const words = fold(token).split(/[-_.:]/);
    const names = [...new Set([token, ...token.split(/[.:]/)])].filter(isKey);
    const hashes = words.map((word) => hashOfWord(word, seed));
    const entry = { words, hashes, keys: names.flatMap((name) => keyed(name) ?? []) };
    if (cached.size >= mostCached) cached.clear();
    cached.set(token, entry);
    return entry;
  };
  let pending = '';
  // The last words and their hashes, each at its number modulo four.
  const last: string[] = [];
  const hashes: number[] = [];
  let count = 0;
  const report = (size: number, candidates: readonly Stored[]) => {
    const words = Array.from({ length: size }, (_, at) => last[(count - size + at) % wordsOfTrace]!);
    const digest = keyedHash(salt, words.join(' '));
    candidates.filter((each) => each.digest === digest).forEach(onHit);
  };
  const scan = (text: string) => {
    for (const token of tokensIn(text)) {
      const entry = cached.get(token) ?? read(token);
      entry.keys.forEach(onHit);
      for (let at = 0; at < entry.words.length; at += 1) {
        last[count % wordsOfTrace] = entry.words[at]!;
        hashes[count % wordsOfTrace] = entry.hashes[at]!;
        count += 1;
        for (const size of sizes) {
          if (size > count) continue;
          let filter = 0;
          for (let from = count - size; from < count; from += 1) filter = joined(filter, hashes[from % wordsOfTrace]!);
          const candidates = byFilter.get(filter);
          if (candidates !== undefined) report(size, candidates);
        }
      }
    }
  };
  return {
    /** Reads a chunk; a word at its end may go on in the next one. */
    add(chunk: string): void {
      const text = pending + chunk;
      let end = text.length;
      while (end > 0 && text.length - end < 1000 && !/[\s",<>]/.test(text[end - 1]!)) end -= 1;
      pending = text.slice(end);
      scan(text.slice(0, end));
    },
    /** Reads what is left, and begins anew. */
    end(): void {
      scan(pending);
      pending = '';
      count = 0;
    },
  };
}
