import { sanitiseLine } from '../../format/sanitise.ts';
import type { ShareCard } from '../../format/share-svg.ts';
import { attributionOf, attributionPhrase, type Citation, type Licence } from '../../model/attribution.ts';
import type { Document } from '../../model/document.ts';
import { type AddressQuery, addressOf, type KindName, recordPath } from '../../model/kinds.ts';
import { partyFacts } from '../../names/party-groups.ts';
import { resolveNames } from '../../questions/names.ts';
import { readValues } from '../../questions/parameter.ts';
import type { ListQuestion, Page, Question, ReadOptions, RecordQuestion } from '../../questions/question.ts';
import { resolveParties } from '../../questions/resolved-parties.ts';
import type { Mirror } from '../../store/mirror.ts';
import { hasRecord, recordName } from '../../store/record.ts';
import { lastFilledAt } from '../../store/records/contents.ts';
import { hasTopic } from '../../store/records/topics.ts';
import type { Language } from '../../words/language.ts';
import { type Phrase, type Speech, speechOf } from '../../words/speech.ts';
import { answerRecord, answerText } from '../answer-text.ts';
import type { FilterField } from './filter-field.ts';
import type { Content, Html } from './html.ts';

/** Query parameters of a page as written in its address. */
export type PageQuery = Readonly<Record<string, readonly string[]>>;

/** A requested page as plain data that can be sent to a worker process. */
export type RequestedPage = {
  /** Path template of its view, such as `/votes/{chamber}/{scrutin_id}`. */
  page: string;
  /** File extension of the requested alternate format, such as `csv`; null for HTML. */
  form: string | null;
  values: Record<string, unknown>;
  path: string;
  queryParameters: PageQuery;
  /** Origin of the request with the base path, without a trailing slash; empty where links must not be absolute. */
  origin: string;
  /** Base path without a trailing slash; empty at the root. */
  basePath: string;
  /** Path of style sheets and scripts: see `ServerContext`. */
  assetsPath: string;
  language: Language;
  reading: ReadOptions;
  citation: Citation;
  /** Configured group names from left to right; pictures of ballots seat only these groups in that order. */
  groupOrder?: readonly string[] | null;
  /** True for a page of a static site; such pages have no filter forms. */
  isStatic?: boolean;
};

/** The mirror in its requested state, current or past, and in its current one, for questions about history. */
export type Mirrors = { mirror: Mirror; currentMirror: Mirror };

/** One page of the answer to a list question, with parsed items. */
export type ListAnswer = Omit<Page, 'items' | 'lead'> & { items: Document[]; extra: Document };

/** A fixed title, or a function that returns the title for a page. */
export type PageTitle = Phrase | ((page: Pick<RequestedPage, 'values'> & { speech: Speech }) => string);

/** What header and footer of a page need. */
export type FrameContext = Pick<RequestedPage, 'queryParameters' | 'language' | 'reading' | 'isStatic'> &
  Pick<PageContext, 'path' | 'basePath' | 'assetsPath' | 'citation' | 'speech' | 'filledAt' | 'href' | 'hrefWith'> & {
    /** As in `RequestedPage`; absent for pages that are not in the table of views, such as errors. */
    origin?: string;
  };

/** What a view's `values` function reads from: the request, the mirror and its questions. */
export type PageContext = ReturnType<typeof createPageContext> & {
  /** Sources to show below each record of a list. */
  sourcesOf?(record: Document): Document[];
};

/** What a template renders with: words, links and names, without access to the mirror. */
export type ViewPage = Omit<PageContext, 'mirror' | 'list' | 'record' | 'answerText' | 'once'>;

/** The content of a page, without header and footer. */
export type PageContent = {
  /** Title in the browser tab and link previews; the view's title by default. */
  title?: string;
  /** One sentence for search results and link previews. */
  description?: string;
  /** Heading if it differs from the title; `kicker` is the line above it, `lead` the sentence below. */
  heading?: Content;
  kicker?: Content;
  lead?: Content;
  body: Html;
  /** Fields of its filter form: the title states active filters in their words. */
  fields?: readonly FilterField[];
  /** Class of the `article` around the content: empty for an article without class, undefined for no article. */
  article?: string;
  /** Extensions of alternate formats of the view that this page lacks. */
  missingForms?: readonly string[];
  /** Number of rows of the page's CSV; null if unknown. */
  rows?: number | null;
  /** False for a page of several records, or of none: it shows no citation. */
  isCited?: boolean;
  /** True if the section `take-away` has HTML to embed. */
  isEmbeddable?: boolean;
  /** Content of the preview image (Open Graph); title and description by default. */
  share?: Partial<ShareCard>;
  head?: Html | null; // elements to add to `head`
};

/** Creates what a page is rendered with, from a mirror and the request. */
export function createPageContext({ mirror, currentMirror }: Mirrors, requestedPage: RequestedPage, title: PageTitle) {
  const { reading, queryParameters, path, values } = requestedPage;
  const speech = speechOf(requestedPage.language);
  const commonQuery = { lang: queryParameters.lang, as_of: queryParameters.as_of };
  const mirrorFor = (question: Question) => (question.looksBack ? currentMirror : mirror);
  /** Values with defaults; names in the address of a list are resolved to slugs. */
  const inputOf = (question: Question, requestedValues: Record<string, unknown>) => {
    const definedValues = Object.entries(requestedValues).filter(
      ([name, value]) => value !== undefined && name in question.parameters,
    );
    const fullValues = { ...readValues(question.parameters, {}).values, ...Object.fromEntries(definedValues) };
    const resolve = () => resolveNames(mirrorFor(question), question.parameters, fullValues);
    return { values: question.answers === 'list' ? resolve() : fullValues, reading };
  };
  return {
    ...requestedPage,
    mirror,
    speech,
    title: typeof title === 'function' ? title({ speech, values }) : speech.render(title),
    /** Time of the last retrieval from the service (ISO 8601); null if there was none. */
    filledAt: lastFilledAt(mirror),
    /** Returns the cached value of that name, or reads and caches it until the mirror changes. */
    once: <Value>(name: string, read: (mirror: Mirror) => Value): Value => mirror.readOnce(name, () => read(mirror)),
    /** Answers a list question, with defaults for missing values, and slugs for names. */
    list(question: ListQuestion, values: Record<string, unknown>): ListAnswer {
      const input = inputOf(question, values);
      const { items, lead, extra, ...page } = question.read(mirrorFor(question), input.values, reading);
      const partyNotes = resolveParties(mirror, question.parameters, values).map(({ note }) => note);
      const remarks = [...partyNotes, ...(page.remarks ?? [])];
      return { ...page, remarks, items: JSON.parse(`[${[...items].join(',')}]`), extra: { ...lead, ...extra } };
    },
    /** Returns one record; throws a RefusedRequestError (404) with suggestions if there is none. */
    record: (question: RecordQuestion, values: Record<string, unknown>) =>
      answerRecord(mirrorFor(question), question, inputOf(question, values)),
    answerText: (question: Question, values: Record<string, unknown>) =>
      answerText(mirrorFor(question), question, inputOf(question, values)).text,
    /** Returns the name of a politician or party; null if the mirror has none. */
    nameOf(kind: KindName, slug: string): string | null {
      const name = kind === 'party' ? partyFacts(mirror).get(slug)?.name : recordName(mirror, kind, slug);
      return name ? sanitiseLine(name) : null;
    },
    holds: (kind: KindName, key: string): boolean => hasRecord(mirror, kind, key), // true if the record is stored
    holdsTopic: (topic: string): boolean => hasTopic(mirror, topic),
    /** Returns an address of this server with the language and date of this page. */
    href: (to: string, query: AddressQuery = {}): string => addressOf(to, { ...commonQuery, ...query }),
    recordHref: (kind: string, key: string): string => addressOf(recordPath(kind, key), commonQuery),
    /** Returns this page's address with changes to its query; null removes a parameter. */
    hrefWith: (query: AddressQuery): string => addressOf(path, { ...queryParameters, ...query }),
  };
}

/** Returns the address of this page in an alternate format, with changes to its query. */
export const formHref = ({ path, hrefWith }: FrameContext, extension: string, query: AddressQuery = {}) =>
  hrefWith(query).replace(path, `${path}.${extension}`);

/** Returns the attribution of the data on a page. */
export const pageAttribution = ({ citation, filledAt, reading }: FrameContext, licence?: Licence | null) =>
  attributionOf(citation, { licence: licence ?? null, retrievedAt: filledAt, asOf: reading.asOf });

/** Returns the attribution of a page as text. */
export const pageAttributionText = (page: FrameContext) => page.speech.render(attributionPhrase(pageAttribution(page)));
