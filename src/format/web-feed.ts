import { hash } from 'node:crypto';
import type { Attribution } from '../model/attribution.ts';
import { escapeXml } from './markup.ts';
import { sanitiseLine } from './sanitise.ts';

/** What somebody subscribes to; addresses are absolute, moments ISO 8601. */
export type WebFeed = {
  /** Stays whatever the feed holds, and wherever it is served. */
  id: string;
  title: string;
  language: string;
  /** When it was made, for a feed without entries. */
  madeAt: string;
  /** Addresses of this feed, its page and its next page; null if there is none. */
  addresses: {
    atom: string | null;
    json: string | null;
    page: string | null;
    nextAtom: string | null;
    nextJson: string | null;
  };
  attribution: Attribution;
  entries: FeedEntry[];
};

/** One entry of a feed. */
export type FeedEntry = {
  /** Stable: the same state of the same record always has the same id. */
  id: string;
  title: string;
  /** The page of the record. */
  address: string;
  /** When this mirror saw the change. */
  updated: string;
  /** The day or moment of the fact itself, where it has one. */
  published: string | null;
  /** Sanitised HTML. */
  html: string;
  categories: string[];
};

/**
 * A permanent id of these words: a UUID (RFC 9562, version 8) of their hash. A `tag:` would need a domain of the mirror,
 * and addresses change with the host.
 */
export function permanentId(...words: string[]): string {
  const digits = hash('sha256', JSON.stringify(words), 'hex');
  const variant = ((Number.parseInt(digits[16]!, 16) & 3) | 8).toString(16);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return `urn:uuid:${groups.join('-')}`;
}

/** A day or moment in RFC 3339 (a day starts at 00:00 UTC), else null. */
export function feedMoment(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d(?:$|[T ])/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

const textOf = (text: string) => escapeXml(sanitiseLine(text));

/** A feed as Atom (RFC 4287, paged by RFC 5005); its author is the service. */
export function atomText(feed: WebFeed): string {
  const { addresses, attribution } = feed;
  const stated: [rel: string, href: string | null, type?: string][] = [
    ['self', addresses.atom, 'application/atom+xml'],
    ['alternate', addresses.page, 'text/html'],
    ['next', addresses.nextAtom, 'application/atom+xml'],
    ['via', attribution.url],
    ['license', attribution.licence?.url ?? null],
  ];
  const links = stated.map(([rel, href, type]) =>
    href === null ? '' : `<link rel="${rel}"${type ? ` type="${type}"` : ''} href="${escapeXml(href)}"/>\n`,
  );
  const uri = attribution.url === null ? '' : `<uri>${escapeXml(attribution.url)}</uri>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(feed.language)}">
<id>${escapeXml(feed.id)}</id>
<title>${textOf(feed.title)}</title>
<updated>${updatedOf(feed)}</updated>
${links.join('')}<author><name>${textOf(attribution.name)}</name>${uri}</author>
<generator>Hemicycle</generator>
<rights>${textOf(attribution.text)}</rights>
${feed.entries.map(entryElement).join('')}</feed>
`;
}

function entryElement({ id, title, address, updated, published, html, categories }: FeedEntry): string {
  return `<entry>
<id>${escapeXml(id)}</id>
<title>${textOf(title)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(address)}"/>
${published === null ? '' : `<published>${published}</published>\n`}<updated>${updated}</updated>
${categories.map((each) => `<category term="${textOf(each)}"/>`).join('')}
<content type="html">${escapeXml(html)}</content>
</entry>
`;
}

function updatedOf({ entries, madeAt }: WebFeed): string {
  return entries.reduce((newest, { updated }) => (updated > newest ? updated : newest), '') || madeAt;
}

/** A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function jsonFeedText(feed: WebFeed): string {
  const { addresses, attribution } = feed;
  const author = { name: attribution.name, ...(attribution.url === null ? {} : { url: attribution.url }) };
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: sanitiseLine(feed.title),
    ...(addresses.page === null ? {} : { home_page_url: addresses.page }),
    ...(addresses.json === null ? {} : { feed_url: addresses.json }),
    ...(addresses.nextJson === null ? {} : { next_url: addresses.nextJson }),
    description: attribution.text,
    language: feed.language,
    authors: [author],
    _hemicycle: { id: feed.id, updated: updatedOf(feed), attribution },
    items: feed.entries.map(({ id, title, address, updated, published, html, categories }) => ({
      id,
      url: address,
      title: sanitiseLine(title),
      content_html: html,
      ...(published === null ? {} : { date_published: published }),
      date_modified: updated,
      tags: categories,
    })),
  });
}
