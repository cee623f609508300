import type { CopyKind } from '../store/copies.ts';

/** The parts of a copy: files, objects or rows. */
export type CopyParts = AsyncDisposable & {
  each(look: (part: string, texts: AsyncIterable<string> | Iterable<string>) => Promise<void>): Promise<void>;
  remove(parts: string[]): Promise<void>;
};

/** True for a list of the files of a site, which names records by their addresses. */
export const isSiteList = (name: string): boolean => /^\.hemicycle-site(-begun)?$/.test(name);

/** The list of a site's files without the removed ones. */
export const withoutLines = (text: string, removedLines: readonly string[]): string =>
  text
    .split('\n')
    .filter((line) => !removedLines.includes(line.slice(17)))
    .join('\n');

/** Adds all search files of a site to the parts, as these split texts into words. */
export const addSearchFiles = (parts: readonly string[], names: readonly string[]): string[] =>
  names.some(isSiteList) ? [...new Set([...parts, ...names.filter((name) => name.startsWith('search/'))])] : [...parts];

/** True for a file of state, or of a lake where the copy is one; nothing else is recognised as ours by its name. */
export const isOwnName = (name: string, kind: CopyKind): boolean =>
  /^\.hemicycle[^/]*$/.test(name) || (kind === 'lake' && /^[a-z_]+\/(data|_delta_log)\//.test(name));

/** True for a folder that an export fills: the copy itself, one of its releases, or the data of a site. */
export const isExportFolder = (folder: string, kind: CopyKind): boolean =>
  kind === 'site' ? folder === 'data' : /^(\.|latest|\d{4}-\d{2}-\d{2}[^/]*)$/.test(folder);

/** True for a page of a site that comes with the program and names fictional people. */
export const isProgramFile = (name: string): boolean => /^(guide|assets)\//.test(name);
