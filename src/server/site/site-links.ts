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

/** The file whose links are rewritten; in a list of several files also the next file, and the cursor of its page. */
export type FilePosition = { file: string; next?: { cursor: string; file: string } | null };

/** Returns the file name of one part of a list; `~` is safe, since no record key contains it. */
export const listPartFile = (file: string, number: number) =>
  number === 1 ? file : file.replace(/\.html$/, `~${number}.html`);

/** Returns a key as a file name: unchanged if that is safe, otherwise a slug with a hash. */
function fileNameOf(key: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,99}$/i.test(key)) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const slug = key.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
  return `${slug.replace(/^-|-$/g, '')}-${hash}`;
}

const recordsPerFile = 20; // Records in a shared file.

/** Kinds by the path of their list, if that shows no other records. */
const kindLists = new Map<string, Kind>(kinds.filter(({ list }) => !list.query).map((kind) => [kind.list.path, kind]));

/** Returns the view at a path template, or at the path of the list of a kind. */
export const viewAt = (path: string): View =>
  viewOf(kindLists.has(path) && path.startsWith('/records/') ? '/records/{kind}' : path);

const allEndings = new Set(views.flatMap(({ siteEndings }) => siteEndings ?? []));

/** A page that is not about a single record: its view, and the values and query of its address. */
type ListedPage = { view: View; values: Record<string, unknown>; queryParameters?: PageQuery };

/** Returns the pages of a site that are not about one record, by address; `/feed` also by type and topic. */
function listedPagesOf(mirror: Mirror): Map<string, ListedPage> {
  const viewPaths = views.filter(({ path, siteEndings }) => siteEndings && !path.includes('{')).map(({ path }) => path);
  const plainPages = [...new Set([...kindLists.keys(), ...viewPaths])].map((path) => {
    const view = viewAt(path);
    const input = view.path === '/records/{kind}' ? { kind: kindLists.get(path)!.name } : {};
    return [path, { view, values: readValues(view.parameters, input).values }] as const;
  });
  const factTypes = kinds.flatMap(({ list }) => (list.query ? [list.query] : []));
  const topics = topicNames(mirror).map((topic) => ({ topic }));
  const feedView = viewOf('/feed');
  const filteredPages = [...factTypes, ...topics].map((filter: Readonly<Record<string, string>>) => {
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
  const viewOfParts = (parts: string[]): View | null => {
    const record = findPageRecord(parts);
    if (record) return ordinalsByKind.get(record.kind)!.has(record.key) ? viewAt(kindOf(record.kind).page) : null;
    return listedPages.get(`/${parts.join('/')}`)?.view ?? null;
  };
  /** Position of a record among its kind if its page or history shares a file. */
  const sharedOrdinal = (parts: string[]): number | undefined => {
    const [first, ...recordParts] = parts;
    if (first === 'history') return historyOrdinals.get(recordParts.join(' '));
    const record = findPageRecord(parts);
    if (!record || !viewAt(kindOf(record.kind).page).sharesFile) return undefined;
    return ordinalsByKind.get(record.kind)!.get(record.key);
  };
  /** Endings of a page's other files; those with absolute URLs only for a site with a URL. */
  const endingsOf = ({ siteEndings, forms }: View): string[] =>
    siteEndings!.filter((ending) => site !== null || !forms[ending]!.hasAbsoluteAddresses);
  const pageFile = (parts: string[]): string | null => {
    const last = parts.at(-1)!;
    const ordinal = sharedOrdinal(parts);
    if (ordinal !== undefined)
      return `${parts.slice(0, -1).map(fileNameOf).join('/')}/p${Math.floor(ordinal / recordsPerFile)}.html#${fileNameOf(last)}`;
    for (const ending of ['html', ...allEndings]) {
      const suffix = ending === 'html' ? '' : `.${ending}`;
      if (!last.endsWith(suffix)) continue;
      const pageParts = [...parts.slice(0, -1), last.slice(0, last.length - suffix.length)];
      const view = viewOfParts(pageParts);
      if (view && (suffix === '' || endingsOf(view).includes(ending)))
        return `${pageParts.map(fileNameOf).join('/')}.${ending}`;
      const kind = kindLists.get(`/${pageParts.join('/')}`);
      if (ending === 'csv' && kind) return `data/${kind.plural}.csv`;
    }
    return null;
  };

  return {
    /** URL of the site with a trailing slash; null disables feeds and absolute URLs. */
    site,
    /** Placeholder origin, replaced by `site` in finished pages; random, since records may contain any other. */
    origin: `https://${randomBytes(16).toString('hex')}.invalid`,
    /** Pages that are not about a single record, by address. */
    listedPages,
    endingsOf,
    /** Returns the file of an address, with an anchor if records share it; null if there is none. */
    fileOf(address: string): string | null {
      const [path = '', query = ''] = address.split('?');
      const searchParams = new URLSearchParams(query);
      if (path === '/') return 'index.html';
      if (path.startsWith('/assets/')) return path.slice(1);
      if (path === '/search') return 'search.html';
      if (path === '/api/v1/export/dataset')
        return searchParams.get('format') === 'csv' ? `data/${searchParams.get('entity')}.csv` : null;
      const filterName = [...searchParams.values()].map(fileNameOf).join();
      if (searchParams.size > 0) return listedPages.has(address) ? `${path.slice(1)}/${filterName}.html` : null;
      const parts = path.slice(1).split('/').map(decodeSegment);
      if (!parts.every((part) => part !== null)) return null;
      if (parts[0] === 'changes' && parts.length > 1)
        return /^[\d-]+$/.test(parts[1]!) ? `changes/${parts[1]}.html` : null;
      return listedPages.has(path) ? `${parts.map(fileNameOf).join('/')}.html` : pageFile(parts);
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
    .replace(linkAttribute, (_, name: string, written: string) => ` ${name}="${escapeHtml(targetOf(written) ?? '')}"`);
  const filledText = emptyElements.reduce((all, empty) => all.replace(empty, ''), text);
  return insertSiteUrls(filledText, links);
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

function linkTarget(address: string, links: SiteLinks, { file, next }: FilePosition): string | null {
  const [, cursor] = /[?&]cursor=([^&]*)/.exec(address) ?? [];
  const [addressWithoutHash = '', hash] = address.split('#');
  const isNext = cursor !== undefined && next && decodeSegment(cursor) === next.cursor;
  const targetFile = cursor === undefined ? links.fileOf(addressWithoutHash) : isNext ? next.file : null;
  if (targetFile === null) return null;
  return `${posix.relative(posix.dirname(file), targetFile)}${hash === undefined || targetFile.includes('#') ? '' : `#${hash}`}`;
}

const entities: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

function unescapeEntities(escapedUrl: string): string {
  return escapedUrl.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => entities[name]!);
}
