import { analyseName } from '../language/name.ts';
import { analyseProse } from '../language/prose.ts';
import { type Document, slugOf } from '../model/document.ts';
import type { Kind } from '../model/kinds.ts';

/** The words of a record as its row of the full-text index holds them: tokens joined by one space, by column. */
export type IndexEntry = { name: string; title: string; body: string; about: string };

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
    about: slugWords(document, about),
  };
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

/** Records come in series: the file of an amendment or the setting of a speech is often that of the one before. */
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
