import { createHash, randomBytes } from 'node:crypto';
import { escapeHtml } from '../../format/markup.ts';
import { listAddress, recordAt } from '../../model/addresses.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../../store/mirror.ts';
import { heldKeys, keysWithPast } from '../../store/record.ts';

/** Which file each address of the server is in a site; null for what no file can be. */
export type SiteLinks = {
  /**
   * The name of this server in pages that are to be files, which is replaced by the address at which they will stand: one
   * that nobody knew before, for records may say any other.
   */
  origin: string;
  fileOf(address: string): string | null;
  /** Lists that pages lead to, by their addresses, in the order in which they were asked for. */
  wanted: Set<string>;
};

/** Where somebody stands: the file, and in a list that is cut into files, which address comes next and where that is. */
export type Place = { file: string; next?: { cursor: string; file: string } | null; first?: string };

/** The parts of a list after the first: no name of a record holds the sign. */
export const partOfList = (file: string, number: number) =>
  number === 1 ? file : file.replace(/\.html$/, `~${number}.html`);

/** The name of the file of a record; a key that is no plain name is told apart by its hash. */
export function fileNamed(key: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,99}$/i.test(key)) return key;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const plain = key.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
  return `${plain.replace(/^-|-$/g, '')}-${hash}`;
}

/** The forms beside pages that are written too, by the first part of their addresses; those in which addresses are whole apart. */
const formsBeside: Record<string, { plain: string[]; whole: string[] }> = {
  politicians: { plain: ['json', 'svg'], whole: ['atom', 'jsonfeed', 'jsonld'] },
  parties: { plain: ['json'], whole: ['jsonld'] },
  votes: { plain: ['json', 'csv', 'svg'], whole: [] },
  history: { plain: ['json'], whole: [] },
};

/** Lists of which a feed is written. */
export const feedLists = ['feed', 'votes', 'changes'];

/** Lists that are short: their data stand beside them. */
export const dataLists = ['parties', 'topics', 'cohesion'];

/** Paths of the lists of kinds, each whole: the tables in `data/` say all of them. */
const kindLists = new Map<string, Kind>(
  kinds.flatMap((kind): [path: string, kind: Kind][] => {
    const { path, query } = listAddress(kind);
    return query || dataLists.includes(path.slice(1)) ? [] : [[path, kind]];
  }),
);

/** The lists of kinds that are cut into files of their own: their paths. */
export const cutLists: readonly string[] = [...kindLists.keys(), '/feed'];

const plainPages = [
  ...cutLists,
  ...['changes', 'about', 'catalog', 'search', ...dataLists].map((name) => `/${name}`),
];

/** What lists are cut down to by that stands in files of its own. */
const chosenBy = new Set(['topic', 'types', 'politician', 'party']);

/** The files of a site over a mirror; feeds, and what else states whole addresses, only where it is known where it will stand. */
export function createSiteLinks(mirror: Mirror, { isPlaced }: { isPlaced: boolean }): SiteLinks {
  const held = new Map(kinds.map(({ name }) => [name, new Set(heldKeys(mirror, name))]));
  const past = new Set(keysWithPast(mirror).map(({ kind, key }) => `${kind} ${key}`));
  const wanted = new Set<string>();

  /** The file of a record without its ending, and the ending. */
  const recordFile = (parts: string[]): [file: string, ending: string] | null => {
    const [first, ...rest] = parts;
    for (const ending of ['html', ...endingsOf(first!, isPlaced)]) {
      const last = rest.at(-1)!;
      const key =
        ending === 'html' ? last : last.endsWith(`.${ending}`) ? last.slice(0, -ending.length - 1) : null;
      if (key === null) continue;
      const named = [...rest.slice(0, -1), key];
      if (isThere(first!, named)) return [[first, ...named.map(fileNamed)].join('/'), ending];
    }
    return null;
  };
  const isThere = (first: string, named: string[]): boolean => {
    if (first === 'history') return named.length === 2 && past.has(named.join(' '));
    const found = recordAt([first, ...named]);
    return found !== null && held.get(found.kind)!.has(found.key);
  };
  /** The file of a page that is there once, and of what stands beside it. */
  const pageFile = (name: string, ending: string | undefined): string | null => {
    if (ending === undefined) return `${name}.html`;
    const kind = kindLists.get(`/${name}`);
    if (ending === 'csv' && kind) return `data/${kind.plural}.csv`;
    if (['atom', 'jsonfeed'].includes(ending))
      return isPlaced && feedLists.includes(name) ? `${name}.${ending}` : null;
    return dataLists.includes(name) && ['json', 'csv'].includes(ending) ? `${name}.${ending}` : null;
  };
  const listFile = (address: string, path: string, query: URLSearchParams): string | null => {
    const name = path.slice(1);
    if (path !== '/feed' || [...query.keys()].some((key) => !chosenBy.has(key))) return null;
    wanted.add(address);
    const named = [...query].map(([key, value]) =>
      key === 'topic' || key === 'types' ? value : `${key}-${value}`,
    );
    return `${name}/${named.map(fileNamed).join('/')}.html`;
  };

  return {
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
      return recordFile(parts)?.join('.') ?? null;
    },
  };
}

/** The endings of what stands beside the page of a record. */
export function endingsOf(first: string, isPlaced: boolean): string[] {
  const { plain = [], whole = [] } = formsBeside[first] ?? {};
  return isPlaced ? [...plain, ...whole] : plain;
}

const anchor = /<a\b([^>]*?) href="(\/[^"]*)"([^>]*)>([\s\S]*?)<\/a>/g;
const other = / (href|src|action)="(\/[^"]*)"/g;
const deadLink = /<link\b[^>]*? href="(\/[^"]*)"[^>]*>\n?/g;
const emptied = /<p class="forms">[^<]*<\/p>|<p>\s*<\/p>|<li>\s*<\/li>/g;

/** A page whose links are those of files: relative, and none that leads nowhere; `site` is where it will stand, or null. */
export function linkedToFiles(page: string, links: SiteLinks, at: Place, site: string | null): string {
  const aim = (written: string) => aimOf(unescaped(written), links, at);
  const text = page
    .replace(anchor, (_, before: string, written: string, after: string, inner: string) => {
      const aimed = aim(written);
      if (aimed !== null) return `<a${before} href="${escapeHtml(aimed)}"${after}>${inner}</a>`;
      // What only leads on is nothing where nothing follows.
      return /class="next"|rel="first"|type="/.test(before + after) ? '' : inner;
    })
    .replace(deadLink, (link, written: string) => (aim(written) === null ? '' : link))
    .replace(other, (_, name: string, written: string) => ` ${name}="${escapeHtml(aim(written) ?? '')}"`)
    .replace(emptied, '');
  return site === null ? text : placed(text, links, site);
}

/** What states whole addresses, with those of the site in the place of this server's. */
export function placed(text: string, links: SiteLinks, site: string): string {
  const whole = new RegExp(`${links.origin.replaceAll('.', '\\.')}(/[^"<\\\\\\s]*)?`, 'g');
  return text.replace(whole, (_, written = '/') => {
    const [address = '', hash = ''] = unescaped(written).split('#');
    const file = links.fileOf(address) ?? 'index.html';
    return `${site}${file === 'index.html' ? '' : file}${hash && `#${hash}`}`;
  });
}

function aimOf(address: string, links: SiteLinks, { file, next, first }: Place): string | null {
  const [, cursor] = /[?&]cursor=([^&]*)/.exec(address) ?? [];
  const [plain = '', hash] = address.split('#');
  const aim =
    cursor === undefined
      ? first !== undefined && plain === first
        ? partOfFirst(file)
        : links.fileOf(plain)
      : next && decoded(cursor) === next.cursor
        ? next.file
        : null;
  if (aim === null) return null;
  return `${relativeTo(file, aim)}${hash === undefined ? '' : `#${hash}`}`;
}

/** A part of an address as it is meant; null for what means nothing. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

const partOfFirst = (file: string) => file.replace(/~\d+\.html$/, '.html');

/** The way from one file of a site to another. */
export function relativeTo(from: string, to: string): string {
  const [above, target] = [from.split('/').slice(0, -1), to.split('/')];
  let same = 0;
  while (same < above.length && above[same] === target[same] && same < target.length - 1) same += 1;
  return `${'../'.repeat(above.length - same)}${target.slice(same).join('/')}`;
}

function unescaped(written: string): string {
  return written
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
