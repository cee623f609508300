import { NetworkError, NoStateError, NotFoundError, RepeatedPageError, UsageError } from '../errors.ts';
import type { Origin } from '../format/json.ts';
import type { Document } from '../model/document.ts';
import type { Mirror } from '../store/mirror.ts';
import { lastFilled } from '../store/records/contents.ts';
import { say, saying, type UserText } from '../words/speech.ts';
import { resolveNames } from './names.ts';
import type { Parameters, Values } from './parameter.ts';
import { type QueryModel, withVector } from './query-vector.ts';
import type { Absent, Found, Listing, ListQuestion, Reading, RecordQuestion, Service } from './question.ts';
import { namesAnew } from './unanswered-names.ts';

/** Whoever can answer questions: a mirror, the service, or one after the other. */
export type Answerer = {
  list<Ps extends Parameters>(question: ListQuestion<Ps>, values: Values<Ps>): Promise<Listing>;
  record<Ps extends Parameters>(question: RecordQuestion<Ps>, values: Values<Ps>): Promise<Found>;
};

/** Answers from a mirror; makes no network call, ever. */
export function mirrorAnswers(
  mirror: Mirror,
  reading: Reading,
  queryModel: QueryModel | null = null,
): Answerer {
  const origin: Origin = { from: 'mirror', as_of: reading.asOf ?? lastFilled(mirror) };
  return {
    async list(question, asked) {
      const values = resolveNames(mirror, question.parameters, asked);
      const meant = reading.searchesByMeaning && queryModel ? question.meant?.(values) : undefined;
      const read = meant ? await withVector(mirror, reading, { ...meant, queryModel: queryModel! }) : reading;
      const { items, ...page } = question.read(mirror, values, read);
      const notes = () => question.notes?.(mirror, values) ?? [];
      return { ...page, items: documents(items), origin, notes };
    },
    async record(question, asked) {
      const values = resolveNames(mirror, question.parameters, asked);
      const item = question.read(mirror, values, reading);
      if (item) return { item, origin };
      throw notFound(question.absent(mirror, values));
    },
  };
}

/** Answers from the service, and keeps the records of its answers in the mirror (search hits are only shown). */
export function serviceAnswers(service: Service): Answerer {
  return {
    async list(question, values) {
      const ask = asking(question);
      const listing = await ask(service, values);
      const isContinued = 'cursor' in values && values.cursor !== undefined;
      if (isContinued || !Array.isArray(listing.items) || listing.items.length > 0) return listing;
      const anew = await namesAnew(service, question.parameters, values);
      return anew === null ? listing : ask(service, anew);
    },
    record: async (question, values) => asking(question)(service, values),
  };
}

function asking<Ask>(question: { ask?: Ask; name: string }): Ask {
  if (question.ask) return question.ask;
  throw notOfService(question);
}

/** What is told of a question that the service does not have. */
export function notOfService({ name }: { name: string }): UsageError {
  return new UsageError(
    say`the service cannot be asked for ${name}`,
    say`the mirror answers that: leave --source out`,
  );
}

/**
 * Answers from the mirror, and asks the service only for a ballot or a slug that the mirror has never held; `askService`
 * opens it, told why.
 */
export function autoAnswers(mirror: Answerer, askService: (why: UserText) => Promise<Answerer>): Answerer {
  return {
    list: (question, values) => mirror.list(question, values),
    async record(question, values) {
      const unknown = question.ask ? (question.unknown?.(values) ?? null) : null;
      try {
        return await mirror.record(question, values);
      } catch (error) {
        if (unknown === null || !(error instanceof NotFoundError)) throw error;
        try {
          const service = await askService(say`${unknown} is not in the mirror`);
          return await service.record(question, values);
        } catch (failure) {
          // Nobody has said that there is no such record.
          if (failure instanceof NetworkError || failure instanceof NoStateError)
            throw failure.withRemark(
              saying((speech) => Object.values(error.tell(speech)).filter(Boolean).join('; ')),
            );
          throw failure instanceof NotFoundError ? error : failure;
        }
      }
    },
  };
}

/**
 * The whole of a list, a page after the other, from a cursor to its end. Each page is asked for when it is read; the
 * total and what else is said are those of the first.
 */
export async function wholeList<Ps extends Parameters>(
  answerer: Answerer,
  question: ListQuestion<Ps>,
  values: Values<Ps>,
): Promise<Listing> {
  const first = await answerer.list(question, values);
  return first.nextCursor === null ? first : { ...first, nextCursor: null, items: pages(first) };

  async function* pages(begun: Listing): AsyncGenerator<Document> {
    const cursors = new Set<string>();
    let previous = '';
    for (let page = begun; ; ) {
      // The service gives a page as a list; the mirror's pages need no such care.
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

/** How many items of a list stand behind one of its pages; all of them are read for it. */
export async function countBehind<Ps extends Parameters>(
  answerer: Answerer,
  question: ListQuestion<Ps>,
  values: Values<Ps> & { cursor: string },
): Promise<number> {
  const { items } = await wholeList(answerer, question, { ...values, limit: Number.POSITIVE_INFINITY });
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

/** The error that a record which is not there is to a person. */
export function notFound({ message, near, hint }: Absent): NotFoundError {
  return new NotFoundError(message, near, hint);
}

function* documents(texts: Iterable<string>): Generator<Document> {
  for (const text of texts) yield JSON.parse(text);
}
