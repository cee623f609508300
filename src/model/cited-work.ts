import type { Attribution } from './attribution.ts';
import { type Document, documentsIn, isDocument, type Json, sourceIdsOf, textOf } from './document.ts';
import { keyOf, titleOf } from './facets.ts';
import { type KindName, kindOf } from './kinds.ts';
import { contentHash } from './normal-form.ts';

/** The citation of a record; dates are ISO 8601. */
export type CitedWork = ReturnType<typeof citedWork>;

const maxTitleLength = 200;

/** Facts cited beside a record: its kind, its politician's name, and its sources (see `sourcesIn`). */
type CitationFacts = { kind: KindName; author: string | null; attribution: Attribution; sources: readonly Document[] };

export function citedWork(document: Document, { kind: name, author, attribution, sources }: CitationFacts) {
  const kind = kindOf(name);
  const page = pageOf([document, ...sources]);
  const source = page === null || page.document === document ? {} : page.document;
  return {
    id: `${name}:${keyOf(kind, document)}`,
    title: shorten(titleOf(kind, document)),
    author,
    date: textOf(document, 'date'),
    /** Web address of the record, else of its first source with one, else of the service. */
    url: page?.url ?? attribution.url,
    /** Title of the source that has this `url`; null if the address is the record's or the service's. */
    sourceTitle: textOf(source, 'title'),
    sourcePublisher: textOf(source, 'publisher'),
    sourceDate: textOf(source, 'date'),
    publisher: attribution.name,
    publisherUrl: attribution.url,
    /** When the record was retrieved, and the past moment whose version is cited, if any. */
    retrievedAt: attribution.retrieved_at,
    asOf: attribution.as_of ?? null,
    goneSince: attribution.gone_since ?? null,
    /** SHA-256 of the normal form, first 32 hexadecimal digits. */
    hash: contentHash(kind, document),
  };
}

/** The distinct sources of a record: embedded ones, then those of its ids by `find`; `{ id }` if not found. */
export function sourcesIn({ sources, source_ids: ids }: Document, find: (id: string) => Document | undefined) {
  const sourceValues = [sources ?? []].flat().map((each) => (isBareReference(each) ? each.id! : each));
  const addresses = sourceValues.filter((each) => typeof each === 'string' && isWebAddress(each)) as string[];
  const embeddedSources = [...documentsIn(sourceValues), ...addresses.map((url) => ({ url }))];
  const embeddedKeys = new Set([...addresses, ...embeddedSources.map((each: Document) => textOf(each, 'id'))]);
  const allIds = [...sourceIdsOf({ source_ids: [...sourceValues, ...[ids ?? []].flat()] })];
  return [...embeddedSources, ...allIds.filter((id) => !embeddedKeys.has(id)).map((id) => find(id) ?? { id })];
}

/** True for a source of which only the id is known. */
const isBareReference = (source: Json): source is Document =>
  isDocument(source) && textOf(source, 'id') !== null && Object.keys(source).length === 1;

/** Web address of a record, else of its first source that has one; null if there is none. */
export function webPageOf(document: Document, sources: readonly Document[]): string | null {
  return pageOf([document, ...sources])?.url ?? null;
}

function pageOf(documents: readonly Document[]): { url: string; document: Document } | null {
  for (const document of documents) {
    const url = textOf(document, 'url', 'website');
    if (url !== null && isWebAddress(url)) return { url, document };
  }
  return null;
}

const isWebAddress = (text: string) => /^https?:\/\//i.test(text);

function shorten(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  if (line.length <= maxTitleLength) return line;
  return `${line.slice(0, line.lastIndexOf(' ', maxTitleLength) + 1 || maxTitleLength).trimEnd()}…`;
}
