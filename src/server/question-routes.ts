import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { errorTable, HemicycleError, UsageError } from '../errors.ts';
import { durationMs, pastMoment } from '../model/moment.ts';
import { type Parameters, readValues } from '../questions/parameter.ts';
import { moment } from '../questions/parameter-kinds.ts';
import { withVector } from '../questions/query-vector.ts';
import type { Question, Reading } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { say } from '../words/speech.ts';
import { answerText } from './answer-text.ts';
import { operationOf } from './operations.ts';
import { badParameters } from './problem.ts';
import type { Serving } from './serving.ts';

/** `as_of`, on every reading endpoint, so that it is never ignored. */
export const asOf = moment(
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
  const { mirror, settings, answers, reader, clock } = serving;
  const { as_of, ...values } = request.values!;
  const asOf = askedMoment(as_of as string | undefined, clock());
  const reading = { searchesByMeaning: settings.semantic, thesaurus: settings.thesaurus ?? null, asOf };
  // https://www.rfc-editor.org/rfc/rfc7089
  if (asOf !== null) reply.header('memento-datetime', new Date(asOf).toUTCString());
  const isMoving = asOf !== null || Object.values(request.query as object).some(isRelative);
  if (asOf === null && !question.isLong)
    return answers.json(request, reply, () => answerText(mirror.current(), question, { values, reading }), {
      isMoving,
    });
  const made = async () => {
    const read = await meaningRead(serving, question, { values, reading });
    const found = await reader.read({ question: question.name, values, reading: read });
    if (question.answers === 'list' && question.meant) serving.tellTrouble(found.trouble ?? null);
    return found;
  };
  return answers.made(request, reply, made, { isMoving });
}

/** Adds the vector of the query if semantic search has an embedding model. */
async function meaningRead(
  { mirror, settings }: Serving,
  question: Question,
  { values, reading }: { values: Record<string, unknown>; reading: Reading },
): Promise<Reading> {
  const { queryModel, semantic } = settings;
  if (!queryModel || !semantic || question.answers !== 'list' || !question.meant) return reading;
  const meant = question.meant(values);
  return withVector(mirror.current(), reading, { ...meant, queryModel });
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

/** True for a relative time such as `7d`. */
function isRelative(written: unknown): boolean {
  return typeof written === 'string' && durationMs(written) !== null;
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
