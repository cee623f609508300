import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance as App } from 'fastify';
import { errorTable, HemicycleError, UsageError } from '../errors.ts';
import { pastMoment } from '../model/moment.ts';
import { type Parameters, readValues } from '../questions/parameter.ts';
import { withVector } from '../questions/query-vector.ts';
import type { ReadOptions } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { momentBound } from '../questions/time-bounds.ts';
import { say } from '../words/speech.ts';
import { operationOf } from './operations.ts';
import { badParametersError } from './problem.ts';
import { memoizeLast } from './served-mirror.ts';
import type { ServerContext, ServerSettings } from './serving.ts';

/** The parameter `as_of`; every endpoint that reads has it, so that it is never ignored. */
export const asOfParameter = momentBound(
  'end',
  'as this mirror had seen it by then: a day (its end, in Paris), a moment, or 7d ago',
);

/** Adds a route for each question at its path. */
export function addQuestionRoutes(api: App, context: ServerContext): void {
  const { mirror, settings, answers, reader, clock, onFailure } = context;
  // Logs why semantic search could not use its model: once, until the reason changes.
  const logTrouble = memoizeLast((trouble: string | null) => {
    if (trouble !== null) onFailure(new HemicycleError(errorTable.serviceAnswer, say`semantic search: ${trouble}`));
  });
  for (const question of questions) {
    const httpParameters = Object.entries(question.parameters).filter(([, { surface }]) => surface !== 'cli');
    const parameters = { ...Object.fromEntries(httpParameters), as_of: asOfParameter };
    const path = question.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const semanticQuery = question.answers === 'list' ? question.semanticQuery : undefined;
    api.get(path, { schema: operationOf(question, parameters), config: { parameters } }, (request, reply) => {
      const { as_of, ...values } = request.values!;
      const asOfMoment = parseRequestedMoment(as_of as string | undefined, clock());
      // https://www.rfc-editor.org/rfc/rfc7089
      if (asOfMoment !== null) reply.header('memento-datetime', new Date(asOfMoment).toUTCString());
      const reading = readOptionsOf(settings, asOfMoment, question.isInterface);
      const read = (options: ReadOptions) =>
        reader.read({ question: question.name, values, reading: options }, request.caller!);
      const readWithQueryVector = async () => {
        const { queryModel, semantic } = settings;
        const query = queryModel && semantic && { ...semanticQuery!(values), queryModel };
        const result = await read(query ? await withVector(mirror.current(), reading, query) : reading);
        logTrouble(result.trouble ?? null);
        return result;
      };
      return answers.sendText(request, reply, semanticQuery ? readWithQueryVector : () => read(reading));
    });
  }
}

/** The operator's settings that affect reads. */
export type ReadSettings = Pick<ServerSettings, 'semantic' | 'questions' | 'places' | 'sqlFile'>;

/** Returns the options of a read: settings, past moment or null, and `isInterface`, false for pages and assistants. */
export function readOptionsOf(
  { semantic, questions = null, places = null, sqlFile = null }: ReadSettings,
  asOf: string | null,
  isInterface = false,
): ReadOptions {
  return { searchesByMeaning: semantic, asOf, questions, places, sqlFile, isInterface };
}

/** Returns the past moment of a request, or null for now; throws a UsageError for a future one. */
export function parseRequestedMoment(at: string | undefined, nowMs: number): string | null {
  if (at === undefined) return null;
  const time = pastMoment(at, nowMs);
  if (time === null) throw new UsageError(say`that moment is still to come`).withFault('as_of', say`is in the future`);
  return time;
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

/** Returns query texts by parameter name: aliases resolved, lists split, empty texts and trailing commas dropped. */
export function definedTexts(query: unknown, parameters: Parameters): Record<string, string[]> {
  // A parameter with `takesRemaining` receives texts of unknown names; its own texts are not split at commas.
  const queryTexts = query as Record<string, string | string[] | undefined>;
  const acceptsUnknownNames = Object.values(parameters).some(({ takesRemaining }) => takesRemaining);
  const entries = [...Object.keys(parameters), ...(acceptsUnknownNames ? Object.keys(queryTexts) : [])].map((name) => {
    const { isList, takesRemaining, flag } = parameters[name] ?? {};
    const writtenTexts = [name, ...(flag?.aliases ?? [])].flatMap((each) => queryTexts[each] ?? []);
    const texts = writtenTexts.map((text) => (isList ? text.replace(/[,\s]+$/, '') : text));
    const filledTexts = texts.filter((text) => text.trim() !== '');
    return [name, isList && !takesRemaining ? filledTexts.flatMap((text) => text.split(',')) : filledTexts] as const;
  });
  return Object.fromEntries(entries.filter(([, texts]) => texts.length > 0));
}

/** Parses the parameters of every route; refuses bad ones (422). */
export function addParameterParser(app: App): void {
  app.decorateRequest('values', null);
  app.addHook('preValidation', (request, _reply, done) => {
    const { parameters } = request.routeOptions.config;
    if (parameters === undefined) return done();
    const input = { ...definedTexts(request.query, parameters), ...(request.params as object) };
    const { values, errors } = readValues(parameters, input);
    if (errors.length > 0) throw badParametersError(errors);
    request.values = values;
    done();
  });
}

/** Questions that are often the first request. */
const warmUpQuestions = ['search', 'ballots', 'feed', 'changes', 'politicians'];

/** Runs `warmUpQuestions` once: loads code and database pages before the first request. */
export async function warmUp({ reader, settings }: ServerContext): Promise<void> {
  for (const { name, parameters, isInterface } of questions.filter(({ name }) => warmUpQuestions.includes(name))) {
    const { values } = readValues(parameters, { q: 'loi' });
    const reading = readOptionsOf({ ...settings, semantic: false }, null, isInterface);
    await setImmediate();
    try {
      await reader.read({ question: name, values, reading }, { key: '' });
    } catch {
      // The next request reports the error.
    }
  }
}
