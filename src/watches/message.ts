import { randomUUID } from 'node:crypto';
import { escapeHtml } from '../format/html.ts';
import { shellLine } from '../format/sanitise.ts';
import { changeEntry, type FeedEntry, permanentId, type WebFeed } from '../format/web-feed.ts';
import { attributionOf, type Citation } from '../model/attribution.ts';
import { type Document, textOf } from '../model/document.ts';
import { type KindName, recordPath } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Message, messageContents, type NoticedChange, newestChanges } from '../store/outbox.ts';
import { type CitationSettings, citationOf, lastFilledAt } from '../store/records/contents.ts';
import type { WatchBook } from '../store/watch-book.ts';
import type { Watch } from '../store/watches.ts';
import { type Speech, speechOf } from '../words/speech.ts';
import { flagsForChangesWords } from './watched-question.ts';

/** Maximum changes listed in a message; further ones are only counted. */
export const maxListedChanges = 50;

const maxFeedEntries = 200;

/** The source to cite, and when its data was retrieved (ISO 8601). */
export type SourceCitation = { citation: Citation; retrievedAt: string | null };

/** The source to cite for changes of a mirror. */
export function sourceCitationOf(mirror: Mirror, settings: CitationSettings): SourceCitation {
  return { citation: citationOf(settings, mirror), retrievedAt: lastFilledAt(mirror) };
}

/** The JSON body of a message; a stored message gives the same bytes each time. */
export type MessageBody = ReturnType<typeof createBody>;

/** Stored changes only; a row with a `count` above 1 stands for changes that a run counted but did not store. */
const listableChanges = (changes: NoticedChange[]) => changes.filter(({ count }) => count === 1);

/** True for a change of a record; only such a change has a command that shows it. */
const isRecordChange = (change: Document) => textOf(change, 'show') !== null;

/** Creates the body of a stored message, with at most `maxListedChanges` changes. */
export function messageBody(book: WatchBook, watch: Watch, message: Message, source: SourceCitation): MessageBody {
  // One row more than listed: one may stand for changes that are only counted.
  const { changes, total, part } = messageContents(book, watch.id, { message, limit: maxListedChanges + 1 });
  const shown = listableChanges(changes).slice(0, maxListedChanges);
  return createBody(watch, shown, { type: 'watch.changes', id: message.key, at: message.made_at, total, source, part });
}

/** Creates the body of a test message with these changes, the latest of the watch. */
export function testBody(latestChanges: NoticedChange[], watch: Watch, source: SourceCitation): MessageBody {
  const shown = listableChanges(latestChanges);
  const id = `msg_${randomUUID().replaceAll('-', '')}`;
  const at = new Date().toISOString();
  return createBody(watch, shown, { type: 'watch.test', id, at, total: shown.length, source });
}

type BodyFields = {
  type: 'watch.changes' | 'watch.test';
  id: string; // idempotency key: the same in every attempt
  at: string;
  total: number; // changes of the message, listed or not
  source: SourceCitation;
  part?: { number: number; of: number }; // position among the messages of one run
};

function createBody(watch: Watch, listedChanges: NoticedChange[], { type, id, at, total, source, part }: BodyFields) {
  const changes = listedChanges.map(({ seq, at: noticed_at, change }): Document => {
    const page = pageAddress(source.citation, change);
    return { id: changeId(watch, seq), noticed_at, ...change, ...(page === null ? {} : { page }) };
  });
  const recordChanges = listedChanges.filter(({ change }) => isRecordChange(change));
  const seenTimes = recordChanges.map(({ change }) => String(change.seen_at)).sort();
  return {
    type,
    id,
    timestamp: at,
    data: {
      watch: { name: watch.name, question: shellLine(watch.words) },
      ...(part && part.of > 1 ? { part } : {}),
      changes,
      shown: listedChanges.length,
      more: total - listedChanges.length,
      show: showCommand(watch, listedChanges),
      attribution: attributionOf(source.citation, { retrievedAt: seenTimes.at(-1) ?? null }),
    },
  };
}

/** URL of the page of a changed record; null for another change, or without a public server. */
function pageAddress({ publicUrl }: Citation, change: Document): string | null {
  if (!publicUrl || !isRecordChange(change)) return null;
  return `${publicUrl}${recordPath(String(change.kind), String(change.key))}`;
}

/** Command line that shows the watch's answer; for `changes` and `brief`, since the day of the first listed change. */
function showCommand(watch: Watch, listedChanges: readonly NoticedChange[]): string {
  const [word] = watch.words;
  if (word === 'silence') return 'hemicycle status';
  if (word === 'gaps') return 'hemicycle audit';
  const days = listedChanges.map(({ change }) => String(change.seen_at).slice(0, 10)).sort();
  const since = /^(changes|brief)$/.test(word!) && days.length > 0 ? ` --since ${days[0]}` : '';
  return `hemicycle ${shellLine(word === 'changes' ? flagsForChangesWords(watch.words) : watch.words)}${since}`;
}

/** Id of a change in messages and feeds; its parts, with the former name `told`, must not change. */
const changeId = ({ uid }: Watch, seq: number): string => permanentId('told', uid, String(seq));

/** Addresses of a feed and of records; without `addressOf`, entries link to the public page, source or site. */
export type FeedUrls = { addresses: WebFeed['addresses']; addressOf: ((kind: KindName, key: string) => string) | null };

/** The newest changes of a watch as a feed with stable entry ids. */
export function watchFeed(book: WatchBook, watch: Watch, source: SourceCitation, { addresses, addressOf }: FeedUrls) {
  const speech = speechOf(watch.language);
  const { citation } = source;
  const changes = newestChanges(book, watch.id, maxFeedEntries);
  return {
    id: permanentId('watch', watch.uid),
    title: `${watch.name} · ${citation.name}`,
    language: watch.language,
    madeAt: watch.createdAt,
    addresses,
    attribution: attributionOf(citation, { retrievedAt: source.retrievedAt }),
    entries: changes.map((each) => createEntry(watch, each, { speech, addressOf, citation })),
  };
}

function createEntry(
  watch: Watch,
  { seq, at, count, change }: NoticedChange,
  { speech, addressOf, citation }: { speech: Speech; addressOf: FeedUrls['addressOf']; citation: Citation },
): FeedEntry {
  const address = pageAddress(citation, change) ?? textOf(change, 'url') ?? citation.siteUrl ?? 'about:blank';
  const entry = changeEntry(change, {
    speech,
    addressOf: (kind, key) => (isRecordChange(change) && addressOf ? addressOf(kind, key) : address),
  });
  const feedEntry = { ...entry, id: changeId(watch, seq), updated: at };
  if (change.change === 'more') {
    const title = speech.say`and ${speech.number(count)} more`;
    return { ...feedEntry, title, html: `<p>${escapeHtml(title)}</p>${commandHtml(showCommand(watch, []))}` };
  }
  return { ...feedEntry, html: `${entry.html}${commandHtml(textOf(change, 'show'))}` };
}

const commandHtml = (command: string | null) => (command === null ? '' : `<p><code>${escapeHtml(command)}</code></p>`);
