import type { CopyKind } from '../store/copies.ts';

/** An open copy in parts (files, objects or rows): `forEachPart` passes them to search for records to `remove`. */
export type CopyParts = AsyncDisposable & {
  forEachPart(visit: (part: string, texts: AsyncIterable<string> | Iterable<string>) => Promise<void>): Promise<void>;
  remove(parts: string[]): Promise<void>;
};

/** True for the list of a (perhaps unfinished) site's files, whose paths contain ids of records: removal edits it. */
export const isSiteList = (name: string): boolean => /^\.hemicycle-site(-begun)?$/.test(name);

/** The path in a line of the list of a site's files, after a hash of 16 characters and a space. */
export const pathOfSiteLine = (line: string): string => line.slice(17);

/** The list of a site's files without the lines of the removed files. */
export function withoutLines(text: string, removedPaths: readonly string[]): string {
  const lines = text.split('\n').filter((line) => !removedPaths.includes(pathOfSiteLine(line)));
  return lines.join('\n');
}

/** Parts to remove from a copy with these names: of a site also all search files, which do not show their records. */
export const addSearchFiles = (parts: readonly string[], names: readonly string[]): string[] =>
  names.some(isSiteList) ? [...new Set([...parts, ...names.filter((name) => name.startsWith('search/'))])] : [...parts];

/** True for a path that only this program writes (hidden state; data and logs of a lake): searched though unlisted. */
export const isReserved = (name: string, kind: CopyKind): boolean =>
  /^\.hemicycle[^/]*$/.test(name) || (kind === 'lake' && /^[a-z_]+\/(data|_delta_log)\//.test(name));

/** True for a folder whose checksums list files to search: the copy (`.`), one of its releases, or a site's data. */
export const isExportFolder = (folder: string, kind: CopyKind): boolean =>
  kind === 'site' ? folder === 'data' : /^(\.|latest|\d{4}-\d{2}-\d{2}[^/]*)$/.test(folder);

/** True for a file of a site that comes with the program: not searched, since it names only fictional people. */
export const isGuideOrAsset = (name: string): boolean => /^(guide|assets)\//.test(name);
