import { type Acronym, acronymsIn } from '../../language/acronym.ts';
import { analyseName } from '../../language/name.ts';
import { appendProse, appendText, type GrowingText } from '../../language/prose-bytes.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { readCached } from '../cached.ts';

/** Row of the full-text index (name, title, body, about as UTF-8 tokens), and the acronyms that the record defines. */
export type IndexEntry = { columns: Uint8Array[]; acronyms: Acronym[] };

const scratch = Buffer.allocUnsafeSlow(2 ** 16);

/** Returns the index row of a document; its bytes last until the next call. */
export function indexEntryOf(kind: Kind, document: Document): IndexEntry {
  const buffer = { bytes: scratch, end: 0 };
  const ends = appendEntry(buffer, kind, document);
  const columns = ends.map((end, nth) => buffer.bytes.subarray(ends[nth - 1] ?? 0, end));
  return { columns, acronyms: acronymsOf(kind, document) };
}

/** Appends the index row of a document and returns the end of each column. Any thread can run it. */
export function appendEntry(target: GrowingText, { search }: Kind, document: Document): number[] {
  const textsOf = (fields: string[]) =>
    fields.map((field) => document[field]).filter((value) => typeof value === 'string');
  const ends: number[] = [];
  for (const each of textsOf(search.name)) appendText(target, `${analyseName(each)} `);
  ends.push(target.end);
  for (const fields of [search.title, search.body]) {
    for (const each of textsOf(fields)) appendProse(target, each);
    ends.push(target.end);
  }
  const { text } = document;
  const hasText = search.body.includes('text') && typeof text === 'string' && /\S/.test(text);
  appendText(target, `${slugWords(document, search.about)} ${hasText ? hashPlaceholder : ''}`);
  return [...ends, target.end];
}

/** The acronyms that a document defines. */
export const acronymsOf = ({ search }: Kind, document: Document): Acronym[] =>
  search.body.flatMap((field) => acronymsIn(textOf(document, field) ?? ''));

/** Token in place of the text hash indexed before schema 4, so that old and new texts have equal lengths and ranks. */
const hashPlaceholder = '_';

const highMultiplier = 0x85ebca6b;
const lowMultiplier = 0xc2b2ae35;

/** 52-bit integer hash of a record's text, ignoring white space; null without a text. */
export function textHash(kind: Kind, document: Document): number | null {
  const { text } = document;
  if (!kind.search.body.includes('text') || typeof text !== 'string') return null;
  // Start with 32-bit integers: V8 is ten times slower with others.
  let highBits = 0x9e3779b9 | 0;
  let lowBits = 0x7f4a7c15;
  let isEmpty = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 160 || code === 0x202f) continue;
    isEmpty = false;
    highBits = Math.imul(highBits ^ code, highMultiplier);
    highBits ^= highBits >>> 15;
    lowBits = Math.imul(lowBits ^ code, lowMultiplier);
    lowBits ^= lowBits >>> 13;
  }
  return isEmpty ? null : (highBits >>> 0) * 2 ** 20 + (lowBits & 0xfffff);
}

/** Slugs are indexed as names, so that a query for a name and a subject matches the politician's texts. */
function slugWords(document: Document, fields: string[]): string {
  const slugs = fields.map((field) => slugOf(document[field])).filter((slug) => slug !== null);
  const text = slugs.join(' ');
  return readCached(namesBySlug, text, { compute: () => analyseName(text.replaceAll('-', ' ')), most: 20_000 });
}

const namesBySlug = new Map<string, string>();
