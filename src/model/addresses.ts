import { type Kind, type KindName, kinds } from './kinds.ts';

/** Query parameters of an address; null values are omitted. */
export type AddressQuery = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** A path with its query string. */
export function addressOf(path: string, query: AddressQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value ?? []].flat()) parameters.append(name, each);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Path of a record's page: short and permanent. */
export function recordPath(name: string, key: string): string {
  const kind = kinds.find((each) => each.name === name);
  if (!kind) return `/records/${encodeURIComponent(name)}/${encodeURIComponent(key)}`;
  return filledPath(kind.page, pageParameters(kind, key));
}

/** The path with its parameters in place of their names in braces. */
export const filledPath = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replace(placeholderPattern, (_, part: string) => encodeURIComponent(parameters[part]!));

const placeholderPattern = /\{(\w+)\}/g;

/** Path parameters of a record's page: kind and key, the key alone, or the two parts of a key with a colon. */
export function pageParameters({ name, page }: Kind, key: string): Record<string, string> {
  const [first, second] = [...page.matchAll(placeholderPattern)].map(([, parameter]) => parameter!);
  if (first === 'kind') return { kind: name, key };
  if (second === undefined) return { [first!]: key };
  const colon = key.indexOf(':');
  return { [first!]: key.slice(0, colon), [second]: key.slice(colon + 1) };
}

/** The record whose page has these path segments; null if there is no such page. */
export function findPageRecord(parts: readonly string[]): { kind: KindName; key: string } | null {
  for (const kind of kinds) {
    const pattern = kind.page.slice(1).split('/');
    const isMatch =
      pattern.length === parts.length &&
      pattern.every((part, at) => part === parts[at] || part.startsWith('{')) &&
      (pattern[1] !== '{kind}' || parts[1] === kind.name);
    if (isMatch) return { kind: kind.name, key: parts.slice(pattern[1] === '{kind}' ? 2 : 1).join(':') };
  }
  return null;
}

/** The decoded segment of an address; null if it is malformed. */
export function decodeSegment(part: string): string | null {
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
