import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance as App } from 'fastify';
import { errorTable, HemicycleError, UsageError } from '../errors.ts';
import { pastMoment } from '../model/moment.ts';
import { type Parameters, readValues } from '../questions/parameter.ts';
import { withVector } from '../questions/query-vector.ts';
import type { Reading } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { momentBound } from '../questions/time-bounds.ts';
import { say } from '../words/speech.ts';
import { operationOf } from './operations.ts';
import { badParameters } from './problem.ts';
import { onceFor } from './served-mirror.ts';
import type { ServerSettings, Serving } from './serving.ts';

/** `as_of`, on every reading endpoint, so that it is never ignored. */
export const asOf = momentBound(
  'end',
  'as this mirror had seen it by then: a day (its end, in Paris), a moment, or 7d ago',
);

/** Serves every question at its path. */
export function questionRoutes(api: App, serving: Serving): void {
  const { mirror, settings, answers, reader, clock, onFailure } = serving;
  // Why semantic search falls back is logged once, until the reason changes.
  const logTrouble = onceFor((trouble: string | null) => {
    if (trouble !== null) onFailure(new HemicycleError(errorTable.serviceAnswer, `semantic search: ${trouble}`));
  });
  for (const question of questions) {
    const own = Object.entries(question.parameters).filter(([, { surface }]) => surface !== 'cli');
    const parameters = { ...Object.fromEntries(own), as_of: asOf };
    const path = question.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const schema = operationOf(question, parameters);
    const semanticQuery = question.answers === 'list' ? question.semanticQuery : undefined;
    api.get(path, { schema, config: { parameters } }, (request, reply) => {
      const { as_of, ...values } = request.values!;
      const at = parseRequestedMoment(as_of as string | undefined, clock());
      // https://www.rfc-editor.org/rfc/rfc7089
      if (at !== null) reply.header('memento-datetime', new Date(at).toUTCString());
      const readRequest = { question: question.name, values, reading: readingOf(settings, at) };
      const readByMeaning = async () => {
        const { queryModel, semantic } = settings;
        const reading =
          queryModel && semantic
            ? await withVector(mirror.current(), readRequest.reading, {
                ...semanticQuery!(values),
                queryModel,
              })
            : readRequest.reading;
        const result = await reader.read({ ...readRequest, reading }, request.caller!);
        logTrouble(result.trouble ?? null);
        return result;
      };
      const make = () => (semanticQuery ? readByMeaning() : reader.read(readRequest, request.caller!));
      return answers.text(request, reply, make);
    });
  }
}

/** The operator's settings that affect reads. */
export type SearchSettings = Pick<ServerSettings, 'semantic' | 'questions' | 'sqlFile'>;

/** Returns the reading of a request: the operator's settings, and the requested moment. */
export function readingOf(
  { semantic, questions = null, sqlFile = null }: SearchSettings,
  asOf: string | null,
): Reading {
  return { searchesByMeaning: semantic, asOf, questions, sqlFile };
}

/** Returns the past moment of a request, or null for now; throws a UsageError for a future one. */
export function parseRequestedMoment(at: string | undefined, nowMs: number): string | null {
  if (at === undefined) return null;
  const past = pastMoment(at, nowMs);
  if (past === null) throw new UsageError('that moment is still to come').withFault('as_of', say`is in the future`);
  return past;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    parameters?: Parameters;
  }
  interface FastifyRequest {
    /** Parsed parameter values with defaults; null for a route without parameters. */
    values: Record<string, unknown> | null;
  }
}

/** The texts of known parameters, without empty form fields and ends of lists. */
export function definedTexts(query: unknown, parameters: Parameters): Record<string, string[]> {
  const written = query as Record<string, string | string[] | undefined>;
  const takesAll = Object.values(parameters).some(({ takesRemaining }) => takesRemaining);
  const entries = [...Object.keys(parameters), ...(takesAll ? Object.keys(written) : [])].map((name) => {
    const texts = [written[name] ?? []].flat();
    const ended = parameters[name]?.isList ? texts.map((text) => text.replace(/[,\s]+$/, '')) : texts;
    return [name, ended.filter((text) => text.trim() !== '')] as const;
  });
  return Object.fromEntries(entries.filter(([, texts]) => texts.length > 0));
}

/** Parses the parameters of every route; refuses bad ones (422). */
export function readParameters(app: App): void {
  app.decorateRequest('values', null);
  app.addHook('preValidation', (request, _reply, done) => {
    const { parameters } = request.routeOptions.config;
    if (parameters === undefined) return done();
    const input = { ...definedTexts(request.query, parameters), ...(request.params as object) };
    const { values, errors } = readValues(parameters, input);
    if (errors.length > 0) throw badParameters(errors);
    request.values = values;
    done();
  });
}

/** The most frequent first questions. */
const warmUpQuestions = ['search', 'ballots', 'feed', 'changes', 'politicians'];

/** Runs these questions once, so that nobody waits for code and pages that are not in memory yet. */
export async function warmUp({ reader, settings }: Serving): Promise<void> {
  for (const { name, parameters } of questions.filter(({ name }) => warmUpQuestions.includes(name))) {
    const { values } = readValues(parameters, { q: 'loi' });
    const readRequest = {
      question: name,
      values,
      reading: readingOf({ ...settings, semantic: false }, null),
    };
    await setImmediate();
    try {
      await reader.read(readRequest, { key: '' });
    } catch {
      // The next request reports the error.
    }
  }
}
