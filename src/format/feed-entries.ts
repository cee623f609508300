import { webAddress } from '../model/attribution.ts';
import { type Ballot, readBallot } from '../model/ballot.ts';
import { countSentence } from '../model/ballot-sentence.ts';
import { type Document, isDocument, textOf } from '../model/document.ts';
import { keyOf, titleOf } from '../model/facets.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import type { FieldChange } from '../model/normal-form.ts';
import type { Speech } from '../words/speech.ts';
import { changesHtml } from './difference.ts';
import { escapeHtml } from './markup.ts';
import { sanitiseLine, sanitiseText } from './sanitise.ts';
import { type FeedEntry, feedMoment, permanentId } from './web-feed.ts';

/** Lookups for entries: the page of a record, and when it last changed (ISO 8601). */
export type EntryContext = {
  speech: Speech;
  addressOf(kind: KindName, key: string): string;
  changedAt(kind: KindName, key: string): string | null;
  /** Used where a moment is unknown. */
  madeAt: string;
};

/** What changed, as an entry with the difference of each field; every change is an entry of its own. */
export function changeEntry(change: Document, { addressOf, speech }: EntryContext): FeedEntry {
  const [kind, key, what, seenAt] = ['kind', 'key', 'change', 'seen_at'].map((name) => String(change[name]));
  const former = textOf(change, 'former_key');
  const fields = (Array.isArray(change.fields) ? change.fields : []) as FieldChange[];
  const renamed = former === null ? '' : `<p><del>${lineOf(former)}</del> <ins>${lineOf(key!)}</ins></p>`;
  return {
    id: permanentId('change', kind!, key!, what!, seenAt!),
    title: `${speech.word(what!)}: ${titleIn(change, key!)} (${speech.word(kind!)})`,
    address: addressOf(kind as KindName, key!),
    updated: seenAt!,
    published: null,
    html: `<p>${lineOf(titleIn(change, key!))}</p>${renamed}${changesHtml(fields)}`,
    categories: [kind!, what!],
  };
}

/** A version of a record as an entry, with how it differs from the one before. */
export function versionEntry(
  version: Document,
  { kind, key }: { kind: KindName; key: string },
  { addressOf, speech }: EntryContext,
): FeedEntry {
  const [part, seenFrom] = [String(version.part), String(version.seen_from)];
  const document = isDocument(version.document) ? version.document : {};
  const name = shortened(titleOf(kindOf(kind), document));
  return {
    id: permanentId('version', kind, key, part, seenFrom),
    title: `${name} (${speech.moment(seenFrom)})`,
    address: addressOf(kind, key),
    updated: seenFrom,
    published: null,
    html: `<p>${lineOf(name)}</p>${changesHtml((Array.isArray(version.changes) ? version.changes : []) as FieldChange[])}`,
    categories: [kind],
  };
}

const titleIn = (document: Document, key: string) => textOf(document, 'title') ?? key;

/** A record as an entry, the same one however often it changes: readers show it anew where `updated` moved. */
export function recordEntry(name: KindName, document: Document, context: EntryContext): FeedEntry {
  const kind = kindOf(name);
  return {
    ...entryOfRecord(name, keyOf(kind, document), context, textOf(document, 'date')),
    title: shortened(titleOf(kind, document)),
    html: name === 'ballot' ? ballotHtml(readBallot(document)) : recordHtml(kind, document),
    categories: [name, ...['topic', 'result'].flatMap((field) => textOf(document, field) ?? [])],
  };
}

/** A search hit as an entry: its title and snippet. */
export function hitEntry(hit: Document, context: EntryContext): FeedEntry {
  const [name, key] = [String(hit.type) as KindName, textOf(hit, 'slug', 'id') ?? ''];
  return {
    ...entryOfRecord(name, key, context, textOf(hit, 'date')),
    title: shortened(titleIn(hit, key)),
    html: `<p>${lineOf(textOf(hit, 'snippet') ?? '')}</p>`,
    categories: [name],
  };
}

function entryOfRecord(name: KindName, key: string, context: EntryContext, date: string | null) {
  const published = feedMoment(date);
  const updated = context.changedAt(name, key) ?? published ?? context.madeAt;
  return { id: permanentId('record', name, key), address: context.addressOf(name, key), updated, published };
}

const lineOf = (text: string) => escapeHtml(sanitiseLine(text));

const longestTitle = 160;

/** The first words of a long title. */
function shortened(text: string): string {
  const line = sanitiseLine(text);
  if (line.length <= longestTitle) return line;
  return `${line.slice(0, longestTitle).replace(/\s+\S*$/, '')}…`;
}

function recordHtml(kind: Kind, document: Document): string {
  const paragraphs = sanitiseText(textOf(document, 'text', 'description', 'bio') ?? titleOf(kind, document))
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${lineOf(line)}</p>`);
  const address = webAddress(textOf(document, 'url') ?? '');
  const original =
    address === null ? '' : `<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>`;
  return `${paragraphs.join('')}${original}`;
}

function ballotHtml(ballot: Ballot): string {
  const facts = [ballot.date, `${ballot.chamber} ${ballot.scrutin_id}`, ballot.result];
  return `<p>${lineOf(ballot.title ?? '')}</p><p>${lineOf(facts.filter(Boolean).join(' · '))}</p><p>${lineOf(`${countSentence(ballot)}`)}</p>`;
}
