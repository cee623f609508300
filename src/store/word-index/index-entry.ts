import { type Acronym, acronymsIn } from '../../language/acronym.ts';
import { analyseName } from '../../language/name.ts';
import { analyseProse } from '../../language/prose.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';

/**
 * A row of the full-text index: tokens joined by one space per column, as text or as UTF-8 bytes; and the acronyms that
 * the record defines.
 */
export type IndexEntry<Words extends string | Uint8Array = string> = {
  name: Words;
  title: Words;
  body: Words;
  about: Words;
  acronyms: Acronym[];
};

/** Returns the index row of a document. Pure, so that any thread can compute it. */
export function indexEntryOf(kind: Kind, document: Document): IndexEntry {
  const { name, title, body, about } = kind.search;
  const hasText = body.includes('text') && typeof document.text === 'string' && /\S/.test(document.text);
  return {
    name: analysed(document, name, analyseName),
    title: analysed(document, title, analyseProse),
    body: analysed(document, body, analyseProse),
    about: [slugWords(document, about), hasText ? placeOfHash : ''].filter(Boolean).join(' '),
    acronyms: body.flatMap((field) => acronymsIn(textOf(document, field) ?? '')),
  };
}

/** A word for each text, where its hash stood before schema 4: texts indexed then and now are of one length, on which ranks depend. */
const placeOfHash = '_';

const [high, low] = [0x85ebca6b, 0xc2b2ae35];

/** A hash shared by all records with the same text, white space aside: a whole number of 52 bits; null without a text. */
export function textHash(kind: Kind, document: Document): number | null {
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
  return isEmpty ? null : (one >>> 0) * 2 ** 20 + (other & 0xfffff);
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
