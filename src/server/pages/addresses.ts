/** The parameters that every page takes beside its own, and that its links keep. */
export const keptParameters = ['lang', 'as_of'] as const;

/** What was stated in the address of a page, by parameter, as it was written. */
export type Given = Readonly<Record<string, readonly string[]>>;

const ownPlaces: Record<string, (key: string) => string> = {
  politician: (slug) => `/politicians/${encodeURIComponent(slug)}`,
  party: (slug) => `/parties/${encodeURIComponent(slug)}`,
  source: (id) => `/sources/${encodeURIComponent(id)}`,
  ballot(key) {
    const colon = key.indexOf(':');
    return `/votes/${encodeURIComponent(key.slice(0, colon))}/${encodeURIComponent(key.slice(colon + 1))}`;
  },
};

/** The address of the page of a record: short and permanent. */
export function recordPath(kind: string, key: string): string {
  return ownPlaces[kind]?.(key) ?? `/records/${encodeURIComponent(kind)}/${encodeURIComponent(key)}`;
}

/** The address of every version of a record. */
export function historyPath(kind: string, key: string): string {
  return `/history/${encodeURIComponent(kind)}/${encodeURIComponent(key)}`;
}

/** The same page in another form, in its language and of its moment. */
export function otherForm(
  { path, hrefWith }: { path: string; hrefWith(query: Record<string, never>): string },
  ending: string,
): string {
  return hrefWith({}).replace(path, `${path}.${ending}`);
}

/** A path with its query; a value that is null is left out. */
export function addressOf(
  path: string,
  query: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): string {
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
