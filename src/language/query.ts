import { cutToken } from './fold.ts';
import { nameWords } from './name.ts';
import { proseTokens } from './prose.ts';

const maxTerms = 32;
const maxTokensOfTerm = 32;
const maxQueryLength = 10_240;
const quotes = /[“”„«»＂]/g;

/** A phrase, a number written in groups of three digits, or whatever has no space in it. */
const term = /"([^"]*)"(\*?)|(?<![^\s"])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))+[^\s"]*|[^\s"]+/g;

/**
 * One word or phrase of a query: as typed, as prose indexes it (at least one token), as names do (its parts, and
 * these joined); a prefix is one of its last token.
 */
export type QueryTerm = {
  text: string;
  prose: string[];
  name: string[];
  nameJoined: string;
  phrase: boolean;
  prefix: boolean;
};

/**
 * Returns the terms of what a person typed: words, "phrases" and prefixes*; AND, OR and NOT are words, a quote
 * without its pair is ignored, terms with nothing to look for are dropped. At most 32 terms of 32 tokens come
 * back, from the first 10,240 characters; never throws.
 */
export function parseQuery(query: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (const [written, phrase, star] of balanceQuotes(query.slice(0, maxQueryLength)).matchAll(term)) {
    const parsed = phrase === undefined ? readTerm(written, false) : readTerm(phrase + star, true);
    if (parsed.prose.length > 0) terms.push(parsed);
    if (terms.length === maxTerms) break;
  }
  return terms;
}

function readTerm(written: string, phrase: boolean): QueryTerm {
  const text = written.trim().replace(/\*+$/, '').trim();
  const name = nameWords(text).slice(0, maxTokensOfTerm);
  return {
    text,
    prose: proseTokens(text).slice(0, maxTokensOfTerm),
    name,
    nameJoined: cutToken(name.join('')),
    phrase,
    prefix: written.trimEnd().endsWith('*'),
  };
}

function balanceQuotes(query: string): string {
  const plain = query.replace(quotes, '"');
  const last = plain.lastIndexOf('"');
  const paired = (plain.split('"').length - 1) % 2 === 0;
  return paired ? plain : `${plain.slice(0, last)} ${plain.slice(last + 1)}`;
}
