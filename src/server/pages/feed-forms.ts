import {
  changeEntry,
  type EntryContext,
  hitEntry,
  recordEntry,
  versionEntry,
} from '../../format/feed-entries.ts';
import { atomText, type FeedEntry, jsonFeedText, permanentId, type WebFeed } from '../../format/web-feed.ts';
import { attributionOf } from '../../model/attribution.ts';
import type { Document } from '../../model/document.ts';
import type { KindName } from '../../model/kinds.ts';
import { changes } from '../../questions/changes.ts';
import type { ListQuestion } from '../../questions/question.ts';
import { lastChanged } from '../../store/record.ts';
import type { Making } from './making.ts';
import type { Form, View } from './view.ts';

/** What a feed tells, and how an item of its answer becomes an entry. */
export type FeedDescription = {
  title(making: Making): string;
  /** The question that it answers; that of its page where nothing is said. */
  question?: ListQuestion;
  /** The values of the question; those of its page where nothing is said. */
  values?(making: Making, values: Record<string, unknown>): Record<string, unknown>;
  entry(item: Document, context: EntryContext, making: Making): FeedEntry;
};

/** How many entries a feed has where its address does not say. */
const usualEntries = 50;

/** The two forms of a feed beside a page: Atom and JSON Feed, with the filters of the page. */
export function feedForms(described: FeedDescription): Record<'atom' | 'jsonfeed', Form> {
  const form = (mediaType: string, write: (feed: WebFeed) => string): Form => ({
    mediaType: `${mediaType}; charset=utf-8`,
    isAbsolute: true,
    make: (making, view) => write(feedOf(making, view, described)),
  });
  return {
    atom: form('application/atom+xml', atomText),
    jsonfeed: form('application/feed+json', jsonFeedText),
  };
}

function feedOf(making: Making, view: View, { title, question, values, entry }: FeedDescription): WebFeed {
  const { citation, filledAt, reading, language, path, given, origin } = making;
  const asked = question ? {} : view.asked(making.values);
  const limit = given.limit === undefined ? { limit: usualEntries } : {};
  const { items, nextCursor } = making.list(question ?? (view.question as ListQuestion), {
    ...(values?.(making, asked) ?? asked),
    ...limit,
  });
  const context = contextOf(making);
  const address = (ending: string, query: Record<string, string> = {}) =>
    `${origin}${making.hrefWith(query).replace(path, `${path}${ending}`)}`;
  const next = (ending: string) => (nextCursor === null ? null : address(ending, { cursor: nextCursor }));
  return {
    id: permanentId('feed', making.hrefWith({ lang: null, cursor: null, limit: null })),
    title: `${title(making)} · ${citation.name}`,
    language,
    madeAt: context.madeAt,
    addresses: {
      atom: address('.atom'),
      json: address('.jsonfeed'),
      page: address(''),
      nextAtom: next('.atom'),
      nextJson: next('.jsonfeed'),
    },
    attribution: attributionOf(citation, { retrievedAt: filledAt, asOf: reading.asOf }),
    entries: items.map((item) => entry(item, context, making)),
  };
}

/** What entries are told with on this server. */
function contextOf({ mirror, reading, filledAt, recordHref, origin, speech }: Making): EntryContext {
  const { asOf } = reading;
  return {
    speech,
    addressOf: (kind, key) => `${origin}${recordHref(kind, key)}`,
    changedAt(kind, key) {
      const at = lastChanged(mirror, kind, key);
      return asOf !== null && at !== null && at > asOf ? null : at;
    },
    madeAt: asOf ?? filledAt ?? new Date(0).toISOString(),
  };
}

/** The beginning of all history. */
const everSince = new Date(0).toISOString();

/** What changed, since ever where the address names no moment: a reader that comes seldom misses nothing by it. */
export const changeFeed: FeedDescription = {
  title: ({ speech }) => speech.say`Changes`,
  values: ({ given }, asked) => (given.since === undefined ? { ...asked, since: everSince } : asked),
  entry: changeEntry,
};

/** What changed of one politician and of the records about them. */
export const changeFeedOf: FeedDescription = {
  ...changeFeed,
  question: changes,
  title: ({ speech, nameOf, values }) =>
    speech.say`Changes: ${nameOf('politician', String(values.slug)) ?? String(values.slug)}`,
  values: ({ values }) => ({ since: everSince, politician: values.slug }),
};

/** Records of one kind, or of the kind that each item says itself. */
export function recordFeed(
  title: FeedDescription['title'],
  kindIn: (making: Making, item: Document) => KindName = (_, item) => item.type as KindName,
): FeedDescription {
  return { title, entry: (item, context, making) => recordEntry(kindIn(making, item), item, context) };
}

/** What a search found. */
export const hitFeed: FeedDescription = {
  title: ({ speech, given }) => speech.say`Search: ${given.q?.[0] ?? ''}`,
  entry: hitEntry,
};

/** The versions of one record. */
export const versionFeed: FeedDescription = {
  title: ({ speech, values }) => speech.say`Versions of ${String(values.key)}`,
  entry: (item, context, { values }) =>
    versionEntry(item, { kind: values.kind as KindName, key: String(values.key) }, context),
};
