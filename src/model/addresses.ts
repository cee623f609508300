import type { ListAddress } from './kind.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';

/** What stands in the query of an address; a value that is null is left out. */
export type AddressQuery = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** A path with its query. */
export function addressOf(path: string, query: AddressQuery): string {
  let written = '';
  for (const name in query) {
    const value = query[name];
    for (const each of typeof value === 'string' ? [value] : (value ?? []))
      written += `${written === '' ? '?' : '&'}${encoded(name)}=${encoded(each)}`;
  }
  return `${path}${written}`;
}

/** What stands in a query as it is; all else is written as forms of browsers write it. */
const plain = /^[\w.*-]*$/;

function encoded(value: string): string {
  return plain.test(value) ? value : new URLSearchParams({ '': value }).toString().slice(1);
}

/** The path of the page that any record has whose kind has none of its own. */
const anyPage = '/records/{kind}/{key}';

/** The path of the pages of a kind, with its parts of a key in braces. */
export function pagePattern({ page = anyPage }: Kind): string {
  return page;
}

const patterns = new Map<string, string>(kinds.map((kind) => [kind.name, pagePattern(kind)]));

/** The address of the page of a record: short and permanent. */
export function recordPath(kind: string, key: string): string {
  const places = placesIn(patterns.get(kind) ?? anyPage, kind, key);
  return (patterns.get(kind) ?? anyPage).replace(place, (_, name: string) =>
    encodeURIComponent(places[name]!),
  );
}

const place = /\{(\w+)\}/g;

/** The parts of the address of a record's page: its kind and key, its key, or the two parts of a key with a colon. */
export function recordPlaces({ name, page = anyPage }: Kind, key: string): Record<string, string> {
  return placesIn(page, name, key);
}

function placesIn(pattern: string, kind: string, key: string): Record<string, string> {
  if (pattern === anyPage) return { kind, key };
  const [first, second] = [...pattern.matchAll(place)].map(([, name]) => name!);
  if (second === undefined) return { [first!]: key };
  const colon = key.indexOf(':');
  return { [first!]: key.slice(0, colon), [second]: key.slice(colon + 1) };
}

/** The record whose page has these parts of a path; null where they are the path of something else. */
export function recordAt(parts: readonly string[]): { kind: KindName; key: string } | null {
  for (const kind of kinds) {
    const pattern = pagePattern(kind).slice(1).split('/');
    const isThere =
      pattern.length === parts.length &&
      pattern.every((part, at) => part === parts[at] || part.startsWith('{')) &&
      (pattern[1] !== '{kind}' || parts[1] === kind.name);
    if (isThere) return { kind: kind.name, key: parts.slice(pattern[1] === '{kind}' ? 2 : 1).join(':') };
  }
  return null;
}

/** The address of every version of a record. */
export function historyPath(kind: string, key: string): string {
  return `/history/${encodeURIComponent(kind)}/${encodeURIComponent(key)}`;
}

/** Where the records of a kind are listed. */
export function listAddress({ name, list }: Kind): ListAddress {
  return list ?? { path: `/records/${name}` };
}
