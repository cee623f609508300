import type { Origin } from '../format/json.ts';
import type { Document } from '../model/document.ts';
import type { Column, KindName } from '../model/kinds.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Mirror } from '../store/mirror.ts';
import type { JsonPage } from '../store/page.ts';
import type { MeaningFilter, QueryVector } from '../store/search/meaning.ts';
import type { UserText } from '../words/speech.ts';
import type { Parameters, Values } from './parameter.ts';

/** A page of a list, and what only some answers say: beside the items, and before them where it is sent over HTTP. */
export type Page = Omit<JsonPage, 'items'> & {
  items: Iterable<string>;
  extra?: Document;
  lead?: Document;
  /** What whoever runs the program should know of how it was answered. */
  trouble?: string | null;
  /** The remarks of `extra` for people, who may speak another language. */
  remarks?: readonly UserText[];
};

/** A list as the service answers it. */
export type Listing = {
  items: Iterable<Document> | AsyncIterable<Document>;
  total: number | null;
  nextCursor: string | null;
  origin: Origin;
  extra?: Document;
  trouble?: string | null;
  remarks?: readonly UserText[];
  /** Sentences for people about it. */
  notes?: () => UserText[];
};

/** One record as somebody answers it. */
export type Found = { item: Document; origin: Origin };

/** What a question is answered with beside the mirror. */
export type Reading = {
  /** True where this program searches by meaning itself (`FEATURE_SEMANTIC_SEARCH`). */
  searchesByMeaning: boolean;
  /** The thesaurus that it does so with: a file, `off`, or null for one that is found. */
  thesaurus?: string | null;
  /** What is asked as the vector of a model, where one is set; or why there is none. */
  vector?: QueryVector | null;
  /** The moment to look back at, ISO 8601; null for now. Most questions are given a mirror of that moment. */
  asOf: string | null;
};

/** The service, and the mirror in which the records of its answers are kept. */
export type Service = { client: ServiceClient; mirror: Mirror };

/**
 * What takes values is a method: methods are bivariant, so a question of known parameters is also one of any. Its values
 * always come from `readValues` over these same parameters.
 */
type Described<Ps extends Parameters> = {
  /** Its name; with `List` or `Get` in front it is the operation's. */
  name: string;
  operationId: string;
  /** A phrase without its full stop, for help, the description of the API and pages. */
  summary: string;
  description?: string;
  examples: { description: string; command: string }[];
  /** Below /api/v1, parts that name a record in braces. */
  path: string;
  /** True for an endpoint of the service's interface; the others are beyond it. */
  isInterface: boolean;
  parameters: Ps;
  /** The kinds that it reads: of the past, they must have been seen by then. */
  reads(values: Values<Ps>): readonly KindName[];
  /** True where it looks back by itself: its moments are those of the mirror of now. */
  looksBack?: true;
  /** True where it may take long: a server asks another process, which can be ended. */
  isLong?: true;
};

/** A question whose answer is a list. */
export type ListQuestion<Ps extends Parameters = Parameters> = Described<Ps> & {
  answers: 'list';
  /** The name of what one item is, in the description of the API; `SearchAnswer` for one that is more than a page. */
  schema: string;
  /** Its own columns, where an item is no record of a kind. */
  fields?: Column[];
  /** What its answers say beside the items: `extra` of a page. */
  beside?: Column[];
  /** Columns of a table, and those of a file where they are not those of the records. */
  columns: string[];
  /** Of those of a table, what a narrow terminal leaves out, of least worth first; then it is what stands at the right. */
  leftOutFirst?: string[];
  allColumns?: string[];
  /** An item as one flat row of a table or file, where that is not the item itself. */
  flat?(item: Document): Document;
  read(mirror: Mirror, values: Values<Ps>, reading: Reading): Page;
  ask?(service: Service, values: Values<Ps>): Promise<Listing>;
  /** What is compared by meaning, of a question that does so. */
  meant?(values: Values<Ps>): { query: string; filter: MeaningFilter };
  /** Sentences for people about what a mirror was asked for, names resolved. */
  notes?(mirror: Mirror, values: Values<Ps>): UserText[];
};

/** A question whose answer is one record. */
export type RecordQuestion<Ps extends Parameters = Parameters> = Described<Ps> & {
  answers: 'record';
  schema: string;
  /** The kind of the record, which says how people see it. */
  kind(values: Values<Ps>): KindName;
  /** The record, or undefined where the mirror holds none. */
  read(mirror: Mirror, values: Values<Ps>, reading: Reading): Document | undefined;
  ask?(service: Service, values: Values<Ps>): Promise<Found>;
  /** What is told of a record that is not there, and which ones may have been meant. */
  absent(mirror: Mirror, values: Values<Ps>): Absent;
  /** What the service may be asked for where the mirror never held it, in words; null where it is not to be asked. */
  unknown?(values: Values<Ps>): string | null;
};

export type Absent = {
  /** For people at a terminal. */
  message: UserText;
  hint: string | null;
  /** For a caller over HTTP, a sentence. */
  detail: string;
  /** Records with near names or ids. */
  near: { key: string; name: string }[];
  /** One of them as the API suggests it. */
  suggestion(near: { key: string; name: string }): Record<string, string | null>;
};

export type Question<Ps extends Parameters = Parameters> = ListQuestion<Ps> | RecordQuestion<Ps>;

/** A list question, its values typed by its parameters. */
export function listQuestion<Ps extends Parameters>(
  question: Omit<ListQuestion<Ps>, 'answers'>,
): ListQuestion<Ps> {
  return { ...question, answers: 'list' };
}

/** A record question, its values typed by its parameters. */
export function recordQuestion<Ps extends Parameters>(
  question: Omit<RecordQuestion<Ps>, 'answers'>,
): RecordQuestion<Ps> {
  return { ...question, answers: 'record' };
}
