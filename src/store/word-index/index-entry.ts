import { type Acronym, acronymsIn } from '../../language/acronym.ts';
import { analyseName } from '../../language/name.ts';
import { analyseProse } from '../../language/prose.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';

/**
 * The words of a record as its row of the full-text index holds them: tokens joined by one space, by column, as texts
 * or as their bytes in UTF-8; and the acronyms that it explains.
 */
export type IndexEntry<Words extends string | Uint8Array = string> = {
  name: Words;
  title: Words;
  body: Words;
  about: Words;
  acronyms: Acronym[];
};

/**
 * What the full-text index holds of a record, from its document alone: pure, so that any thread can make it, and the
 * same whoever does. All that is kept of a record to find it by belongs here.
 */
export function indexEntryOf(kind: Kind, document: Document): IndexEntry {
  const { name, title, body, about } = kind.search;
  return {
    name: analysed(document, name, analyseName),
    title: analysed(document, title, analyseProse),
    body: analysed(document, body, analyseProse),
    about: joined(slugWords(document, about), copyToken(kind, document) ?? ''),
    acronyms: body.flatMap((field) => acronymsIn(textOf(document, field) ?? '')),
  };
}

function joined(...words: string[]): string {
  return words.filter(Boolean).join(' ');
}

const [high, low] = [0x85ebca6b, 0xc2b2ae35];

/**
 * The token under which stand all records of one text, or null for a record without a text. It is a hash of 52 bits of its
 * characters, white space aside, and nothing that a query can hold.
 */
export function copyToken(kind: Kind, document: Document): string | null {
  const { text } = document;
  if (!kind.search.body.includes('text') || typeof text !== 'string') return null;
  // Start with 32-bit integers: V8 is ten times slower with others.
  let one = 0x9e3779b9 | 0;
  let other = 0x7f4a7c15;
  let isEmpty = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 160 || code === 0x202f) continue;
    isEmpty = false;
    one = Math.imul(one ^ code, high);
    one ^= one >>> 15;
    other = Math.imul(other ^ code, low);
    other ^= other >>> 13;
  }
  return isEmpty ? null : `_${((one >>> 0) * 2 ** 20 + (other & 0xfffff)).toString(36)}`;
}

function analysed(document: Document, fields: string[], analyse: (text: string) => string): string {
  let words = '';
  for (const field of fields) {
    const value = document[field];
    if (typeof value !== 'string' || value === '') continue;
    const last = lastAnalysed.get(field);
    const each = last?.text === value && last.analyse === analyse ? last.words : analyse(value);
    if (each !== last?.words) lastAnalysed.set(field, { text: value, analyse, words: each });
    words += words ? ` ${each}` : each;
  }
  return words;
}

/** The last analysis of each field: consecutive records often share a title. */
const lastAnalysed = new Map<string, { text: string; analyse: (text: string) => string; words: string }>();

/** The politician's slug is searched as a name, so that a name and a subject find the politician's texts. */
function slugWords(document: Document, fields: string[]): string {
  const slugs = fields.map((field) => slugOf(document[field])).filter((slug) => slug !== null);
  return slugs.length === 0 ? '' : slugNames(slugs.join(' '));
}

const known = new Map<string, string>();

function slugNames(slug: string): string {
  let words = known.get(slug);
  if (words === undefined) {
    if (known.size > 20_000) known.clear();
    words = analyseName(slug.replaceAll('-', ' '));
    known.set(slug, words);
  }
  return words;
}
