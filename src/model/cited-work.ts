import type { Attribution } from './attribution.ts';
import { type Document, documentsIn, textOf } from './document.ts';
import { keyOf, titleOf } from './facets.ts';
import { type KindName, kindOf } from './kinds.ts';
import { contentHash } from './normal-form.ts';

/** A record as cited; dates are ISO 8601. */
export type CitedWork = {
  /** `KIND:KEY`. */
  id: string;
  title: string;
  /** Name of the politician that the record references, or null. */
  author: string | null;
  /** The day of the fact, `YYYY-MM-DD`, or null. */
  date: string | null;
  /** Its own web address, else that of the service. */
  url: string | null;
  /** Who published the record. */
  publisher: string;
  /** Public address of the service, or null if unknown. */
  publisherUrl: string | null;
  /** When the record left the service, and the past moment whose version is cited, if any. */
  retrievedAt: string | null;
  asOf: string | null;
  /** SHA-256 of its normal form, the first 32 hexadecimal digits. */
  hash: string;
};

const longestTitle = 200;

/** Creates the citation of a record; `author` is the name of its politician. */
export function citedWork(
  document: Document,
  { kind: name, author, attribution }: { kind: KindName; author: string | null; attribution: Attribution },
): CitedWork {
  const kind = kindOf(name);
  return {
    id: `${name}:${keyOf(kind, document)}`,
    title: shortened(titleOf(kind, document)),
    author,
    date: textOf(document, 'date'),
    url: webPageOf(document) ?? attribution.url,
    publisher: attribution.name,
    publisherUrl: attribution.url,
    retrievedAt: attribution.retrieved_at,
    asOf: attribution.as_of ?? null,
    hash: contentHash(kind, document),
  };
}

/** Web address of a record or of its first source that has one; null if none is stated. */
export function webPageOf(document: Document): string | null {
  const sources = documentsIn(document.sources);
  const addresses = [document, ...sources].map((each) => textOf(each, 'url', 'website'));
  return addresses.find((address) => address !== null && /^https?:\/\//i.test(address)) ?? null;
}

function shortened(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  if (line.length <= longestTitle) return line;
  return `${line.slice(0, line.lastIndexOf(' ', longestTitle) + 1 || longestTitle).trimEnd()}…`;
}
