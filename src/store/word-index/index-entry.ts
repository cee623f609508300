import { type Acronym, acronymsIn } from '../../language/acronym.ts';
import { analyseName } from '../../language/name.ts';
import { proseText } from '../../language/prose.ts';
import { type Document, slugOf, stringsOf, textOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { readCached } from '../cached.ts';

/** Row of the full-text index (tokens of its columns name, title, body, about), and acronyms defined in the text. */
export type IndexEntry = { columns: string[]; acronyms: Acronym[] };

/** Returns the index entry of a document; pure, so that any thread can run it. */
export function indexEntryOf(kind: Kind, document: Document): IndexEntry {
  const { search } = kind;
  const joinTokens = (fields: string[], toTokens: (text: string) => string) =>
    stringsOf(document, fields).map(toTokens).join(' ');
  const { text } = document;
  const hasText = search.body.includes('text') && typeof text === 'string' && /\S/.test(text);
  const columns = [
    joinTokens(search.name, analyseName),
    joinTokens(search.title, proseText),
    joinTokens(search.body, proseText),
    `${slugTokens(document, search.about)} ${hasText ? hashPlaceholder : ''}`,
  ];
  return { columns, acronyms: search.body.flatMap((field) => acronymsIn(textOf(document, field) ?? '')) };
}

/** Token in place of the text hash indexed before schema 4, so that old and new texts have equal lengths and ranks. */
const hashPlaceholder = '_';

const highMultiplier = 0x85ebca6b;
const lowMultiplier = 0xc2b2ae35;

/** 52-bit integer hash of a record's text, ignoring white space; null without a text. */
export function textHash(kind: Kind, document: Document): number | null {
  const { text } = document;
  if (!kind.search.body.includes('text') || typeof text !== 'string') return null;
  // `| 0` makes it a 32-bit integer: V8 is ten times slower with larger numbers.
  let highBits = 0x9e3779b9 | 0;
  let lowBits = 0x7f4a7c15;
  let isEmpty = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 160 || code === 0x202f) continue; // white space
    isEmpty = false;
    highBits = Math.imul(highBits ^ code, highMultiplier);
    highBits ^= highBits >>> 15;
    lowBits = Math.imul(lowBits ^ code, lowMultiplier);
    lowBits ^= lowBits >>> 13;
  }
  return isEmpty ? null : (highBits >>> 0) * 2 ** 20 + (lowBits & 0xfffff);
}

/** Tokenises slugs as names, so that a politician's name in a query matches the texts of this politician. */
function slugTokens(document: Document, fields: string[]): string {
  const slugs = fields.map((field) => slugOf(document[field])).filter((slug) => slug !== null);
  const text = slugs.join(' ');
  return readCached(tokensBySlugs, text, { compute: () => analyseName(text.replaceAll('-', ' ')), maxEntries: 20_000 });
}

const tokensBySlugs = new Map<string, string>();
