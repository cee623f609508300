import { hash } from 'node:crypto';
import { type Attribution, webAddress } from '../model/attribution.ts';
import { type Ballot, readBallot } from '../model/ballot.ts';
import { outcomeSentence } from '../model/ballot-sentence.ts';
import { type Document, documentsIn, isDocument, textOf } from '../model/document.ts';
import { keyOf, titleOf } from '../model/facets.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import type { FieldChange } from '../model/normal-form.ts';
import { clauses, type Speech, say } from '../words/speech.ts';
import { changeFacts, changeHeadline } from './change-text.ts';
import { changesHtml } from './difference.ts';
import { escapeHtml, escapeXml } from './html.ts';
import { sanitiseLine, sanitiseText } from './sanitise.ts';

/** A web feed; addresses are absolute, moments in ISO 8601. */
export type WebFeed = {
  /** Independent of the entries and of the host that serves the feed. */
  id: string;
  title: string;
  language: string;
  /** Creation time, used for a feed without entries. */
  madeAt: string;
  /** Addresses of this feed, its page and its next page; null if there is none. */
  addresses: { atom: string | null; page: string | null; next: string | null };
  attribution: Attribution;
  entries: FeedEntry[];
};

export type FeedEntry = {
  /** Stable: the same state of the same record always has the same id. */
  id: string;
  title: string;
  address: string;
  updated: string;
  /** The day or moment of the fact itself; null if unknown. */
  published: string | null;
  /** Sanitised HTML. */
  html: string;
  categories: string[];
};

/** Returns a UUID (RFC 9562, version 8) as a hash of `words`; unlike an address, it does not depend on the host. */
export function permanentId(...words: string[]): string {
  const digits = hash('sha256', JSON.stringify(words), 'hex');
  const variant = ((Number.parseInt(digits[16]!, 16) & 3) | 8).toString(16);
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `urn:uuid:$1-$2-8$3-${variant}$4-$5`);
}

/** Returns a day or moment in RFC 3339 (a day starts at 00:00 UTC); null for other text. */
export function feedMoment(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d(?:$|[T ])/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

const xmlLine = (text: string) => escapeXml(sanitiseLine(text));

/** Returns a feed as Atom (RFC 4287, paged by RFC 5005); its author is the service. */
export function atomText(feed: WebFeed): string {
  const { addresses, attribution } = feed;
  const moments = feed.entries.map(({ updated }) => updated).sort();
  const linkRelations: [rel: string, href: string | null, type?: string][] = [
    ['self', addresses.atom, 'application/atom+xml'],
    ['alternate', addresses.page, 'text/html'],
    ['next', addresses.next, 'application/atom+xml'],
    ['via', attribution.url],
    ['license', attribution.licence?.url ?? null],
  ];
  const links = linkRelations.map(([rel, href, type]) =>
    href === null ? '' : `<link rel="${rel}"${type ? ` type="${type}"` : ''} href="${escapeXml(href)}"/>\n`,
  );
  const uri = attribution.url === null ? '' : `<uri>${escapeXml(attribution.url)}</uri>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(feed.language)}">
<id>${escapeXml(feed.id)}</id>
<title>${xmlLine(feed.title)}</title>
<updated>${moments.at(-1) ?? feed.madeAt}</updated>
${links.join('')}<author><name>${xmlLine(attribution.name)}</name>${uri}</author>
<generator>Hemicycle</generator>
<rights>${xmlLine(attribution.text)}</rights>
${feed.entries.map(entryElement).join('')}</feed>
`;
}

function entryElement({ id, title, address, updated, published, html, categories }: FeedEntry): string {
  return `<entry>
<id>${escapeXml(id)}</id>
<title>${xmlLine(title)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(address)}"/>
${published === null ? '' : `<published>${published}</published>\n`}<updated>${updated}</updated>
${categories.map((each) => `<category term="${xmlLine(each)}"/>`).join('')}
<content type="html">${escapeXml(html)}</content>
</entry>
`;
}

/** Lookups for entries: the page of a record, when it last changed (ISO 8601), and its sources. */
export type EntryContext = {
  speech: Speech;
  addressOf(kind: KindName, key: string): string;
  changedAt(kind: KindName, key: string): string | null;
  sourcesOf(document: Document): readonly Document[];
  /** Returns facts of the record that the change itself lacks. */
  factsOf?(kind: string, key: string): Document;
  /** The fallback for unknown moments. */
  madeAt: string;
};

/** Returns a change as an entry, with the difference of each field. */
export function changeEntry(
  changeDocument: Document,
  { addressOf, factsOf, speech }: Pick<EntryContext, 'addressOf' | 'factsOf' | 'speech'>,
): FeedEntry {
  const change = { ...factsOf?.(String(changeDocument.kind), String(changeDocument.key)), ...changeDocument };
  const [kind, key, changeType, seenAt] = ['kind', 'key', 'change', 'seen_at'].map((name) => String(change[name]));
  return {
    id: permanentId('change', kind!, key!, changeType!, seenAt!),
    title: changeHeadline(change, speech),
    address: addressOf(kind as KindName, key!),
    updated: seenAt!,
    published: null,
    html: changeHtml(change, speech),
    categories: [kind!, changeType!],
  };
}

/** Returns the facts, differences and sources of a changed record as HTML. */
export function changeHtml(change: Document, speech: Speech): string {
  const formerKey = textOf(change, 'former_key');
  const key = textOf(change, 'key') ?? '';
  const renameHtml = formerKey === null ? '' : `<p><del>${lineHtml(formerKey)}</del> <ins>${lineHtml(key)}</ins></p>`;
  const facts = [titleOrKey(change, key), ...changeFacts(change, speech)].map((line) => `<p>${lineHtml(line)}</p>`);
  const differences = changesHtml(fieldChangesIn(change.fields), speech);
  return `${facts.join('')}${renameHtml}${differences}${sourcesHtml(documentsIn(change.sources), speech)}`;
}

const fieldChangesIn = (value: unknown) => documentsIn(value) as FieldChange[];

/** Returns a version of a record as an entry, with its differences from the previous version. */
export function versionEntry(
  version: Document,
  { kind, key }: { kind: KindName; key: string },
  { addressOf, speech }: EntryContext,
): FeedEntry {
  const seenFrom = String(version.seen_from);
  const name = shortenTitle(titleOf(kindOf(kind), isDocument(version.document) ? version.document : {}));
  return {
    id: permanentId('version', kind, key, String(version.part), seenFrom),
    title: `${name} (${speech.moment(seenFrom)})`,
    address: addressOf(kind, key),
    updated: seenFrom,
    published: null,
    html: `<p>${lineHtml(name)}</p>${changesHtml(fieldChangesIn(version.changes), speech)}`,
    categories: [kind],
  };
}

const titleOrKey = (document: Document, key: string) => textOf(document, 'title') ?? key;

/** Returns a record as an entry whose id never changes: feed readers show it again when `updated` changes. */
export function recordEntry(name: KindName, document: Document, context: EntryContext): FeedEntry {
  const kind = kindOf(name);
  return {
    ...recordEntryFields(name, keyOf(kind, document), context, textOf(document, 'date')),
    title: shortenTitle(titleOf(kind, document)),
    html: `${name === 'ballot' ? ballotHtml(readBallot(document), context.speech) : recordHtml(kind, document)}${sourcesHtml(context.sourcesOf(document), context.speech)}`,
    categories: [name, ...['topic', 'result'].flatMap((field) => textOf(document, field) ?? [])],
  };
}

/** Returns a search hit as an entry: its title and snippet. */
export function hitEntry(hit: Document, context: EntryContext): FeedEntry {
  const name = String(hit.type) as KindName;
  const key = textOf(hit, 'slug', 'id') ?? '';
  return {
    ...recordEntryFields(name, key, context, textOf(hit, 'date')),
    title: shortenTitle(titleOrKey(hit, key)),
    html: `<p>${lineHtml(textOf(hit, 'snippet') ?? '')}</p>`,
    categories: [name],
  };
}

function recordEntryFields(name: KindName, key: string, context: EntryContext, date: string | null) {
  const published = feedMoment(date);
  const updatedAt = context.changedAt(name, key) ?? published ?? context.madeAt;
  return { id: permanentId('record', name, key), address: context.addressOf(name, key), updated: updatedAt, published };
}

const lineHtml = (text: string) => escapeHtml(sanitiseLine(text));

const maxTitleLength = 160;

function shortenTitle(text: string): string {
  const line = sanitiseLine(text);
  if (line.length <= maxTitleLength) return line;
  return `${line.slice(0, maxTitleLength).replace(/\s+\S*$/, '')}…`;
}

function recordHtml(kind: Kind, document: Document): string {
  const paragraphs = sanitiseText(textOf(document, 'text', 'description', 'bio') ?? titleOf(kind, document))
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${lineHtml(line)}</p>`);
  const address = webAddress(textOf(document, 'url') ?? '');
  const originalLink = address === null ? '' : `<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>`;
  return `${paragraphs.join('')}${originalLink}`;
}

function sourcesHtml(sources: readonly Document[], speech: Speech): string {
  const sourceItems = sources.map((source) => {
    const title = lineHtml(textOf(source, 'title', 'url', 'id') ?? '');
    const url = webAddress(textOf(source, 'url') ?? '');
    const date = textOf(source, 'date');
    const about = [textOf(source, 'publisher'), date && speech.day(date)].filter(Boolean).join(', ');
    const linkedTitle = url === null ? title : `<a href="${escapeHtml(url)}">${title}</a>`;
    return about === '' ? linkedTitle : `${linkedTitle} (${lineHtml(about)})`;
  });
  return sourceItems.length === 0 ? '' : `<p>${speech.say`${say`Sources`}: ${clauses(sourceItems)}`}</p>`;
}

function ballotHtml(ballot: Ballot, speech: Speech): string {
  const facts = [ballot.date, `${ballot.chamber} ${ballot.scrutin_id}`].filter(Boolean).join(' · ');
  const lines = [speech.render(outcomeSentence(ballot)), ballot.title ?? '', facts];
  return lines.map((line) => `<p>${lineHtml(line)}</p>`).join('');
}
