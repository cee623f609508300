import { analyseLexeme, lexemes } from './prose.ts';
import type { QueryTerm } from './query.ts';

const maxScanned = 20_000;
const elided = /^(?:['’‘]|(?:[ldjmtsnc]|(?:jus|lors|puis|quoi)?qu)['’])+/i;
const closing = /['’`]+$/;

/** How a snippet is made: its length without the marks, and what stands before and after each match. */
export type SnippetOptions = { maxChars?: number; open?: string; close?: string };

type Span = { start: number; end: number };
type Hit = Span & { token: string };

/**
 * Returns the part of the original text where most terms are found (then most matches, then the earliest), with
 * white space as single spaces, cut between words and with "…" where something is left out: `maxChars` characters
 * (160), plus the marks. Words match by their tokens ("retraites" finds "retraite"), in the first 20,000
 * characters; with no match the beginning comes back.
 */
export function snippet(text: string, terms: readonly QueryTerm[], options: SnippetOptions = {}): string {
  const { maxChars = 160, open = '', close = '' } = options;
  if (maxChars < 3) return '…'.slice(0, maxChars);
  const source = text.slice(0, maxScanned).replace(/\s+/g, ' ').trim();
  const isWhole = text.length <= maxScanned;
  const hits = findHits(source, createMatcher(terms));
  if (isWhole && source.length <= maxChars)
    return mark(source, hits, { start: 0, end: source.length, open, close });
  const shown = widen(source, bestSpan(hits, maxChars - 2), maxChars - 2);
  const marked = mark(source, hits, { ...shown, open, close });
  return `${shown.start > 0 ? '…' : ''}${marked}${shown.end < source.length || !isWhole ? '…' : ''}`;
}

type Matcher = (tokens: string) => string | undefined;

/** A matcher takes the tokens of a lexeme and answers the token of the query that is among them, if any. */
function createMatcher(terms: readonly QueryTerm[]): Matcher {
  const exact = new Set(terms.flatMap(({ prose, prefix }) => (prefix ? prose.slice(0, -1) : prose)));
  const prefixes = terms.flatMap(({ prose, prefix }) => (prefix ? prose.slice(-1) : []));
  const match: Matcher = (token) =>
    exact.has(token) ? token : prefixes.find((prefix) => token.startsWith(prefix));
  return (tokens) => {
    if (!tokens.includes(' ')) return match(tokens);
    const found = tokens.split(' ').find((token) => match(token) !== undefined);
    return found === undefined ? undefined : match(found);
  };
}

function findHits(source: string, match: Matcher): Hit[] {
  const hits: Hit[] = [];
  let from = 0;
  for (const written of lexemes(source)) {
    const at = source.indexOf(written, from);
    from = at + written.length;
    const token = match(analyseLexeme(written));
    if (token === undefined) continue;
    const start = at + (elided.exec(written)?.[0].length ?? 0);
    hits.push({ token, start, end: from - (closing.exec(written)?.[0].length ?? 0) });
  }
  return hits;
}

/** The span of at most `room` characters, from one hit to another, that holds most tokens of the query. */
function bestSpan(hits: Hit[], room: number): Span {
  const counts = new Map<string, number>();
  let best = { start: 0, end: 0, tokens: 0, hits: 0 };
  let first = 0;
  for (const [last, { token, end }] of hits.entries()) {
    counts.set(token, (counts.get(token) ?? 0) + 1);
    while (first < last && end - (hits[first] as Hit).start > room) {
      forget(counts, (hits[first] as Hit).token);
      first += 1;
    }
    const span = { start: (hits[first] as Hit).start, end, tokens: counts.size, hits: last - first + 1 };
    if (span.tokens > best.tokens || (span.tokens === best.tokens && span.hits > best.hits)) best = span;
  }
  return best;
}

function forget(counts: Map<string, number>, token: string): void {
  const count = counts.get(token) ?? 0;
  if (count > 1) counts.set(token, count - 1);
  else counts.delete(token);
}

/** The span with as much before and after it as `room` allows, up to the ends of words. */
function widen(source: string, span: Span, room: number): Span {
  const spare = Math.max(0, room - (span.end - span.start));
  const before = Math.min(span.start, Math.floor(spare / 2));
  const start = Math.max(0, Math.min(span.start - before, source.length - room));
  const end = Math.min(source.length, start + room);
  return { start: startOfWord(source, start, span.start), end: endOfWord(source, end, span.end) };
}

function startOfWord(source: string, start: number, match: number): number {
  if (start <= 0 || source[start - 1] === ' ') return start;
  const space = source.indexOf(' ', start);
  return space !== -1 && space < match ? space + 1 : Math.max(start, match);
}

function endOfWord(source: string, end: number, match: number): number {
  if (end >= source.length || source[end] === ' ') return end;
  const space = source.lastIndexOf(' ', end);
  if (space > match) return space;
  const cut = match > 0 ? Math.min(match, end) : end;
  return /[\ud800-\udbff]/.test(source[cut - 1] ?? '') ? cut - 1 : cut;
}

type Marks = Span & { open: string; close: string };

function mark(source: string, hits: Hit[], { start, end, open, close }: Marks): string {
  if (open === '' && close === '') return source.slice(start, end);
  let marked = '';
  let from = start;
  for (const hit of hits) {
    if (hit.start < start || hit.end > end || hit.start < from) continue;
    marked += `${source.slice(from, hit.start)}${open}${source.slice(hit.start, hit.end)}${close}`;
    from = hit.end;
  }
  return marked + source.slice(from, end);
}
