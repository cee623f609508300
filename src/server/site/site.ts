import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { BadTargetError, HemicycleError, orNull } from '../../errors.ts';
import { exportFolder } from '../../export/folder.ts';
import { createPart } from '../../export/part.ts';
import { allTables, selectTables } from '../../export/tables.ts';
import { createTemporaryPath, forgetPath, removeAbandonedFiles } from '../../format/atomic-file.ts';
import { codeOf } from '../../format/sink.ts';
import { createFolder } from '../../store/folder.ts';
import { withLockFile } from '../../store/lock.ts';
import type { Mirror } from '../../store/mirror.ts';
import { isFileError } from '../../store/mirror-errors.ts';
import { lastFilledAt } from '../../store/records/contents.ts';
import { say, verbatim } from '../../words/speech.ts';
import type { RequestedPage } from '../pages/page-context.ts';
import { sitemapText } from '../pages/views/sitemap.ts';
import { indexFiles } from './site-index.ts';
import { createSiteLinks } from './site-links.ts';
import { listFiles, recordFiles, type SiteFailure, type SiteParts } from './site-pages.ts';

/** Target, appearance and URL of a site; `assetsFolder` contains its style sheets, icon and script. */
export type SiteOptions = Pick<RequestedPage, 'citation' | 'language' | 'groupOrder'> & {
  folder: string;
  assetsFolder: string;
  /** URL of the site with a trailing slash; null disables feeds. */
  site: string | null;
  onProgress?: (fileCount: number) => void;
};

const filesPerTurn = 100; // Files written between pauses for other tasks.

/** Writes a mirror's pages as static files; returns counts of files, and addresses whose page failed. */
export async function writeSite(mirror: Mirror, options: SiteOptions) {
  const { folder } = options;
  createFolder(folder);
  return withLockFile(join(folder, lockName), () => writeLockedFolder(mirror, options), { lockedPath: folder });
}

async function writeLockedFolder(mirror: Mirror, options: SiteOptions) {
  const { folder, assetsFolder, citation, language, groupOrder, site, onProgress = () => {} } = options;
  const siteFolder = await openSiteFolder(folder);
  const links = createSiteLinks(mirror, site);
  const failures: SiteFailure[] = [];
  const parts: SiteParts = { mirror, citation, language, groupOrder: groupOrder ?? null, links, failures };
  for (const name of assetNames) siteFolder.write(`assets/${name}`, readFileSync(join(assetsFolder, name)));
  await writeTables(mirror, options).catch((error: Error) => {
    if (error instanceof HemicycleError || isFileError(error) || codeOf(error) !== null) throw error;
    failures.push({ address: '/data', reason: verbatim(error.message) });
  });
  let files = 0;
  const pages: string[] = [];
  for (const siteFiles of [recordFiles(parts), indexFiles(parts), listFiles(parts)])
    for (const { path, text } of siteFiles) {
      siteFolder.write(path, text);
      if (path.endsWith('.html') && path !== '404.html') pages.push(path);
      files += 1;
      if (files % filesPerTurn > 0) continue;
      onProgress(files);
      await setImmediate();
    }
  if (site !== null) {
    siteFolder.write('sitemap.xml', sitemapText(pages.map((path) => new URL(path, site).href)));
    siteFolder.write('robots.txt', `Sitemap: ${site}sitemap.xml\n`);
  }
  return { ...siteFolder.finish(), failures };
}

const assetNames = ['colours.css', 'masthead.css', 'pages.css', 'icon.svg', 'site-search.js'];

/** Exports all tables as CSV into `data/`, which is replaced as a whole. */
async function writeTables(mirror: Mirror, { folder, citation }: SiteOptions): Promise<void> {
  const tables = selectTables(mirror, [...allTables], { filter: {}, isAll: true, citation });
  const csvParts = tables.map((table) => createPart(table, { format: 'csv', header: true }));
  await exportFolder(csvParts, join(folder, 'data'), {
    created: lastFilledAt(mirror) ?? new Date(0).toISOString(),
    ifChanged: true,
    maxShrink: 1,
    picksColumns: false,
  });
}

/** List of the site's files, each with the first digits of its SHA-256; written last. */
const listName = '.hemicycle-site';

/** Journal of files that a running site build adds; the next run reads the one of a killed run. */
const pendingListName = '.hemicycle-site-begun';

const lockName = '.hemicycle-site.lock';

/** Opens the folder of a site; throws a BadTargetError if it contains other files. */
async function openSiteFolder(folder: string) {
  const listPath = join(folder, listName);
  const pendingListPath = join(folder, pendingListName);
  await removeAbandonedFiles(folder);
  const names = readdirSync(folder);
  const formerLists = [pendingListName, listName].filter((name) => names.includes(name));
  if (formerLists.length === 0 && names.some((name) => !name.startsWith(lockName)))
    throw new BadTargetError(folder, say`it contains files that are not from an earlier site`);
  const formerHashes = new Map(formerLists.flatMap((name) => readList(join(folder, name))));
  appendFileSync(pendingListPath, '');
  const hashes = new Map<string, string>();
  const createdFolders = new Set<string>();
  const outcome = { written: 0, removed: 0, bytes: 0 };
  return {
    write(path: string, text: string | Uint8Array) {
      const data = typeof text === 'string' ? Buffer.from(text) : text;
      const target = join(folder, path);
      const hash = hashOf(data);
      hashes.set(path, hash);
      outcome.bytes += data.byteLength;
      if (hasSameBytes(target, data)) return;
      if (!createdFolders.has(dirname(target))) createFolder(dirname(target));
      createdFolders.add(dirname(target));
      if (!formerHashes.has(path)) appendFileSync(pendingListPath, `${hash} ${path}\n`);
      replaceFile(folder, target, data);
      outcome.written += 1;
    },
    /** Removes files of the former site that were not written again, and writes the list of files. */
    finish() {
      for (const [path, hash] of formerHashes)
        if (!hashes.has(path) && removeUnchanged(folder, path, hash)) outcome.removed += 1;
      const lines = [...hashes].sort(([one], [other]) => (one < other ? -1 : 1));
      const text = Buffer.from(lines.map(([path, hash]) => `${hash} ${path}\n`).join(''));
      if (!hasSameBytes(listPath, text)) replaceFile(folder, listPath, text);
      rmSync(pendingListPath, { force: true });
      return { files: hashes.size, ...outcome };
    },
  };
}

function readList(path: string): [path: string, hash: string][] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line): [string, string][] => {
    const { hash, file } = /^(?<hash>[0-9a-f]{16}) (?<file>[^/].*)$/.exec(line)?.groups ?? {};
    return !hash || !file || file.split('/').includes('..') ? [] : [[file, hash]];
  });
}

const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex').slice(0, 16);

const hasSameBytes = (path: string, data: Uint8Array): boolean => readIfPresent(path)?.equals(data) === true;

const readIfPresent = (path: string): Buffer | null => orNull(() => readFileSync(path));

/** Replaces a file atomically; after a power cut the next run repairs it, since it compares contents. */
function replaceFile(folder: string, target: string, data: Uint8Array): void {
  const temporaryPath = createTemporaryPath(folder);
  writeFileSync(temporaryPath, data);
  renameSync(temporaryPath, target);
  forgetPath(temporaryPath);
}

/** Removes a file of the previous site unless a user changed it, and its folder if that is empty; true if removed. */
function removeUnchanged(folder: string, path: string, hash: string): boolean {
  const target = join(folder, path);
  const content = readIfPresent(target);
  if (content === null || hashOf(content) !== hash) return false;
  rmSync(target);
  const parentFolder = dirname(target);
  if (parentFolder !== folder && readdirSync(parentFolder).length === 0) rmdirSync(parentFolder);
  return true;
}
