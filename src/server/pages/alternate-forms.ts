import { linkedDataType, recordLinkedData } from '../../format/catalog.ts';
import { formatByName } from '../../format/formats.ts';
import type { RowFormat } from '../../format/rows.ts';
import {
  atomText,
  changeEntry,
  type EntryContext,
  type FeedEntry,
  permanentId,
  recordEntry,
} from '../../format/web-feed.ts';
import type { Document } from '../../model/document.ts';
import { type KindName, kindOf, kinds, recordPath, schemaNameOf } from '../../model/kinds.ts';
import { changes, epochStart } from '../../questions/changes.ts';
import type { Parameters, Values } from '../../questions/parameter.ts';
import type { ListQuestion, Question, RecordQuestion } from '../../questions/question.ts';
import { lastChangeAt } from '../../store/record.ts';
import { sourcesOf } from '../../store/records/profile.ts';
import { recordFacts } from '../../store/records/record-context.ts';
import { formHref, type PageContent, type PageContext, type PageTitle, pageAttribution } from './page-context.ts';

/** What a page shares with its alternate formats: title, question, parameter mapping and content. */
export type FormSource = {
  title: PageTitle;
  /** Question that is also served as `.json` and `.csv`; null if there are several or none. */
  question: Question | null;
  /** Converts values of the page's parameters to values of the question's. */
  questionValues(values: Record<string, unknown>): Record<string, unknown>;
  /** True if the question cannot be answered yet; page and data are then empty lists. */
  isEmpty(page: PageContext): boolean;
  render(page: PageContext): PageContent;
};

/** An alternate format of a page (CSV, feed, picture), at the page's address plus a file extension. */
export type AlternateForm = {
  mediaType: string;
  make(page: PageContext, source: FormSource): string;
  /** True for a format with absolute addresses, which depend on the origin of the server. */
  hasAbsoluteAddresses?: boolean;
  /** True for a format that browsers save as a file instead of showing it. */
  isDownload?: boolean;
};

export const csvType = formatByName('csv').mediaType;

/** CSV in the variant that the parameter `spreadsheet` selects; `begin` is its byte order mark and header. */
function csvFormatOf({ queryParameters }: PageContext, columns: string[]): RowFormat & { begin: string } {
  const [spreadsheet] = queryParameters.spreadsheet ?? [];
  const style = { isSafe: spreadsheet !== undefined, isFrench: spreadsheet === 'fr' };
  const format = formatByName('csv').rowFormat!(columns, { picksColumns: false, style });
  return { ...format, begin: `${format.prefix ?? ''}${format.head(columns)}` };
}

/** Returns rows as CSV with a header line. */
export function csvText(page: PageContext, columns: string[], rows: readonly Document[]): string {
  const format = csvFormatOf(page, columns);
  return format.begin + rows.map((each) => format.row(each)).join('');
}

const csv: AlternateForm = { mediaType: csvType, make: (page, source) => [...csvChunks(page, source)].join('') };

/** True if the CSV of a list takes several reads: the address sets no `limit`, and the list has cursors. */
export const takesSeveralReads = (
  { parameters }: ListQuestion,
  { queryParameters }: Pick<PageContext, 'queryParameters'>,
) => queryParameters.limit === undefined && 'cursor' in parameters;

/** Yields a list's whole answer as CSV, one part per read; only its first page if the address sets a `limit`. */
export function* csvChunks(page: PageContext, { question, questionValues, isEmpty }: FormSource, rowsPerRead = 500) {
  const list = question as ListQuestion;
  const values = questionValues(page.values);
  const format = csvFormatOf(page, columnsOf(list, values));
  yield format.begin;
  if (isEmpty(page)) return;
  const isSinglePage = !takesSeveralReads(list, page);
  for (let { cursor } = values; ; ) {
    const pageValues = { ...values, cursor, ...(isSinglePage ? {} : { limit: rowsPerRead }) };
    const { items, nextCursor } = page.list(list, pageValues);
    yield items.map((each) => format.row(list.toRow?.(each) ?? each)).join('');
    if (isSinglePage || nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** Returns the declared columns of a list or its items, else the question's columns and those of the kinds it reads. */
function columnsOf(list: ListQuestion, values: Record<string, unknown>): string[] {
  const { allColumns, fields, schema, columns } = list;
  if (allColumns) return allColumns;
  const kind = kinds.find(({ name }) => schemaNameOf(name) === schema);
  const derivedColumns = kind?.added?.filter(({ name }) => columns.includes(name)) ?? [];
  const itemFields = kind ? [...kind.columns, ...derivedColumns] : fields;
  if (itemFields) return itemFields.map(({ name }) => name);
  const recordColumns = list.kindsRead(values as Values<Parameters>).flatMap((name) => kindOf(name).columns);
  return [...new Set([...columns, ...recordColumns.map(({ name }) => name)])];
}

export const jsonType = 'application/json; charset=utf-8';

/** Returns a complete list as JSON text. */
export const fullListJson = (items: Document[]) => JSON.stringify({ items, total: items.length, next_cursor: null });

const json: AlternateForm = {
  mediaType: jsonType,
  make: (page, { question, questionValues, isEmpty }) =>
    isEmpty(page) ? fullListJson([]) : page.answerText(question!, questionValues(page.values)),
};

/** Returns the formats of a question by extension: JSON and, for a list, CSV; none without a question. */
export function dataForms(question: Question | null): Record<string, AlternateForm> {
  if (question === null) return {};
  return question.answers === 'list' ? { csv, json } : { json };
}

/** An Atom feed of a page; `question` and `values` are those of the page by default. */
export type Feed = {
  /** Returns the title; that of the page by default. */
  title?(page: PageContext): string;
  question?: ListQuestion;
  values?(page: PageContext, values: Record<string, unknown>): Record<string, unknown>;
  entry(item: Document, context: EntryContext, page: PageContext): FeedEntry;
};

const defaultEntries = 50;

/** Returns the Atom format of a page, with the page's filters. */
export const feedForm = ({ title, question, values, entry }: Feed): AlternateForm => ({
  mediaType: 'application/atom+xml; charset=utf-8',
  hasAbsoluteAddresses: true,
  make(page, source) {
    const { citation, language, queryParameters, origin } = page;
    const questionValues = question ? {} : source.questionValues(page.values);
    const list = question ?? (source.question as ListQuestion);
    const limit = queryParameters.limit === undefined && 'cursor' in list.parameters ? { limit: defaultEntries } : {};
    const { items, nextCursor } = page.list(list, { ...(values?.(page, questionValues) ?? questionValues), ...limit });
    const context = entryContextOf(page);
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
      attribution: pageAttribution(page),
      entries: items.map((item) => entry(item, context, page)),
    });
  },
});

function entryContextOf({ mirror, reading, filledAt, recordHref, origin, speech }: PageContext): EntryContext {
  return {
    speech,
    addressOf: (kind, key) => `${origin}${recordHref(kind, key)}`,
    changedAt(kind, key) {
      const changedAt = lastChangeAt(mirror, kind, key);
      return reading.asOf !== null && changedAt !== null && changedAt > reading.asOf ? null : changedAt;
    },
    sourcesOf: (document) => sourcesOf(mirror, document),
    factsOf: (kind, key) => recordFacts(mirror, kind, key),
    madeAt: reading.asOf ?? filledAt ?? epochStart,
  };
}

/** Feed of changes; without `since` it has all, so that a feed reader misses no change, however seldom it polls. */
export const changeFeed: Feed = {
  values: ({ queryParameters }, questionValues) =>
    queryParameters.since === undefined ? { ...questionValues, since: epochStart } : questionValues,
  entry: changeEntry,
};

/** Returns the feed of changes of a politician or party and of records about it. */
export const changeFeedOf = (kind: 'politician' | 'party'): Feed => ({
  ...changeFeed,
  question: changes,
  title: ({ speech, nameOf, values }) =>
    speech.say`Changes: ${nameOf(kind, String(values.slug)) ?? String(values.slug)}`,
  values: ({ values }) => ({ since: epochStart, [kind]: values.slug }),
});

/** Returns a feed of records of one kind; if it is null, each record's `type` names its kind. */
export const recordFeed = (kind: KindName | null = null): Feed => ({
  entry: (item, context) => recordEntry(kind ?? (item.type as KindName), item, context),
});

/** Serves a politician or party as a schema.org Person or Organization in JSON-LD. */
export const linkedData: AlternateForm = {
  mediaType: linkedDataType,
  hasAbsoluteAddresses: true,
  make(page, { question, questionValues }) {
    const record = question as RecordQuestion;
    const values = questionValues(page.values);
    const addressOf = (kind: KindName, key: string) => `${page.origin}${recordPath(kind, key)}`;
    const linkedDataContext = { addressOf, attribution: pageAttribution(page) };
    return recordLinkedData(record.kind(values), page.record(record, values), linkedDataContext) ?? '';
  },
};
