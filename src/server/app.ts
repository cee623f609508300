import type { FastifyInstance as App } from 'fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { longestPlace } from '../questions/parameter-kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { refuseOtherHosts } from './allowed-hosts.ts';
import { readHere } from './answer-text.ts';
import { type Bounds, defaultBounds } from './bounds.ts';
import { createEditionReader } from './edition-reader.ts';
import { exportRoutes } from './export-route.ts';
import { Front } from './front.ts';
import { createHeaders } from './headers.ts';
import { healthRoutes } from './health.ts';
import { limitCallers } from './limits.ts';
import { refuseOtherMethods } from './methods.ts';
import { type Observed, observeResponses } from './observed.ts';
import { describeApi } from './openapi.ts';
import { homeRoutes } from './pages/home.ts';
import { referenceRoutes } from './pages/reference.ts';
import { answerClientError, answerError, answerUnknownPath, refuseLongAddress } from './problem.ts';
import { questionRoutes, readParameters } from './question-routes.ts';
import { ReaderPool } from './reader-pool.ts';
import { ResponseCache } from './response-cache.ts';
import { createResponses } from './responses.ts';
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
  observers?: ((answered: Observed) => void)[];
  bounds?: Partial<Bounds>;
  /** Where requests are counted; in this process's memory where it is not stated. */
  admissions?: AdmissionLog;
  /** The program of processes that read, so that what takes long can be cut; without it this process reads. */
  readerProgram?: string;
  /** The folder of the files that pages for people load; without it there are none. */
  assetsFolder?: string;
};

const apiRoutes = [questionRoutes, exportRoutes];

/** The whole service over one mirror, ready to listen; it never listens itself. */
export async function createApp({
  mirror,
  settings,
  clock = Date.now,
  onFailure = () => {},
  observers = [],
  bounds: stated = {},
  admissions = new SlidingLog(clock),
  readerProgram,
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
    routerOptions: { maxParamLength: longestPlace },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers);
      return answerError(error, request, reply);
    },
  }).withTypeProvider();
  app.server.maxConnections = connections;
  // Responses are text when they reach fastify: schemas describe them and must never cut a field away.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  // What is described is read by `readParameters`, once.
  app.setValidatorCompiler(() => () => true);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  observeResponses(app, observers);
  app.addHook('onRequest', refuseLongAddress);
  if (settings.allowedHosts) refuseOtherHosts(app, settings.allowedHosts);
  refuseOtherMethods(app);
  readParameters(app);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, onFailure));
  app.setNotFoundHandler(answerUnknownPath);

  const edition = createEditionReader(mirror);
  const cache = new ResponseCache(cacheBytes);
  // A caller whose requests are counted is told in every answer what is left.
  const front = settings.rateLimit
    ? null
    : new Front({ cache, edition, allowedHosts: settings.allowedHosts, observers });
  front?.putBefore(app.server);
  app.addHook('preClose', async () => front?.close());
  const answers = createResponses(mirror, settings, { cache, edition, front });
  const reader =
    readerProgram === undefined
      ? readHere(mirror)
      : new ReaderPool({
          program: readerProgram,
          mirrorPath: mirror.path,
          most: bounds.readers,
          limitMs: bounds.readMs,
        });
  app.addHook('onClose', () => reader.close());
  const serving: Serving = { mirror, settings, clock, onFailure, admissions, answers, bounds, reader };
  await describeApi(app, serving);
  homeRoutes(app, serving, { withPage: assetsFolder !== undefined });
  if (assetsFolder !== undefined) referenceRoutes(app, serving, assetsFolder);
  healthRoutes(app, serving);
  await app.register(
    async (api: App) => {
      limitCallers(api, serving);
      api.setNotFoundHandler(answerUnknownPath);
      for (const routes of apiRoutes) routes(api, serving);
    },
    { prefix: '/api/v1' },
  );
  return app as unknown as FastifyInstance;
}
