import type { ListAddress } from './kind.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';

/** Query parameters of an address; null values are omitted. */
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

/** Values that need no encoding; others are form-encoded as browsers do. */
const plain = /^[\w.*-]*$/;

function encoded(value: string): string {
  return plain.test(value) ? value : new URLSearchParams({ '': value }).toString().slice(1);
}

/** Path of the page of a record whose kind has no page path. */
const anyPage = '/records/{kind}/{key}';

/** Path of the pages of a kind, with the parts of the key in braces. */
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

/**
 * Path parameters of a record's page: kind and key, the key alone, or the two parts of a key with a colon.
 */
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

/** The record whose page has these path segments; null if no kind has such a page. */
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

/** The decoded part of an address; null if it is malformed. */
export function decodedPart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Path of the page with all versions of a record. */
export function historyPath(kind: string, key: string): string {
  return `/history/${encodeURIComponent(kind)}/${encodeURIComponent(key)}`;
}

/** The address of the list of a kind's records. */
export function listAddress({ name, list }: Kind): ListAddress {
  return list ?? { path: `/records/${name}` };
}
