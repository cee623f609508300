import { NetworkError, NoStateError, NotFoundError, RepeatedPageError, WithdrawnError } from '../errors.ts';
import type { Origin } from '../format/json.ts';
import type { Document } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { isSlug, type NamedKind, nearSlugs } from '../names/lookup.ts';
import { coveragePhrase } from '../parliament/coverage.ts';
import type { Mirror } from '../store/mirror.ts';
import { lastFilledAt } from '../store/records/contents.ts';
import { readWithdrawnRecord } from '../store/records/reference.ts';
import { countWithheldInResult, refuseWithheld } from '../store/tombstones.ts';
import { clauses, type Phrase, say, saying } from '../words/speech.ts';
import { getProfileByName, unsupportedByService } from './from-service.ts';
import { resolveNames, resolveValue, unknownNames, withParameterFault } from './names.ts';
import { isRecordReference, type Parameters, parseUserInput, type Values } from './parameter.ts';
import { type QueryModel, withVector } from './query-vector.ts';
import type {
  Listing,
  ListQuestion,
  Page,
  Question,
  ReadOptions,
  RecordAnswer,
  RecordQuestion,
  Service,
} from './question.ts';
import { resolvedPartyFields, resolveParties } from './resolved-parties.ts';

/** Answers questions from a mirror, the service, or both in turn. */
export type Answerer = {
  list<Ps extends Parameters>(question: ListQuestion<Ps>, values: Values<Ps>): Promise<Listing>;
  record<Ps extends Parameters>(question: RecordQuestion<Ps>, values: Values<Ps>): Promise<RecordAnswer>;
};

/** Returns an answerer that reads a mirror; its only requests are for the vector of a semantic query (`model`). */
export function createMirrorAnswerer(mirror: Mirror, reading: ReadOptions, model: QueryModel | null = null): Answerer {
  const origin: Origin = { from: 'mirror', as_of: reading.asOf ?? lastFilledAt(mirror) };
  return {
    async list(question, requestedValues) {
      const values = resolveNames(mirror, question.parameters, requestedValues);
      const semanticQuery = reading.searchesByMeaning && model ? question.semanticQuery?.(values) : undefined;
      const readOptions = semanticQuery
        ? await withVector(mirror, reading, { ...semanticQuery, queryModel: model! })
        : reading;
      const { items, ...page } = question.read(mirror, values, { ...readOptions, requestedValues });
      const withheldField = withheldCountField(mirror, question, values);
      const resolvedParties = resolveParties(mirror, question.parameters, requestedValues);
      const notes = () => [
        ...resolvedParties.map(({ note }) => note),
        ...coverageNotes({ items, ...page }),
        ...(question.notes?.(mirror, values, reading) ?? []),
        ...(withheldField.withheld ? [withheldNote(withheldField.withheld)] : []),
      ];
      const extra = {
        ...page.extra,
        ...(page.coverage && { coverage: page.coverage }),
        ...resolvedPartyFields(resolvedParties),
        ...withheldField,
      };
      return { ...page, extra, items: Iterator.from(items).map((text): Document => JSON.parse(text)), origin, notes };
    },
    async record(question, requestedValues) {
      const values = resolveNames(mirror, question.parameters, requestedValues);
      const item = question.read(mirror, values, reading);
      if (item) return { item, origin };
      refuseWithheldRecord(mirror, question, values);
      const { message, near, hint } = question.describeMissing(mirror, values);
      throw new NotFoundError(message, hint, near);
    },
  };
}

/** Returns an answerer that requests the service and saves received records in the mirror, except search results. */
export function createServiceAnswerer(service: Service): Answerer {
  return {
    async list(question, values) {
      const requestFromService = requireServiceRequest(question);
      const listing = limitItems(values.limit as number | undefined, await requestFromService(service, values));
      const isContinued = 'cursor' in values && values.cursor !== undefined;
      if (isContinued || !Array.isArray(listing.items) || listing.items.length > 0) return listing;
      const correctedValues = await getCorrectedValues(service, question.parameters, values);
      return correctedValues === null ? listing : requestFromService(service, correctedValues);
    },
    record: async (question, values) => requireServiceRequest(question)(service, values),
  };
}

/** Cuts a last page to `limit` items, since a service may return more; returns other listings unchanged. */
function limitItems(limit: number | undefined, listing: Listing): Listing {
  const { items, total, nextCursor } = listing;
  if (limit === undefined || nextCursor !== null || !Array.isArray(items) || items.length <= limit) return listing;
  return { ...listing, items: items.slice(0, limit), total: total ?? items.length };
}

/** Returns the count of withheld records of the question's kinds; an empty object for none or for a single record. */
export function withheldCountField(
  mirror: Mirror,
  question: Question,
  values: Values<Parameters>,
): { withheld?: number } {
  const withheldCount = 'key' in question.parameters ? 0 : countWithheldInResult(mirror, question.kindsRead(values));
  return withheldCount > 0 ? { withheld: withheldCount } : {};
}

/** Returns the coverage note of a non-empty answer; no note for an empty one, whose message contains it. */
export function coverageNotes({ items, coverage = [] }: Pick<Page, 'items' | 'coverage'>): Phrase[] {
  const isEmpty = Array.isArray(items) && items.length === 0;
  // The question `changes` (days `seen`) states its period in its own notes.
  const phrase = coveragePhrase(coverage.filter(({ days }) => days !== 'seen'));
  return isEmpty || phrase === null ? [] : [phrase];
}

/** Returns the note that an answer lacks a number of withheld records. */
export function withheldNote(withheldCount: number): Phrase {
  return saying((speech) => speech.say`without ${speech.count(withheldCount, 'record')} withheld from this mirror`);
}

/** Throws a WithheldError if the requested record is withheld. */
export function refuseWithheldRecord(mirror: Mirror, question: RecordQuestion, values: Values<Parameters>): void {
  const { key, slug } = values as { key?: string; slug?: string };
  const recordKey = key ?? slug;
  if (recordKey !== undefined) refuseWithheld(mirror, question.kind(values), recordKey);
}

/** Returns the withdrawn record whose key the values contain, or undefined. */
export function findWithdrawal(mirror: Mirror, question: RecordQuestion, values: Values<Parameters>) {
  const { key, slug, chamber, scrutin_id } = values as Record<string, string | undefined>;
  const recordKey = key ?? slug ?? (scrutin_id === undefined ? undefined : `${chamber}:${scrutin_id}`);
  return recordKey === undefined ? undefined : readWithdrawnRecord(mirror, kindOf(question.kind(values)), recordKey);
}

function requireServiceRequest<RequestFunction>(question: {
  requestFromService?: RequestFunction;
  name: string;
}): RequestFunction {
  if (question.requestFromService) return question.requestFromService;
  throw unsupportedByService(question.name);
}

/** Returns an answerer that reads the mirror; for a ballot or slug that it lacks, it opens and asks the service. */
export function createAutoAnswerer(mirror: Answerer, askService: (reason: Phrase) => Promise<Answerer>): Answerer {
  return {
    list: (question, values) => mirror.list(question, values),
    async record(question, values) {
      // Null: never ask the service.
      const unknownRecord = question.requestFromService ? (question.describeUnknown?.(values) ?? null) : null;
      try {
        return await mirror.record(question, values);
      } catch (error) {
        if (unknownRecord === null || !(error instanceof NotFoundError) || error instanceof WithdrawnError) throw error;
        try {
          const service = await askService(say`${unknownRecord} is not in the mirror`);
          return await service.record(question, values);
        } catch (failure) {
          // Without a response, the record may exist: report both errors. A 404 confirms the mirror's error.
          if (failure instanceof NetworkError || failure instanceof NoStateError)
            throw failure.withRemark(saying((speech) => speech.render(clauses(Object.values(error.describe(speech))))));
          throw failure instanceof NotFoundError ? error : failure;
        }
      }
    },
  };
}

/** Returns a list from its cursor to its end, page by page, without suggestions; other fields are the first page's. */
export async function readWholeList<Ps extends Parameters>(
  answerer: Answerer,
  question: ListQuestion<Ps>,
  values: Values<Ps>,
): Promise<Listing> {
  const { near: _, ...first } = await answerer.list(question, values);
  return first.nextCursor === null ? first : { ...first, nextCursor: null, items: pages(first) };

  async function* pages(firstPage: Listing): AsyncGenerator<Document> {
    const cursors = new Set<string>();
    let previous = '';
    for (let page = firstPage; ; ) {
      // Only the service returns arrays; the mirror's pages never repeat and need no check.
      const content = Array.isArray(page.items) && page.items.length > 0 ? JSON.stringify(page.items) : '';
      if (content !== '' && content === previous)
        throw new RepeatedPageError(question.path, say`the same page came twice; reading was stopped`);
      previous = content;
      yield* page.items;
      const cursor = page.nextCursor;
      if (cursor === null) return;
      if (cursors.has(cursor))
        throw new RepeatedPageError(question.path, say`the cursor ${cursor} came twice; reading was stopped`);
      cursors.add(cursor);
      page = await answerer.list(question, { ...values, cursor });
    }
  }
}

/** Returns values with resolved names after an empty service result; null if none changes. Throws a NotFoundError. */
export async function getCorrectedValues<Ps extends Parameters>(service: Service, parameters: Ps, values: Values<Ps>) {
  const corrections: Record<string, string> = {};
  for (const { parameter } of unknownNames(service.mirror, parameters, values)) {
    const input = (values as Record<string, string>)[parameter]!;
    const names = parameters[parameter]!.names!;
    const resolvedValue = isRecordReference(names)
      ? await getServiceSlug(service, names, input)
      : (withParameterFault(parameter, () => resolveValue(service.mirror, names, input)) ?? input);
    if (resolvedValue !== input) corrections[parameter] = resolvedValue;
  }
  return Object.keys(corrections).length > 0 ? { ...values, ...corrections } : null;
}

async function getServiceSlug(service: Service, kind: NamedKind, input: string): Promise<string> {
  // A name that is no slug was resolved before the request.
  if (!isSlug(input)) return input;
  try {
    const { item } = await getProfileByName(service, kind, input);
    return typeof item.slug === 'string' ? item.slug : input;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(error.phrase, null, nearSlugs(service.mirror, kind, input));
  }
}

/**
 * Answers a question from a mirror: `ask(mirror, ballots, { voted: ['RN:for'], limit: 5 })`. Keys are HTTP names,
 * values CLI text. Throws a UsageError, a NotFoundError with near misses, or an AmbiguousNameError.
 */
export async function ask<AnyQuestion extends Question>(
  mirror: Mirror,
  question: AnyQuestion,
  input: Record<string, unknown> = {},
): Promise<AnyQuestion extends ListQuestion ? Listing : RecordAnswer> {
  const values = parseUserInput(question.parameters, input);
  const answerer = createMirrorAnswerer(mirror, { searchesByMeaning: false, asOf: mirror.asOf });
  const answer = question.answers === 'list' ? answerer.list(question, values) : answerer.record(question, values);
  return answer as Promise<AnyQuestion extends ListQuestion ? Listing : RecordAnswer>;
}

/** Collects all items of a list in memory. */
export const collectItems = ({ items }: Pick<Listing, 'items'>): Promise<Document[]> => Array.fromAsync(items);
