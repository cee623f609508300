import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { escapeHtml } from '../../format/html.ts';
import { listAddress, recordAt } from '../../model/addresses.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../../store/mirror.ts';
import { heldKeys, keysWithPast } from '../../store/record.ts';

/** Maps addresses of the server to files of a site. */
export type SiteLinks = {
  /** URL of the site with a trailing slash, or null; without it there are no feeds and no absolute URLs. */
  site: string | null;
  /** Placeholder origin, replaced by `site` in finished pages; random, since records may contain any other. */
  origin: string;
  /** The file of an address; null if the site has none. */
  fileOf(address: string): string | null;
  /** Filtered lists that pages link to, in the order of the first link. */
  wanted: Set<string>;
};

/** A file whose links are rewritten; of a list in several files also its address, and the next file by its cursor. */
export type Place = { file: string; first?: string; next?: { cursor: string; file: string } | null };

/** The file of a part of a list; no key of a record contains a tilde. */
export const partOfList = (file: string, number: number) =>
  number === 1 ? file : file.replace(/\.html$/, `~${number}.html`);

/** File name of a key: the key itself if it is plain, else a slug with a hash. */
function fileNamed(key: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,99}$/i.test(key)) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const plain = key.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
  return `${plain.replace(/^-|-$/g, '')}-${hash}`;
}

/** Forms written beside record pages, by first path segment; `absolute` ones contain URLs of the site. */
const formsBeside: Record<string, { plain: string[]; absolute: string[] }> = {
  politicians: { plain: ['json', 'svg'], absolute: ['atom', 'jsonfeed', 'jsonld'] },
  parties: { plain: ['json'], absolute: ['jsonld'] },
  votes: { plain: ['json', 'csv', 'svg'], absolute: [] },
  history: { plain: ['json'], absolute: [] },
};

/** Lists with feeds. */
export const feedLists = ['feed', 'votes', 'changes'];
export const feedEndings = ['atom', 'jsonfeed'];

/** Short lists, with JSON and CSV files beside them. */
export const dataLists = ['parties', 'topics', 'cohesion'];

/** Lists of kinds by path; `data/` has them as whole tables. */
const kindLists = new Map<string, Kind>(
  kinds.flatMap((kind): [path: string, kind: Kind][] => {
    const { path, query } = listAddress(kind);
    return query || dataLists.includes(path.slice(1)) ? [] : [[path, kind]];
  }),
);

/** Paths of the lists that are split into several files. */
export const cutLists: readonly string[] = [...kindLists.keys(), '/feed'];

const plainPages = [
  ...cutLists,
  ...['changes', 'about', 'catalog', 'search', ...dataLists].map((name) => `/${name}`),
];

/** Filters whose lists get files of their own. */
const fileFilters = new Set(['topic', 'types', 'politician', 'party']);

/** Maps the addresses of a mirror's pages to files of a site at that URL. */
export function createSiteLinks(mirror: Mirror, site: string | null): SiteLinks {
  const held = new Map(kinds.map(({ name }) => [name, new Set(heldKeys(mirror, name))]));
  const past = new Set(keysWithPast(mirror).map(({ kind, key }) => `${kind} ${key}`));
  const wanted = new Set<string>();

  const isThere = (first: string, named: string[]): boolean => {
    if (first === 'history') return named.length === 2 && past.has(named.join(' '));
    const found = recordAt([first, ...named]);
    return found !== null && held.get(found.kind)!.has(found.key);
  };
  const recordFile = ([first = '', ...rest]: string[]): string | null => {
    const last = rest.pop()!;
    for (const ending of ['html', ...endingsOf(first, site)]) {
      const suffix = ending === 'html' ? '' : `.${ending}`;
      const named = [...rest, last.slice(0, last.length - suffix.length)];
      if (last.endsWith(suffix) && isThere(first, named))
        return `${[first, ...named.map(fileNamed)].join('/')}.${ending}`;
    }
    return null;
  };
  const pageFile = (name: string, ending = 'html'): string | null => {
    const kind = kindLists.get(`/${name}`);
    if (ending === 'csv' && kind) return `data/${kind.plural}.csv`;
    const isWritten = feedEndings.includes(ending)
      ? site !== null && feedLists.includes(name)
      : ending === 'html' || (dataLists.includes(name) && ['json', 'csv'].includes(ending));
    return isWritten ? `${name}.${ending}` : null;
  };
  const listFile = (address: string, path: string, query: URLSearchParams): string | null => {
    if (path !== '/feed' || [...query.keys()].some((key) => !fileFilters.has(key))) return null;
    wanted.add(address);
    const named = [...query].map(([key, value]) =>
      key === 'topic' || key === 'types' ? value : `${key}-${value}`,
    );
    return `feed/${named.map(fileNamed).join('/')}.html`;
  };

  return {
    site,
    origin: `https://${randomBytes(16).toString('hex')}.invalid`,
    wanted,
    fileOf(address) {
      const [path = '', query = ''] = address.split('?');
      const asked = new URLSearchParams(query);
      if (path === '/') return 'index.html';
      if (path.startsWith('/assets/')) return path.slice(1);
      if (path === '/search') return 'search.html';
      if (path === '/compare') return asked.size === 0 ? 'cohesion.html' : null;
      if (path === '/api/v1/export/dataset')
        return asked.get('format') === 'csv' ? `data/${asked.get('entity')}.csv` : null;
      const [, page = '', ending] = /^(\/[a-z]+|\/records\/[a-z]+)(?:\.([a-z]+))?$/.exec(path) ?? [];
      if (plainPages.includes(page)) {
        if (asked.size > 0) return ending === undefined ? listFile(address, path, asked) : null;
        return pageFile(page.slice(1), ending);
      }
      const parts = path.slice(1).split('/').map(decoded);
      if (asked.size > 0 || parts.length < 2 || !parts.every((part) => part !== null)) return null;
      if (parts[0] === 'changes') return /^[\d-]+$/.test(parts[1]!) ? `changes/${parts[1]}.html` : null;
      return recordFile(parts);
    },
  };
}

/** Endings of the files beside a record page; absolute forms only for a site with a URL. */
export function endingsOf(first: string, site: string | null): string[] {
  const { plain = [], absolute = [] } = formsBeside[first] ?? {};
  return site === null ? plain : [...plain, ...absolute];
}

const anchor = /<a\b([^>]*?) href="(\/[^"]*)"([^>]*)>([\s\S]*?)<\/a>/g;
const otherLink = / (href|src|action)="(\/[^"]*)"/g;
const linkElement = /<link\b[^>]*? href="(\/[^"]*)"[^>]*>\n?/g;
const emptied = /<p class="forms">[^<]*<\/p>|<p>\s*<\/p>|<li>\s*<\/li>/g;

/** Rewrites the links of a page to relative links to files, and removes links without a file. */
export function linkedToFiles(page: string, links: SiteLinks, at: Place): string {
  const aim = (written: string) => aimOf(unescaped(written), links, at);
  const text = page
    .replace(anchor, (_, before: string, written: string, after: string, inner: string) => {
      const aimed = aim(written);
      if (aimed !== null) return `<a${before} href="${escapeHtml(aimed)}"${after}>${inner}</a>`;
      // Links to next pages and other forms go, text included.
      return /class="next"|rel="first"|type="/.test(before + after) ? '' : inner;
    })
    .replace(linkElement, (link, written: string) => (aim(written) === null ? '' : link))
    .replace(otherLink, (_, name: string, written: string) => ` ${name}="${escapeHtml(aim(written) ?? '')}"`)
    .replace(emptied, '');
  return placed(text, links);
}

/** Replaces the placeholder origin by URLs of the site's files; does nothing for a site without a URL. */
export function placed(text: string, { site, origin, fileOf }: SiteLinks): string {
  if (site === null) return text;
  const whole = new RegExp(`${origin.replaceAll('.', '\\.')}(/[^"<\\\\\\s]*)?`, 'g');
  return text.replace(whole, (_, written = '/') => {
    const [address = '', hash = ''] = unescaped(written).split('#');
    const file = fileOf(address) ?? 'index.html';
    return `${site}${file === 'index.html' ? '' : file}${hash && `#${hash}`}`;
  });
}

function aimOf(address: string, links: SiteLinks, { file, next, first }: Place): string | null {
  const [, cursor] = /[?&]cursor=([^&]*)/.exec(address) ?? [];
  const [plain = '', hash] = address.split('#');
  let aim: string | null;
  if (cursor !== undefined) aim = next && decoded(cursor) === next.cursor ? next.file : null;
  else aim = plain === first ? file.replace(/~\d+\.html$/, '.html') : links.fileOf(plain);
  if (aim === null) return null;
  return `${posix.relative(posix.dirname(file), aim)}${hash === undefined ? '' : `#${hash}`}`;
}

/** The decoded part of an address; null if it is malformed. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

const entities: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

function unescaped(written: string): string {
  return written.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => entities[name]!);
}
