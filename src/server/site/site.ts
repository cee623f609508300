import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HemicycleError } from '../../errors.ts';
import { exportFolder } from '../../export/folder.ts';
import { createPart } from '../../export/part.ts';
import { allTables, selectTables } from '../../export/tables.ts';
import { codeOf } from '../../format/sink.ts';
import type { Citation } from '../../model/attribution.ts';
import { isFileError, type Mirror } from '../../store/mirror.ts';
import { lastFilledAt } from '../../store/records/contents.ts';
import type { Language } from '../../words/language.ts';
import { verbatim } from '../../words/speech.ts';
import { sitemapText } from '../pages/views/sitemap.ts';
import type { SiteFailure } from './site-failures.ts';
import { openSiteFolder, withFolderLock } from './site-folder.ts';
import { indexFiles } from './site-index.ts';
import { createSiteLinks } from './site-links.ts';
import { listFiles, recordFiles, type SiteParts } from './site-pages.ts';

export type SiteOptions = {
  folder: string;
  assetsFolder: string;
  citation: Citation;
  language: Language;
  groupOrder?: readonly string[] | null;
  /** URL of the site with a trailing slash; null disables feeds. */
  site: string | null;
  watch?: (fileCount: number) => void;
};

const filesPerTurn = 100;

/** Writes a mirror's pages as static files, the front page last; returns counts and the addresses without a page. */
export const writeSite = (mirror: Mirror, options: SiteOptions) =>
  withFolderLock(options.folder, () => writeLocked(mirror, options));

async function writeLocked(mirror: Mirror, options: SiteOptions) {
  const { folder, assetsFolder, citation, language, groupOrder, site, watch = () => {} } = options;
  const siteFolder = await openSiteFolder(folder);
  const links = createSiteLinks(mirror, site);
  const failures: SiteFailure[] = [];
  const parts: SiteParts = { mirror, citation, language, groupOrder: groupOrder ?? null, links, failures };
  for (const name of assets) siteFolder.write(`assets/${name}`, readFileSync(join(assetsFolder, name)));
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
      watch(files);
      await setImmediate();
    }
  if (site !== null) {
    siteFolder.write('sitemap.xml', sitemapText(pages.map((path) => new URL(path, site).href)));
    siteFolder.write('robots.txt', `Sitemap: ${site}sitemap.xml\n`);
  }
  return { ...siteFolder.finish(), failures };
}

const assets = ['colours.css', 'masthead.css', 'pages.css', 'icon.svg', 'site-search.js'];

/** The data package is replaced as a whole. */
async function writeTables(mirror: Mirror, { folder, citation }: SiteOptions): Promise<void> {
  const tables = selectTables(mirror, [...allTables], { filter: {}, isAll: true, citation });
  const csvParts = tables.map((table) => createPart(table, { format: 'csv', header: true }));
  await exportFolder(csvParts, join(folder, 'data'), {
    created: lastFilledAt(mirror) ?? new Date(0).toISOString(),
    ifChanged: true,
    maxShrink: 1,
    isPicked: false,
  });
}
