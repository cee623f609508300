import { linkedDataType, recordLinkedData } from '../../format/catalog.ts';
import { formatNamed } from '../../format/formats.ts';
import {
  atomText,
  changeEntry,
  type EntryContext,
  type FeedEntry,
  hitEntry,
  jsonFeedText,
  permanentId,
  recordEntry,
  versionEntry,
  type WebFeed,
} from '../../format/web-feed.ts';
import { recordPath } from '../../model/addresses.ts';
import type { Document } from '../../model/document.ts';
import type { KindName } from '../../model/kinds.ts';
import { changes } from '../../questions/changes.ts';
import type { ListQuestion, RecordQuestion } from '../../questions/question.ts';
import { lastChanged } from '../../store/record.ts';
import type { Phrase } from '../../words/speech.ts';
import { attributionFor, type PageContext } from './page-context.ts';
import type { AlternateForm, View } from './view.ts';

/** Media type of CSV. */
export const csvType = formatNamed('csv').mediaType;

/** Rows as a CSV file with a header line. */
export function csvText(columns: string[], rows: readonly Document[]): string {
  const format = formatNamed('csv').rowFormat!(columns, { isPicked: false });
  return format.head(columns) + rows.map((each) => format.row(each)).join('') + format.foot();
}

/** A feed: its title, its question, and how an item becomes an entry. */
export type FeedDescription = {
  title(page: PageContext): string;
  /** The question it answers; the page's own by default. */
  question?: ListQuestion;
  /** The question's values; the page's own by default. */
  values?(page: PageContext, values: Record<string, unknown>): Record<string, unknown>;
  entry(item: Document, context: EntryContext, page: PageContext): FeedEntry;
};

/** Entries of a feed without `limit`. */
const usualEntries = 50;

/** A page's feed as Atom and as JSON Feed, with the filters of the page. */
export function feedForms(described: FeedDescription): Record<'atom' | 'jsonfeed', AlternateForm> {
  const written = (mediaType: string, write: (feed: WebFeed) => string): AlternateForm => ({
    mediaType: `${mediaType}; charset=utf-8`,
    isAbsolute: true,
    make: (page, view) => write(feedOf(page, view, described)),
  });
  return {
    atom: written('application/atom+xml', atomText),
    jsonfeed: written('application/feed+json', jsonFeedText),
  };
}

function feedOf(page: PageContext, view: View, { title, question, values, entry }: FeedDescription): WebFeed {
  const { citation, language, path, given, origin } = page;
  const asked = question ? {} : view.questionValues(page.values);
  const limit = given.limit === undefined ? { limit: usualEntries } : {};
  const { items, nextCursor } = page.list(question ?? (view.question as ListQuestion), {
    ...(values?.(page, asked) ?? asked),
    ...limit,
  });
  const context = contextOf(page);
  const address = (ending: string, query: Record<string, string> = {}) =>
    `${origin}${page.hrefWith(query).replace(path, `${path}${ending}`)}`;
  const next = (ending: string) => (nextCursor === null ? null : address(ending, { cursor: nextCursor }));
  return {
    id: permanentId('feed', page.hrefWith({ lang: null, cursor: null, limit: null })),
    title: `${title(page)} · ${citation.name}`,
    language,
    madeAt: context.madeAt,
    addresses: {
      atom: address('.atom'),
      json: address('.jsonfeed'),
      page: address(''),
      nextAtom: next('.atom'),
      nextJson: next('.jsonfeed'),
    },
    attribution: attributionFor(page),
    entries: items.map((item) => entry(item, context, page)),
  };
}

/** Addresses, dates and language of a feed's entries. */
function contextOf({ mirror, reading, filledAt, recordHref, origin, speech }: PageContext): EntryContext {
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

/** Before anything was recorded. */
const everSince = new Date(0).toISOString();

/** What changed; without `since`, everything, so that a feed reader that polls rarely misses nothing. */
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

/** The feeds of a list of records: of one kind, or of the kind that each item states. */
export function recordFeeds(
  title: Phrase | ((page: PageContext) => string),
  kindIn: KindName | ((page: PageContext) => KindName) | null = null,
): ReturnType<typeof feedForms> {
  return feedForms({
    title: typeof title === 'function' ? title : ({ speech }) => speech.tell(title),
    entry(item, context, page) {
      const kind = typeof kindIn === 'function' ? kindIn(page) : (kindIn ?? (item.type as KindName));
      return recordEntry(kind, item, context);
    },
  });
}

/** Results of a search. */
export const hitFeed: FeedDescription = {
  title: ({ speech, given }) => speech.say`Search: ${given.q?.[0] ?? ''}`,
  entry: hitEntry,
};

/** Versions of one record. */
export const versionFeed: FeedDescription = {
  title: ({ speech, values }) => speech.say`Versions of ${String(values.key)}`,
  entry: (item, context, { values }) =>
    versionEntry(item, { kind: values.kind as KindName, key: String(values.key) }, context),
};

/** A politician or party as a schema.org Person or Organization, in JSON-LD. */
export const linkedData: AlternateForm = {
  mediaType: linkedDataType,
  isAbsolute: true,
  make(page, { question, questionValues }) {
    const { origin } = page;
    const record = question as RecordQuestion;
    const values = questionValues(page.values);
    const addressOf = (kind: KindName, key: string) => `${origin}${recordPath(kind, key)}`;
    const kind = record.kind(page.withDefaults(record, values));
    return (
      recordLinkedData(kind, page.record(record, values), { addressOf, attribution: attributionFor(page) }) ??
      ''
    );
  },
};
