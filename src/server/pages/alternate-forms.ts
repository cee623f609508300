import { linkedDataType, recordLinkedData } from '../../format/catalog.ts';
import { formatByName } from '../../format/formats.ts';
import type { RowFormat } from '../../format/rows.ts';
import {
  atomText,
  changeEntry,
  type EntryContext,
  type FeedEntry,
  hitEntry,
  permanentId,
  recordEntry,
  versionEntry,
} from '../../format/web-feed.ts';
import { recordPath } from '../../model/addresses.ts';
import type { Document } from '../../model/document.ts';
import { type KindName, kindOf, kinds, schemaNameOf } from '../../model/kinds.ts';
import { changes } from '../../questions/changes.ts';
import type { Parameters, Values } from '../../questions/parameter.ts';
import type { ListQuestion, Question, RecordQuestion } from '../../questions/question.ts';
import { lastChanged } from '../../store/record.ts';
import { sourcesOf } from '../../store/records/profile.ts';
import { recordFacts } from '../../store/records/record-facts.ts';
import { attributionFor, formHref, type PageContext, type PageTitle } from './page-context.ts';

/** The question that a page and its forms answer. */
export type FormSource = {
  title: PageTitle;
  /** The question it shows, also as `.json` and `.csv`; null if it shows several or none. */
  question: Question | null;
  /** Converts values of the page's parameters to values of the question's. */
  questionValues(values: Record<string, unknown>): Record<string, unknown>;
  /** True if the question cannot be answered yet; page and data are an empty list then. */
  isEmpty(page: PageContext): boolean;
};

/** Another form of a page, at its address plus an ending. */
export type AlternateForm = {
  mediaType: string;
  make(page: PageContext, source: FormSource): string;
  /** True if the text contains the server's origin. */
  isAbsolute?: boolean;
};

/** Media type of CSV. */
export const csvType = formatByName('csv').mediaType;

/** CSV with these columns, also as spreadsheets take it. */
function csvFormat({ queryParameters }: PageContext, columns: string[]): RowFormat & { begin: string } {
  const [spreadsheet] = queryParameters.spreadsheet ?? [];
  const style = { isSafe: spreadsheet !== undefined, isFrench: spreadsheet === 'fr' };
  const format = formatByName('csv').rowFormat!(columns, { isPicked: false, style });
  return { ...format, begin: `${format.mark ?? ''}${format.head(columns)}` };
}

/** Rows as a CSV file with a header line. */
export function csvText(page: PageContext, columns: string[], rows: readonly Document[]): string {
  const format = csvFormat(page, columns);
  return format.begin + rows.map((each) => format.row(each)).join('');
}

const csv: AlternateForm = {
  mediaType: csvType,
  make: (page, source) => [...wholeCsv(page, source)].join(''),
};

/** Rows that are read at once for a whole list. */
const walkedRows = 500;

/** The whole answer of a list as CSV, some rows at a time; only the first of them where the address has a limit. */
export function* wholeCsv(page: PageContext, { question, questionValues, isEmpty }: FormSource) {
  const list = question as ListQuestion;
  const values = questionValues(page.values);
  const format = csvFormat(page, columnsOf(list, values));
  yield format.begin;
  if (isEmpty(page)) return;
  const isCut = page.queryParameters.limit !== undefined || !('cursor' in list.parameters);
  for (let { cursor } = values; ; ) {
    const part = { ...values, cursor, ...(isCut ? {} : { limit: walkedRows }) };
    const { items, nextCursor } = page.list(list, part);
    yield (list.flat ? items.map(list.flat) : items).map((each) => format.row(each)).join('');
    if (isCut || nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** The columns of a list: its own, and those of the kinds that it lists whole. */
function columnsOf(list: ListQuestion, values: Record<string, unknown>): string[] {
  const { allColumns, fields, schema, columns } = list;
  const kind = kinds.find(({ name }) => schemaNameOf(name) === schema);
  const declaredColumns = allColumns ?? (kind?.columns ?? fields)?.map(({ name }) => name);
  const read = list.reads(values as Values<Parameters>).flatMap((name) => kindOf(name).columns);
  return declaredColumns ?? [...new Set([...columns, ...read.map(({ name }) => name)])];
}

const json: AlternateForm = {
  mediaType: 'application/json; charset=utf-8',
  make: (page, { question, questionValues, isEmpty }) =>
    isEmpty(page)
      ? JSON.stringify({ items: [], total: 0, next_cursor: null })
      : page.answerText(question!, questionValues(page.values)),
};

/** The answer to a question as JSON, and that of a list as CSV. */
export function dataForms(question: Question | null): Record<string, AlternateForm> {
  if (question === null) return {};
  return question.answers === 'list' ? { csv, json } : { json };
}

/** A feed: its title, its question, and how an item becomes an entry. */
export type Feed = {
  /** The page's own by default. */
  title?(page: PageContext): string;
  /** The question it answers; the page's own by default. */
  question?: ListQuestion;
  /** The question's values; the page's own by default. */
  values?(page: PageContext, values: Record<string, unknown>): Record<string, unknown>;
  entry(item: Document, context: EntryContext, page: PageContext): FeedEntry;
};

/** Entries of a feed without `limit`. */
const usualEntries = 50;

/** A page's feed as Atom, with the filters of the page. */
export const feedForm = ({ title, question, values, entry }: Feed): AlternateForm => ({
  mediaType: 'application/atom+xml; charset=utf-8',
  isAbsolute: true,
  make(page, source) {
    const { citation, language, queryParameters, origin } = page;
    const questionValues = question ? {} : source.questionValues(page.values);
    const list = question ?? (source.question as ListQuestion);
    const limit = queryParameters.limit === undefined && 'cursor' in list.parameters ? { limit: usualEntries } : {};
    const { items, nextCursor } = page.list(list, {
      ...(values?.(page, questionValues) ?? questionValues),
      ...limit,
    });
    const context = contextOf(page);
    return atomText({
      id: permanentId('feed', page.hrefWith({ lang: null, cursor: null, limit: null })),
      title: `${title?.(page) ?? page.title} · ${citation.name}`,
      language,
      madeAt: context.madeAt,
      addresses: {
        atom: `${origin}${formHref(page, 'atom')}`,
        page: `${origin}${page.hrefWith({})}`,
        next: nextCursor && `${origin}${formHref(page, 'atom', { cursor: nextCursor })}`,
      },
      attribution: attributionFor(page),
      entries: items.map((item) => entry(item, context, page)),
    });
  },
});

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
    sourcesOf: (document) => sourcesOf(mirror, document),
    factsOf: (kind, key) => recordFacts(mirror, kind, key),
    madeAt: asOf ?? filledAt ?? new Date(0).toISOString(),
  };
}

/** Before anything was recorded. */
export const everSince = new Date(0).toISOString();

/** What changed; without `since`, everything, so that a feed reader that polls rarely misses nothing. */
export const changeFeed: Feed = {
  values: ({ queryParameters }, questionValues) =>
    queryParameters.since === undefined ? { ...questionValues, since: everSince } : questionValues,
  entry: changeEntry,
};

/** What changed of one politician or party, and of the records about them. */
export const changeFeedOf = (kind: 'politician' | 'party'): Feed => ({
  ...changeFeed,
  question: changes,
  title: ({ speech, nameOf, values }) =>
    speech.say`Changes: ${nameOf(kind, String(values.slug)) ?? String(values.slug)}`,
  values: ({ values }) => ({ since: everSince, [kind]: values.slug }),
});

/** Records of one kind, or of the kind that each states. */
export const recordFeed = (kind: KindName | null = null): Feed => ({
  entry: (item, context) => recordEntry(kind ?? (item.type as KindName), item, context),
});

/** Results of a search. */
export const hitFeed: Feed = {
  title: ({ speech, queryParameters }) => speech.say`Search: ${queryParameters.q?.[0] ?? ''}`,
  entry: hitEntry,
};

/** Versions of one record. */
export const versionFeed: Feed = {
  title: ({ speech, values }) => speech.say`Versions of ${String(values.key)}`,
  entry: (item, context, { values }) =>
    versionEntry(item, { kind: values.kind as KindName, key: String(values.key) }, context),
};

/** A politician or party as a schema.org Person or Organization, in JSON-LD. */
export const linkedData: AlternateForm = {
  mediaType: linkedDataType,
  isAbsolute: true,
  make(page, { question, questionValues }) {
    const record = question as RecordQuestion;
    const values = questionValues(page.values);
    const addressOf = (kind: KindName, key: string) => `${page.origin}${recordPath(kind, key)}`;
    const cited = { addressOf, attribution: attributionFor(page) };
    return recordLinkedData(record.kind(values), page.record(record, values), cited) ?? '';
  },
};
