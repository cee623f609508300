import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { errorTable, HemicycleError, UsageError } from '../errors.ts';
import { durationMs, pastMoment } from '../model/moment.ts';
import { type Parameters, readValues } from '../questions/parameter.ts';
import { momentBound } from '../questions/parameter-kinds.ts';
import { withVector } from '../questions/query-vector.ts';
import type { ListQuestion, Question, Reading } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { say } from '../words/speech.ts';
import type { Caller } from './observed.ts';
import { operationOf } from './operations.ts';
import { badParameters } from './problem.ts';
import type { MadeText } from './reader.ts';
import type { ServerSettings, Serving } from './serving.ts';

/** `as_of`, on every reading endpoint, so that it is never ignored. */
export const asOf = momentBound(
  'end',
  'as this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago',
);

/** Serves every question at its path. */
export function questionRoutes(api: App, serving: Serving): void {
  const tellTrouble = createTroubleReporter(serving);
  for (const question of questions) {
    const own = Object.entries(question.parameters).filter(([, { surface }]) => surface !== 'cli');
    const parameters = { ...Object.fromEntries(own), as_of: asOf };
    const path = question.path.replaceAll(/\{(\w+)\}/g, ':$1');
    api.get(path, { schema: operationOf(question, parameters), config: { parameters } }, (request, reply) =>
      answer(question, request, reply, { ...serving, tellTrouble }),
    );
  }
}

function answer(
  question: Question,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving & { tellTrouble: TroubleReporter },
): FastifyReply | Promise<FastifyReply> {
  const { settings, answers, reader, clock } = serving;
  const { as_of, ...values } = request.values!;
  const reading = readingOf(settings, askedMoment(as_of as string | undefined, clock()));
  const { asOf } = reading;
  // https://www.rfc-editor.org/rfc/rfc7089
  if (asOf !== null) reply.header('memento-datetime', new Date(asOf).toUTCString());
  // A relative time such as `7d` means something else tomorrow.
  const isRelative = (written: unknown) => typeof written === 'string' && durationMs(written) !== null;
  const isMoving = asOf !== null || Object.values(request.query as object).some(isRelative);
  const make = () =>
    question.answers === 'list' && question.meant
      ? readByMeaning(serving, question, { values, reading, caller: request.caller! })
      : reader.read({ question: question.name, values, reading }, request.caller!);
  return answers.text(request, reply, make, { isMoving });
}

/** The operator's settings of semantic search. */
export type SearchSettings = Pick<ServerSettings, 'semantic' | 'thesaurus'>;

/** How a request is read: the operator's settings, and the moment it asks for. */
export function readingOf({ semantic, thesaurus = null }: SearchSettings, asOf: string | null): Reading {
  return { searchesByMeaning: semantic, thesaurus, asOf };
}

/** Reads a search, with the vector of its query if semantic search has an embedding model. */
async function readByMeaning(
  { mirror, settings, reader, tellTrouble }: Serving & { tellTrouble: TroubleReporter },
  { name, meant }: ListQuestion,
  { values, reading, caller }: { values: Record<string, unknown>; reading: Reading; caller: Caller },
): Promise<MadeText> {
  const { queryModel, semantic } = settings;
  const vectored =
    queryModel && semantic
      ? await withVector(mirror.current(), reading, { ...meant!(values), queryModel })
      : reading;
  const found = await reader.read({ question: name, values, reading: vectored }, caller);
  tellTrouble(found.trouble ?? null);
  return found;
}

type TroubleReporter = (trouble: string | null) => void;

/** Logs why semantic search falls back, once until the reason changes. */
function createTroubleReporter({ onFailure }: Serving): TroubleReporter {
  let last: string | null = null;
  return (trouble) => {
    if (trouble !== null && trouble !== last)
      onFailure(new HemicycleError(errorTable.serviceAnswer, `semantic search: ${trouble}`));
    last = trouble;
  };
}

/** The past moment of a request, or null for now; throws a UsageError for a future one. */
export function askedMoment(at: string | undefined, nowMs: number): string | null {
  if (at === undefined) return null;
  const past = pastMoment(at, nowMs);
  if (past === null)
    throw new UsageError('that moment is still to come').withFault('as_of', say`is still to come`);
  return past;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parameters of the route; others are ignored. */
    parameters?: Parameters;
  }
  interface FastifyRequest {
    /** Parsed parameter values with defaults; null for a route without parameters. */
    values: Record<string, unknown> | null;
  }
}

/** Parses the parameters of every route; refuses bad ones (422). */
export function readParameters(app: App): void {
  app.decorateRequest('values', null);
  app.addHook('preValidation', (request, _reply, done) => {
    const { parameters } = request.routeOptions.config;
    if (parameters === undefined) return done();
    const given = { ...(request.query as object), ...(request.params as object) };
    const { values, errors } = readValues(parameters, given);
    if (errors.length > 0) throw badParameters(errors);
    request.values = values;
    done();
  });
}
