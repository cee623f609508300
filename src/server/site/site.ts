import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { exportFolder } from '../../export/folder.ts';
import { partOf } from '../../export/part.ts';
import { allTables, chosenTables } from '../../export/tables.ts';
import type { Citation } from '../../model/attribution.ts';
import type { Mirror } from '../../store/mirror.ts';
import { lastFilled } from '../../store/records/contents.ts';
import type { Language } from '../../words/language.ts';
import { aloneIn, openSiteFolder, type SiteFolder, type SiteOutcome } from './site-folder.ts';
import { indexFiles } from './site-index.ts';
import { createSiteLinks } from './site-links.ts';
import { listFiles, recordFiles, type SiteFile, type SiteParts } from './site-pages.ts';

export type SiteOptions = {
  /** The folder that it is written into. */
  folder: string;
  /** The folder of the files that pages load. */
  assetsFolder: string;
  citation: Citation;
  language: Language;
  /** Where it will stand, with a slash at its end; null where nobody stated it: then it has no feeds. */
  site: string | null;
  /** Is told how many files are written so far. */
  watch?: (files: number) => void;
};

/** So many files are written between two looks at what else there is to do. */
const atATime = 100;

/**
 * Writes the pages of a mirror as files that need no server: whatever is the same keeps its file, everything else takes
 * its place one by one, the front page last; then what is no longer part of it is removed.
 */
export function writeSite(mirror: Mirror, options: SiteOptions): Promise<SiteOutcome> {
  return aloneIn(options.folder, () => writeAlone(mirror, options));
}

async function writeAlone(mirror: Mirror, options: SiteOptions): Promise<SiteOutcome> {
  const { folder, assetsFolder, citation, language, site, watch = () => {} } = options;
  const opened = await openSiteFolder(folder);
  const links = createSiteLinks(mirror, { isPlaced: site !== null });
  const parts: SiteParts = { mirror, citation, language, links, site };
  for (const file of assetFiles(assetsFolder)) opened.write(file.path, file.text);
  await writeTables(mirror, options);
  let files = 0;
  for (const all of [recordFiles(parts), indexFiles(mirror, links), listFiles(parts)])
    files = await writeAll(all, opened, { from: files, watch });
  return opened.finish();
}

async function writeAll(
  all: Iterable<SiteFile>,
  opened: SiteFolder,
  { from, watch }: { from: number; watch: (files: number) => void },
): Promise<number> {
  let files = from;
  for (const { path, text } of all) {
    opened.write(path, text);
    files += 1;
    if (files % atATime > 0) continue;
    watch(files);
    await setImmediate();
  }
  return files;
}

/** What pages load. */
function assetFiles(folder: string): SiteFile[] {
  const names = ['colours.css', 'masthead.css', 'pages.css', 'icon.svg', 'site-search.js'];
  const known = new Set(readdirSync(folder));
  return names
    .filter((name) => known.has(name))
    .map((name) => ({
      path: `assets/${name}`,
      text: readFileSync(join(folder, name), 'utf8'),
    }));
}

/** The records as a data package beside the pages: it takes its place whole. */
async function writeTables(mirror: Mirror, { folder, citation }: SiteOptions): Promise<void> {
  const tables = chosenTables(mirror, [...allTables], { filter: {}, isAll: true, citation });
  const written = tables.map((table) => partOf(table, { format: 'csv', header: true }));
  const created = lastFilled(mirror) ?? new Date(0).toISOString();
  await exportFolder(written, join(folder, 'data'), {
    created,
    ifChanged: true,
    maxShrink: 1,
    isPicked: false,
  });
}
