import type { CopyKind } from '../store/copies.ts';

/** An open copy of records in parts: files, objects or rows. `forEachPart` passes name and texts of every part. */
export type CopyParts = AsyncDisposable & {
  forEachPart(visit: (part: string, texts: AsyncIterable<string> | Iterable<string>) => Promise<void>): Promise<void>;
  remove(parts: string[]): Promise<void>;
};

/** True for the list of the files of a site (or of an unfinished one), whose paths contain the ids of records. */
export const isSiteList = (name: string): boolean => /^\.hemicycle-site(-begun)?$/.test(name);

/** The path in a line of the list of a site's files, after a hash of 16 characters and a space. */
export const pathOfSiteLine = (line: string): string => line.slice(17);

/** The list of a site's files without the lines of the removed files. */
export function withoutLines(text: string, removedPaths: readonly string[]): string {
  const lines = text.split('\n').filter((line) => !removedPaths.includes(pathOfSiteLine(line)));
  return lines.join('\n');
}

/** Adds all search files to `parts` if `names` are a site's: records cannot be found in such a word index. */
export const addSearchFiles = (parts: readonly string[], names: readonly string[]): string[] =>
  names.some(isSiteList) ? [...new Set([...parts, ...names.filter((name) => name.startsWith('search/'))])] : [...parts];

/** True for a path that only this program writes: a hidden file of state, or a data or log file of a lake. */
export const isOwnName = (name: string, kind: CopyKind): boolean =>
  /^\.hemicycle[^/]*$/.test(name) || (kind === 'lake' && /^[a-z_]+\/(data|_delta_log)\//.test(name));

/** True for a subfolder that an export writes: the copy itself (`.`), one of its releases, or the data of a site. */
export const isExportFolder = (folder: string, kind: CopyKind): boolean =>
  kind === 'site' ? folder === 'data' : /^(\.|latest|\d{4}-\d{2}-\d{2}[^/]*)$/.test(folder);

/** True for a page of a site that comes with the program and names fictional people. */
export const isProgramFile = (name: string): boolean => /^(guide|assets)\//.test(name);
