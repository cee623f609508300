import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { escapeHtml } from '../../format/html.ts';
import { addressOf, decodeSegment, filledPath, findPageRecord, type Kind, kindOf, kinds } from '../../model/kinds.ts';
import { readValues } from '../../questions/parameter.ts';
import type { Mirror } from '../../store/mirror.ts';
import { recordOrdinals, recordsWithHistory } from '../../store/record.ts';
import { topicNames } from '../../store/records/topics.ts';
import type { PageQuery } from '../pages/page-context.ts';
import { viewOf } from '../pages/page-text.ts';
import { views } from '../pages/table.ts';
import type { View } from '../pages/view.ts';

/** Maps addresses of the server to files of a site. */
export type SiteLinks = ReturnType<typeof createSiteLinks>;

/** The file whose links are rewritten; `next`: next file of a split list, and the cursor in links to it. */
export type FilePosition = { file: string; next?: { cursor: string; file: string } | null };

/** Returns the file name of one part of a list; `~` is safe, since no file name of a key contains it. */
export const listPartFile = (file: string, number: number) =>
  number === 1 ? file : file.replace(/\.html$/, `~${number}.html`);

/** Returns a key as a file name: unchanged if that is safe, otherwise a slug with a hash. */
function fileNameOf(key: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,99}$/i.test(key)) return key;
  const slug = key.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
  return `${slug.replace(/^-|-$/g, '')}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

const joinFileNames = (segments: string[]): string => segments.map(fileNameOf).join('/');

const recordsPerFile = 20; // Records in a shared file.

/** Kinds by the path of their list; omits kinds whose list is a filtered page, such as the feed with a type. */
const kindByList = new Map<string, Kind>(kinds.filter(({ list }) => !list.query).map((kind) => [kind.list.path, kind]));

/** Returns the view at a path template, or at the path of the list of a kind. */
export const viewAt = (path: string): View =>
  viewOf(kindByList.has(path) && path.startsWith('/records/') ? '/records/{kind}' : path);

const allExtensions = [...new Set(views.flatMap(({ siteExtensions }) => siteExtensions ?? []))];

/** A page that is not about a single record: its view, and the values and query of its address. */
type ListedPage = { view: View; values: Record<string, unknown>; queryParameters?: PageQuery };

/** Returns the pages of a site that are not about one record, by address; `/feed` also by type and topic. */
function listedPagesOf(mirror: Mirror): Map<string, ListedPage> {
  const pageViews = views.filter(({ path, siteExtensions }) => siteExtensions && !path.includes('{'));
  const plainPages = [...new Set([...kindByList.keys(), ...pageViews.map(({ path }) => path)])].map((path) => {
    const view = viewAt(path);
    const input = view.path === '/records/{kind}' ? { kind: kindByList.get(path)!.name } : {};
    return [path, { view, values: readValues(view.parameters, input).values }] as const;
  });
  const typeFilters = kinds.flatMap(({ list }) => (list.query ? [list.query] : []));
  const topicFilters = topicNames(mirror).map((topic) => ({ topic }));
  const feedView = viewOf('/feed');
  const filteredPages = [...typeFilters, ...topicFilters].map((filter: Readonly<Record<string, string>>) => {
    const queryParameters = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [value]]));
    const { values } = readValues(feedView.parameters, filter);
    return [addressOf('/feed', filter), { view: feedView, values, queryParameters }] as const;
  });
  const valuePages = views.flatMap((view) =>
    (view.siteValues?.(mirror) ?? []).map((values) => [filledPath(view.path, values), { view, values }] as const),
  );
  return new Map<string, ListedPage>([...plainPages, ...filteredPages, ...valuePages]);
}

/** Creates the links from a mirror's pages to the files of a site. */
export function createSiteLinks(mirror: Mirror, site: string | null) {
  const ordinalsByKind = new Map(
    kinds.map(({ name }) => [name, new Map(recordOrdinals(mirror, name).map(({ key, ordinal }) => [key, ordinal]))]),
  );
  const historyOrdinals = new Map(
    recordsWithHistory(mirror).map(({ kind, key, ordinal }) => [`${kind} ${key}`, ordinal]),
  );
  const listedPages = listedPagesOf(mirror);
  const pageAt = (path: string, ordinal: number | undefined) =>
    ordinal === undefined ? null : { view: viewAt(path), ordinal };
  /** The view of a page, and the ordinal of its record or history, if it has one; null if there is no such page. */
  const findPage = (segments: string[]): { view: View; ordinal?: number } | null => {
    const [first, ...historySegments] = segments;
    const record = findPageRecord(segments);
    if (record) return pageAt(kindOf(record.kind).page, ordinalsByKind.get(record.kind)!.get(record.key));
    if (first === 'history') return pageAt('/history/{kind}/{key}', historyOrdinals.get(historySegments.join(' ')));
    return listedPages.get(`/${segments.join('/')}`) ?? null;
  };
  /** Extensions of a page's alternate forms; a site without a URL omits forms with absolute URLs. */
  const extensionsOf = ({ siteExtensions, forms }: View): string[] =>
    siteExtensions!.filter((extension) => site !== null || !forms[extension]!.hasAbsoluteAddresses);
  /** The HTML file of a page, with an anchor if records share it; null if there is none. */
  const pageFile = (segments: string[]): string | null => {
    const page = findPage(segments);
    if (page?.ordinal === undefined || !page.view.sharesFile) return page && `${joinFileNames(segments)}.html`;
    const folder = joinFileNames(segments.slice(0, -1));
    return `${folder}/p${Math.floor(page.ordinal / recordsPerFile)}.html#${fileNameOf(segments.at(-1)!)}`;
  };
  /** The file of an alternate form of a page, or the CSV file of a list; null if there is none. */
  const formFile = (segments: string[]): string | null => {
    const last = segments.at(-1)!;
    const extension = allExtensions.find((each) => last.endsWith(`.${each}`));
    if (extension === undefined) return null;
    const pageSegments = [...segments.slice(0, -1), last.slice(0, -extension.length - 1)];
    const page = findPage(pageSegments);
    if (page && extensionsOf(page.view).includes(extension)) return `${joinFileNames(pageSegments)}.${extension}`;
    const kind = kindByList.get(`/${pageSegments.join('/')}`);
    return extension === 'csv' && kind ? `data/${kind.plural}.csv` : null;
  };

  return {
    /** URL of the site with a trailing slash; null disables feeds and absolute URLs. */
    site,
    /** Placeholder origin, replaced by `site` in finished pages; random, since records may contain any fixed one. */
    origin: `https://${randomBytes(16).toString('hex')}.invalid`,
    /** Pages that are not about a single record, by address. */
    listedPages,
    extensionsOf,
    /** Returns the file of an address, with an anchor if records share it; null if there is none. */
    fileOf(address: string): string | null {
      const [path = '', query = ''] = address.split('?');
      const searchParams = new URLSearchParams(query);
      if (path === '/') return 'index.html';
      if (path.startsWith('/assets/')) return path.slice(1);
      if (path === '/search') return 'search.html';
      if (path === '/api/v1/export/dataset')
        return searchParams.get('format') === 'csv' ? `data/${searchParams.get('entity')}.csv` : null;
      if (searchParams.size > 0) {
        const filterName = [...searchParams.values()].map(fileNameOf).join();
        return listedPages.has(address) ? `${path.slice(1)}/${filterName}.html` : null;
      }
      const segments = path.slice(1).split('/').map(decodeSegment);
      if (!segments.every((segment) => segment !== null)) return null;
      if (segments[0] === 'changes' && segments.length > 1)
        return /^[\d-]+$/.test(segments[1]!) ? `changes/${segments[1]}.html` : null;
      return listedPages.has(path) ? `${joinFileNames(segments)}.html` : (pageFile(segments) ?? formFile(segments));
    },
  };
}

const anchorElement = /<a\b([^>]*?) href="(\/[^"]*)"([^>]*)>([\s\S]*?)<\/a>/g;
const linkAttribute = / (href|src|action)="(\/[^"]*)"/g;
const linkElement = /<link\b[^>]*? href="(\/[^"]*)"[^>]*>\n?/g;
const emptyElements = [
  /<p>\s*<\/p>|<li>\s*<\/li>/g,
  /<details><summary>[^<]*<\/summary><ul class="plain"><\/ul><\/details>/g,
];

/** Turns a page's links into relative links to files; removes links to pages that have no file. */
export function rewriteLinks(page: string, links: SiteLinks, position: FilePosition): string {
  const targetOf = (escapedUrl: string) => linkTarget(unescapeEntities(escapedUrl), links, position);
  const text = page
    .replace(anchorElement, (_, before: string, escapedUrl: string, after: string, inner: string) => {
      const target = targetOf(escapedUrl);
      if (target !== null) return `<a${before} href="${escapeHtml(target)}"${after}>${inner}</a>`;
      // Remove links to next pages and other forms together with their text.
      return /class="next"|rel="first"|type="/.test(before + after) ? '' : inner;
    })
    .replace(linkElement, (link, escapedUrl: string) => (targetOf(escapedUrl) === null ? '' : link))
    .replace(
      linkAttribute,
      (_, name: string, escapedUrl: string) => ` ${name}="${escapeHtml(targetOf(escapedUrl) ?? '')}"`,
    );
  const textWithoutEmptyElements = emptyElements.reduce((html, pattern) => html.replace(pattern, ''), text);
  return insertSiteUrls(textWithoutEmptyElements, links);
}

/** Replaces the placeholder origin by URLs of the site's files; no change for a site without a URL. */
export function insertSiteUrls(text: string, { site, origin, fileOf }: SiteLinks): string {
  if (site === null) return text;
  const originUrl = new RegExp(`${origin.replaceAll('.', '\\.')}(/[^"<\\\\\\s]*)?`, 'g');
  return text.replace(originUrl, (_, escapedUrl = '/') => {
    const [address = '', hash = ''] = unescapeEntities(escapedUrl).split('#');
    const file = fileOf(address) ?? 'index.html';
    return `${site}${file === 'index.html' ? '' : file}${hash && !file.includes('#') ? `#${hash}` : ''}`;
  });
}

/** The relative link from a file to an address, null if that has no file; a cursor must be that of `next`. */
function linkTarget(address: string, links: SiteLinks, { file, next }: FilePosition): string | null {
  const [, cursor] = /[?&]cursor=([^&]*)/.exec(address) ?? [];
  const [addressWithoutHash = '', hash] = address.split('#');
  const nextFile = next && decodeSegment(cursor ?? '') === next.cursor ? next.file : null;
  const targetFile = cursor === undefined ? links.fileOf(addressWithoutHash) : nextFile;
  if (targetFile === null) return null;
  const link = posix.relative(posix.dirname(file), targetFile);
  return hash === undefined || targetFile.includes('#') ? link : `${link}#${hash}`;
}

const entities: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

function unescapeEntities(escapedUrl: string): string {
  return escapedUrl.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => entities[name]!);
}
