import Fastify, { type FastifyInstance } from 'fastify';
import type { Mirror } from '../store/mirror.ts';
import { refuseOtherHosts } from './allowed-hosts.ts';
import { type Answered, observeAnswers } from './answered.ts';
import { createAnswers } from './answers.ts';
import { type Bounds, defaultBounds } from './bounds.ts';
import { createEditionReader } from './edition-reader.ts';
import type { App } from './framework.ts';
import { Front } from './front.ts';
import { createHeaders } from './headers.ts';
import { limitCallers } from './limits.ts';
import { refuseOtherMethods } from './methods.ts';
import { describeApi } from './openapi.ts';
import { homeRoutes } from './pages/home.ts';
import { referenceRoutes } from './pages/reference.ts';
import { longestName } from './parameter-schemas.ts';
import { readParameters } from './parameters.ts';
import { answerClientError, answerError, answerUnknownPath, refuseLongAddress } from './problem.ts';
import { auditRoutes } from './routes/audit.ts';
import { exportRoutes } from './routes/export.ts';
import { feedRoutes } from './routes/feed.ts';
import { healthRoutes } from './routes/health.ts';
import { partyRoutes } from './routes/parties.ts';
import { politicianRoutes } from './routes/politicians.ts';
import { searchRoutes } from './routes/search.ts';
import { voteRoutes } from './routes/votes.ts';
import { searchHere } from './search-text.ts';
import { Searchers } from './searchers.ts';
import type { ServerSettings, Serving } from './serving.ts';
import { type AdmissionLog, SlidingLog } from './sliding-log.ts';

export type AppOptions = {
  /** An open mirror; whoever opened it closes it, after the application. */
  mirror: Mirror;
  settings: ServerSettings;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Is told of every error that a caller sees only as 500 or 503. */
  onFailure?: (error: unknown) => void;
  /** Are told of every answer. */
  observers?: ((answered: Answered) => void)[];
  bounds?: Partial<Bounds>;
  /** Where requests are counted; in this process's memory where it is not stated. */
  admissions?: AdmissionLog;
  /** The program of processes that search, so that a long search can be cut; without it they run in this process. */
  searchProgram?: string;
  /** The folder of the files that pages for people load; without it there are none. */
  assetsFolder?: string;
};

const apiRoutes = [
  politicianRoutes,
  partyRoutes,
  searchRoutes,
  feedRoutes,
  voteRoutes,
  exportRoutes,
  auditRoutes,
];

/** The whole service over one mirror, ready to listen; it never listens itself. */
export async function createApp({
  mirror,
  settings,
  clock = Date.now,
  onFailure = () => {},
  observers = [],
  bounds: stated = {},
  admissions = new SlidingLog(clock),
  searchProgram,
  assetsFolder,
}: AppOptions): Promise<FastifyInstance> {
  const bounds = { ...defaultBounds, ...stated };
  const { connections, headerBytes, headersMs, requestMs, silenceMs, cacheBytes } = bounds;
  const headers = createHeaders(settings.citation);
  const app: App = Fastify({
    logger: false,
    bodyLimit: 1024,
    trustProxy: settings.trustedProxies ?? false,
    connectionTimeout: silenceMs,
    requestTimeout: requestMs,
    http: {
      maxHeaderSize: headerBytes,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.ceil(Math.min(headersMs, requestMs) / 4),
    },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: longestName },
    ajv: { customOptions: { allErrors: true, coerceTypes: true, keywords: ['style', 'explode'] } },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers);
      return answerError(error, request, reply);
    },
  }).withTypeProvider();
  app.server.maxConnections = connections;
  // Answers are text when they reach fastify: schemas describe them and must never cut a field away.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  observeAnswers(app, observers);
  app.addHook('onRequest', refuseLongAddress);
  if (settings.allowedHosts) refuseOtherHosts(app, settings.allowedHosts);
  refuseOtherMethods(app);
  app.addHook('preValidation', readParameters);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, onFailure));
  app.setNotFoundHandler(answerUnknownPath);

  const edition = createEditionReader(mirror);
  // A caller whose requests are counted is told in every answer what is left.
  const front = settings.rateLimit
    ? null
    : new Front({ edition, allowedHosts: settings.allowedHosts, observers });
  front?.putBefore(app.server);
  app.addHook('preClose', async () => front?.close());
  const answers = createAnswers(mirror, settings, { cacheBytes, edition, front });
  const searcher =
    searchProgram === undefined
      ? searchHere(mirror)
      : new Searchers({
          program: searchProgram,
          mirrorPath: mirror.path,
          most: bounds.searches,
          limitMs: bounds.searchMs,
        });
  app.addHook('onClose', () => searcher.close());
  const serving: Serving = { mirror, settings, clock, onFailure, admissions, answers, bounds, searcher };
  await describeApi(app, serving);
  homeRoutes(app, serving, { withPage: assetsFolder !== undefined });
  if (assetsFolder !== undefined) referenceRoutes(app, serving, assetsFolder);
  healthRoutes(app, serving);
  await app.register(
    async (api: App) => {
      await limitCallers(api, serving);
      api.setNotFoundHandler(answerUnknownPath);
      for (const routes of apiRoutes) routes(api, serving);
    },
    { prefix: '/api/v1' },
  );
  return app as unknown as FastifyInstance;
}
