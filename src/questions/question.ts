import type { Origin } from '../format/json.ts';
import { type Interpretation, quoteWords } from '../language/query.ts';
import type { Chamber } from '../model/ballot.ts';
import { column } from '../model/columns.ts';
import type { Document } from '../model/document.ts';
import { type Column, describedFields, type KindName, kindOf } from '../model/kinds.ts';
import type { KeyedName } from '../names/lookup.ts';
import { type Coverage, coverageColumn } from '../parliament/coverage.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Mirror } from '../store/mirror.ts';
import type { JsonPage } from '../store/page.ts';
import { readCoverage, statesField } from '../store/records/coverage.ts';
import { readWordsFilter } from '../store/search/all-words.ts';
import type { NearMatches } from '../store/search/answer.ts';
import type { KindFilter } from '../store/search/filters.ts';
import type { QueryVector } from '../store/search/meaning.ts';
import type { Phrase, Speech } from '../words/speech.ts';
import { interpretedColumn, interpretedFields } from './interpretation.ts';
import { isRecordReference, type Parameters, type Values } from './parameter.ts';
import { type PlaceOptions, remarksForValues } from './places.ts';
import rows from './questions.json' with { type: 'json' };

/** A page of a list, its items as JSON; answers add `extra` after them, and `lead` before them over HTTP. */
export type Page = Omit<JsonPage, 'items'> & {
  items: Iterable<string>;
  /** If nothing matches the words and no other filter is set: suggestions for people, never part of the list. */
  near?: NearMatches | null;
  extra?: Document;
  /** Counts all changes by kind and type, whatever the cursor; null if counting takes as long as reading. */
  countAll?: () => { since: string; total: number; counts: Map<string, Map<string, number>> } | null;
  lead?: Document;
  /** Stored records that the question covers; only for empty answers, and those with figures or a time bound. */
  coverage?: Coverage[];
  /** True if the query text bounds the days by `since:` or `until:`. */
  hasTimeBound?: boolean;
  /** A problem to report to the operator, such as an embedding service that fails. */
  trouble?: string | null;
  remarks?: readonly Remark[];
  /** How words of the query were interpreted; by default as `readWordsFilter` interprets them. */
  interpretations?: readonly Interpretation[];
};

/** A note for terminals; where its text names commands, pages show `sentence` and `links` instead. */
export type Remark = Phrase & { sentence?: Phrase; links?: readonly BallotLink[] };

/** Filters of a list of ballots, with a label. */
export type BallotLink = {
  label: string;
  filters: Partial<Record<'group' | 'q' | 'since' | 'until', string | undefined>>;
};

/** The answer of a list question: items as documents, with their origin; `notes` are for people. */
export type Listing = Omit<Page, 'items' | 'lead'> & {
  items: Iterable<Document> | AsyncIterable<Document>;
  origin: Origin;
  /** The columns, if they depend on the answer; by default those of the question. */
  columns?: string[];
  notes?: () => Phrase[];
};

/** The answer of a record question, with its origin. */
export type RecordAnswer = { item: Document; origin: Origin };

/** What `read` of a question needs beside the mirror and the parameters' values. */
export type ReadOptions = PlaceOptions & {
  /** True if semantic search is enabled (`FEATURE_SEMANTIC_SEARCH`). */
  searchesByMeaning: boolean;
  /** Vector of the query, or the reason why there is none; absent if none was requested. */
  vector?: QueryVector | null;
  /** Path of the user's folder of saved questions; null if not set. */
  questions?: string | null;
  /** Path of the exported file that a user's SQL statements read; null if not set. */
  sqlFile?: string | null;
  /** True for an answer of the service's interface, which has no derived fields. */
  isInterface?: boolean;
  /** Past moment to read, ISO 8601; null for now. Most questions receive a mirror of that moment. */
  asOf: string | null;
  /** The values as typed, before names were resolved. */
  requestedValues?: Record<string, unknown>;
};

/** The service client, and the mirror that saves received records. */
export type Service = { client: ServiceClient; mirror: Mirror };

/** Properties of every question. Method syntax makes parameters bivariant: any question is assignable to `Question`. */
type QuestionBase<Ps extends Parameters> = {
  name: string;
  operationId: string;
  /** A phrase without a full stop, for help, the API description and pages. */
  summary: string;
  description?: string;
  /** Pairs of a description and a command without the program's name. */
  examples: [shows: string, command: string][];
  /** Path below /api/v1, parameters in braces. */
  path: string;
  /** True for an endpoint of the service's interface. */
  isInterface: boolean;
  parameters: Ps;
  /** Kinds of record that it reads for these values; a past moment must not precede their first records. */
  kindsRead(values: Values<Ps>): readonly KindName[];
  /** True if it receives the present mirror and reads the history itself, even for a past moment. */
  looksBack?: true;
  /** Version of its answers, 1 by default: a watch takes the first answer of another version as its baseline. */
  version?: number;
  /** True if it may take long, or `with words` (`q`): a server runs it in a process that can be killed. */
  isLong?: true | 'with words';
  /** True if it runs a user's statement: the reading process is killed if it exceeds time or memory. */
  runsStatement?: true;
};

/** A question whose answer is a list. */
export type ListQuestion<Ps extends Parameters = Parameters> = QuestionBase<Ps> & {
  answers: 'list';
  /** Schema name of an item in the API description; `SearchAnswer` for the whole answer. */
  schema: string;
  /** Fields of an item; absent for those of the schema's kind. */
  fields?: Column[];
  /** Fields of the answer itself, beside its items. */
  answerFields?: Column[];
  /** Columns of a table, and of a file unless it has the columns of the records. */
  columns: string[];
  /** Columns of a table for these values, if some would be empty. */
  columnsFor?(values: Values<Ps>): string[];
  /** Columns that narrow terminals omit, in this order; by default from the right. */
  omittedFirst?: string[];
  /** Every column that a file may have; by default from the fields or the kinds. */
  allColumns?: string[];
  /** Columns that files have last, so that earlier columns keep their positions. */
  lastFileColumns?: string[];
  /** The kind of the record that an item is, and its key if the item lacks it; by default that of the schema. */
  recordOfItem?(item: Document, values: Values<Ps>): { kind: string; key?: string };
  /** Returns the item as a flat row, for people if `speech` is given, else for files. */
  toRow?(item: Document, speech?: Speech): Document;
  read(mirror: Mirror, values: Values<Ps>, readOptions: ReadOptions): Page;
  /** Requests the list from the service; absent if the service cannot answer. */
  requestFromService?(service: Service, values: Values<Ps>): Promise<Listing>;
  /** Returns the text to embed and the records to compare it with, for a search by meaning. */
  semanticQuery?(values: Values<Ps>): { query: string; filter: KindFilter };
  notes?(mirror: Mirror, values: Values<Ps>, readOptions: ReadOptions): Phrase[];
  /** Returns the coverage of the answer; by default of the kinds that the question reads, none without `kindsRead`. */
  covers?(mirror: Mirror, values: Values<Ps>): Coverage[];
  /** True if every answer states its coverage, as one with counts or rates does; else only empty or bounded ones. */
  alwaysStatesCoverage?: true;
};

/** A question whose answer is one record. */
export type RecordQuestion<Ps extends Parameters = Parameters> = QuestionBase<Ps> & {
  answers: 'record';
  schema: string;
  kind(values: Values<Ps>): KindName;
  /** Reads the record; undefined if the mirror has none. */
  read(mirror: Mirror, values: Values<Ps>, readOptions: ReadOptions): Document | undefined;
  /** Requests the record from the service; throws a NotFoundError if it has none. */
  requestFromService?(service: Service, values: Values<Ps>): Promise<RecordAnswer>;
  describeMissing(mirror: Mirror, values: Values<Ps>): AbsenceReport;
  /** Describes the record to request from the service if the mirror never had it; null to request nothing. */
  describeUnknown?(values: Values<Ps>): string | null;
};

/** The error for a missing record, with near misses. */
export type AbsenceReport = {
  /** Error message and next step of commands. */
  message: Phrase;
  hint: Phrase | null;
  /** Error message over HTTP. */
  detail: Phrase;
  near: KeyedName[];
  /** Returns the identifying fields of a near miss, for the HTTP error. */
  suggestion(near: KeyedName): Record<string, string | null>;
};

export type Question<Ps extends Parameters = Parameters> = ListQuestion<Ps> | RecordQuestion<Ps>;

type QuestionRow = Omit<QuestionBase<Parameters>, 'parameters' | 'kindsRead'> &
  Pick<ListQuestion, 'schema' | 'columns' | 'omittedFirst' | 'allColumns'>;

/** Properties of a question that its row in `questions.json` lacks, or that override it; `kindsRead` is optional. */
type Definition<Of extends { kindsRead: unknown }> = Omit<Of, 'answers' | 'kindsRead' | keyof QuestionRow> &
  Partial<QuestionRow & Pick<Of, 'kindsRead'>>;

const mergeRow = <Parts extends object>(name: keyof typeof rows, definition: Parts) => ({
  kindsRead: () => [],
  ...(rows[name] as unknown as QuestionRow),
  name,
  ...definition,
});

/** Returns the only page of a list: its first `limit` items, or all; `total` counts all. */
export function completePage(items: readonly object[], limit = items.length): Page {
  return { items: items.slice(0, limit).map((item) => JSON.stringify(item)), total: items.length, nextCursor: null };
}

/** Returns a list question; its `read` applies `literal` and adds interpretations, echoed parameters and coverage. */
export function listQuestion<Ps extends Parameters>(
  name: keyof typeof rows,
  definition: Definition<ListQuestion<Ps>>,
): ListQuestion<Ps> {
  const question = mergeRow(name, definition);
  const { parameters, answerFields = [], read, kindsRead, isInterface, alwaysStatesCoverage } = question;
  // True for a question without declared kinds, such as a user's SQL statement: its answers state no coverage.
  const hasNoCoverage = definition.kindsRead === undefined && definition.covers === undefined;
  const echoedParameters = Object.entries(parameters).filter(
    ([name, { echoFormat }]) => echoFormat && !answerFields.some((each) => each.name === name),
  );
  return {
    ...question,
    answers: 'list',
    answerFields: [
      ...answerFields,
      ...(isInterface || hasNoCoverage ? [] : [coverageColumn]),
      ...(parameters.literal ? [interpretedColumn] : []),
      ...echoedParameters.map(([name, { echoFormat, description }]) =>
        column[echoFormat!](name, `What ${name} was read as: ${description}.`),
      ),
    ],
    read(mirror, typedValues, readOptions) {
      const { literal, q } = typedValues;
      const typedWords: string | null = parameters.literal && typeof q === 'string' ? q : null;
      const words = typedWords !== null && literal ? quoteWords(typedWords) : typedWords;
      const values = words === null ? typedValues : { ...typedValues, q: words };
      const page = read(mirror, values, readOptions);
      const { interpretations } =
        words === null || page.interpretations ? page : readWordsFilter(mirror, words, kindsRead(values));
      const interpreted = interpretedFields(interpretations);
      const placeRemarks = remarksForValues(mirror, values as object, readOptions);
      const echoedValues = echoedParameters
        .filter(([name]) => values[name] !== undefined)
        .map(([name]) => [name, values[name] as string]);
      const isBounded = values.since !== undefined || values.until !== undefined || page.hasTimeBound;
      const isEmpty = Array.isArray(page.items) && page.items.length === 0;
      const isCovered = !hasNoCoverage && (isEmpty || isBounded || alwaysStatesCoverage);
      return {
        ...page,
        // The query of an answer is that of the request, without the quotation marks of `literal`.
        ...(page.lead?.query !== undefined && { lead: { ...page.lead, query: q as string } }),
        remarks: [...placeRemarks, ...interpreted.remarks, ...(page.remarks ?? [])],
        extra: { ...Object.fromEntries(echoedValues), ...page.extra, ...interpreted.extra },
        ...(isCovered && { coverage: coverageOf(mirror, question, values) }),
      };
    },
  };
}

const seatFields = new Set(['chamber', 'department']);

/** Returns the coverage of an answer; `unstated` lists the filters on fields that no stored record of a kind states. */
function coverageOf<Ps extends Parameters>(
  mirror: Mirror,
  { parameters, kindsRead, covers }: Pick<ListQuestion<Ps>, 'parameters' | 'kindsRead' | 'covers'>,
  values: Values<Ps>,
): Coverage[] {
  const rows =
    covers?.(mirror, values) ?? readCoverage(mirror, kindsRead(values), values.chamber as Chamber | undefined);
  const isOfOneKind = new Set(rows.map(({ kind }) => kind)).size === 1; // then all filters are on its fields
  const valueFilters = Object.entries(parameters).flatMap(([name, { names }]) =>
    values[name] === undefined || names === null || isRecordReference(names) ? [] : name,
  );
  return rows.map((row) => {
    const fieldNames = describedFields(kindOf(row.kind)).map(({ name }) => name);
    const lacksValues = (field: string) =>
      (isOfOneKind || fieldNames.includes(field)) && row.records > 0 && !statesField(mirror, row.kind, field);
    // Records about a politician need no seat of their own: these filters use the politician's.
    const ownFilters = valueFilters.filter((field) => !(seatFields.has(field) && fieldNames.includes('politician')));
    const unstatedFields = ownFilters.filter(lacksValues);
    return unstatedFields.length > 0 ? { ...row, unstated: unstatedFields } : row;
  });
}

/** Returns a record question: its row in `questions.json` with the definition. */
export function recordQuestion<Ps extends Parameters>(
  name: keyof typeof rows,
  definition: Definition<RecordQuestion<Ps>>,
): RecordQuestion<Ps> {
  return { ...mergeRow(name, definition), answers: 'record' };
}
