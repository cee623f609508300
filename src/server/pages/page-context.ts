import { sanitiseLine } from '../../format/sanitise.ts';
import { addressOf, recordPath } from '../../model/addresses.ts';
import type { Citation } from '../../model/attribution.ts';
import type { Document } from '../../model/document.ts';
import type { KindName } from '../../model/kinds.ts';
import { resolveNames } from '../../questions/names.ts';
import { type Parameters, readValues, type Values } from '../../questions/parameter.ts';
import type { ListQuestion, Question, Reading, RecordQuestion } from '../../questions/question.ts';
import type { Mirror } from '../../store/mirror.ts';
import { holds, recordName } from '../../store/record.ts';
import { lastFilled } from '../../store/records/contents.ts';
import { partyNames } from '../../store/records/parties.ts';
import type { Language } from '../../words/language.ts';
import { type Speech, speechOf, type UserText } from '../../words/speech.ts';
import { RefusedRequestError } from '../problem.ts';

/** The parameters that every page takes beside its own, and that its links keep. */
export const keptParameters = ['lang', 'as_of'] as const;

/** What was stated in the address of a page, by parameter, as it was written. */
export type Given = Readonly<Record<string, readonly string[]>>;

/** A page as plain data: which one, in which form, with which values of its parameters, for whom. */
export type RequestedPage = {
  page: string;
  /** Its ending; null for the page itself. */
  form: string | null;
  values: Record<string, unknown>;
  /** Its path as it was asked for, without an ending. */
  path: string;
  given: Given;
  /** The address of this server as it was asked, without a slash at its end. */
  origin: string;
  /** The path below which it is found, without a slash at its end; empty at the root. */
  basePath: string;
  language: Language;
  reading: Reading;
  citation: Citation;
  /** True for a page that is to be a file, which nobody can ask for anything: it has no forms. */
  isStatic?: boolean;
};

/** The mirror that is read, and the one of now where that is another: what looks back by itself reads this one. */
export type Mirrors = { mirror: Mirror; now: Mirror };

/** The answer to the question of a list. */
export type ListAnswer = {
  items: Document[];
  total: number | null;
  nextCursor: string | null;
  extra: Document;
  remarks?: readonly UserText[];
};

/** What pages are made with: answers, names, links and words. */
export type PageContext = RequestedPage & {
  mirror: Mirror;
  speech: Speech;
  /** When the data left the service, ISO 8601, or null. */
  filledAt: string | null;
  /** The answer of a list; a name in the place of a slug is understood. Values that are not stated are the usual ones. */
  list(question: ListQuestion, values: Record<string, unknown>): ListAnswer;
  /** Values of a question with its usual ones where nothing is stated. */
  withDefaults(question: Question, values: Record<string, unknown>): Values<Parameters>;
  /** One record; throws a RefusedRequestError (404) with near misses where there is none. */
  record(question: RecordQuestion, values: Record<string, unknown>): Document;
  /** The name of a politician or party; null where the mirror holds none. */
  nameOf(kind: KindName, slug: string): string | null;
  /** True if the mirror holds that record. */
  holds(kind: KindName, key: string): boolean;
  /** What is read of the mirror, once as long as nothing changes; the name stands for it. */
  once<Value>(name: string, read: (mirror: Mirror) => Value): Value;
  /** An address of this server that keeps language and moment. */
  href(path: string, query?: Record<string, string | readonly string[] | null | undefined>): string;
  /** The address of a record's page. */
  recordHref(kind: string, key: string): string;
  /** This page with something else in its query; null takes it out. */
  hrefWith(query: Record<string, string | readonly string[] | null>): string;
};

/** What templates are given: words, links and names, and no way into the mirror. */
export type Rendering = Omit<PageContext, 'mirror' | 'list' | 'record' | 'withDefaults' | 'once'> & {
  /** Makes what is the same for all readers once, as long as nothing changes; the name stands for it. */
  once<Value>(name: string, make: () => Value): Value;
};

/** What a page is made with, from one state of a mirror. */
export function createPageContext({ mirror, now }: Mirrors, asked: RequestedPage): PageContext {
  const { reading, given, path } = asked;
  const kept = Object.fromEntries(keptParameters.map((name) => [name, given[name]]));
  const sourceOf = (question: Question) => (question.looksBack ? now : mirror);
  const names = new Map<string, string | null>();
  return {
    ...asked,
    mirror,
    speech: speechOf(asked.language),
    filledAt: lastFilled(mirror),
    withDefaults,
    once: (name, read) => mirror.readOnce(name, () => read(mirror)),
    list(question, values) {
      const source = sourceOf(question);
      const whole = resolveNames(source, question.parameters, withDefaults(question, values));
      const { items, total, nextCursor, lead, extra, remarks = [] } = question.read(source, whole, reading);
      const documents: Document[] = JSON.parse(`[${[...items].join(',')}]`);
      return { items: documents, total, nextCursor, extra: { ...lead, ...extra }, remarks };
    },
    record(question, values) {
      const [source, whole] = [sourceOf(question), withDefaults(question, values)];
      const found = question.read(source, whole, reading);
      if (found) return found;
      const { detail, near, suggestion } = question.absent(source, whole);
      throw new RefusedRequestError(404, detail, { suggestions: near.map(suggestion) });
    },
    nameOf(kind, slug) {
      const known = names.get(`${kind} ${slug}`);
      if (known !== undefined) return known;
      // Pages name the same few parties and groups again and again.
      const name =
        kind === 'party'
          ? (mirror.readOnce('party names', () => partyNames(mirror)).get(slug) ?? null)
          : recordName(mirror, kind, slug);
      const line = name === null ? null : sanitiseLine(name);
      names.set(`${kind} ${slug}`, line);
      return line;
    },
    holds: (kind, key) => holds(mirror, kind, key),
    href: (to, query = {}) => addressOf(to, { ...query, ...kept }),
    recordHref: (kind, key) => addressOf(recordPath(kind, key), kept),
    hrefWith: (query) => addressOf(path, { ...given, ...query }),
  };
}

/** The values that questions have by default. */
const defaultValues = new WeakMap<Parameters, Record<string, unknown>>();

/** The values, with defaults for those that are not stated. */
function withDefaults(question: Question, values: Record<string, unknown>): Values<Parameters> {
  const { parameters } = question;
  const defaults = defaultValues.get(parameters) ?? readValues(parameters, {}).values;
  defaultValues.set(parameters, defaults);
  const stated = Object.entries(values).filter(([name, value]) => value !== undefined && name in parameters);
  return { ...defaults, ...Object.fromEntries(stated) } as Values<Parameters>;
}
