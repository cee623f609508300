import type { Socket } from 'node:net';
import type { FastifyInstance as App } from 'fastify';
import { longestPlace } from '../questions/parameter-kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { loadLanguage } from '../words/speech.ts';
import { checkBeforeRouting, createOriginCheck } from './before-routing.ts';
import { type Bounds, defaultBounds } from './bounds.ts';
import { boundConnections } from './connections.ts';
import { exportRoutes } from './export-route.ts';
import { createHeaders, crossOriginHeaders, isForPages } from './headers.ts';
import { healthRoutes } from './health.ts';
import { createKeptFiles } from './kept-files.ts';
import { limitCallers } from './limits.ts';
import { mirrorRoutes } from './mirror-route.ts';
import { type Observer, observeResponses } from './observed.ts';
import { describeApi } from './openapi.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { referenceRoutes } from './pages/reference.ts';
import { answerNoPage } from './pages/refusal.ts';
import { watchRoutes } from './pages/watch-routes.ts';
import { answerClientError, answerError, answerUnknownPath } from './problem.ts';
import { questionRoutes, readParameters, warmUp } from './question-routes.ts';
import { createReader } from './reader-pool.ts';
import { reconcileRoutes } from './reconcile/reconcile-routes.ts';
import { createSlotWaiter } from './request-slots.ts';
import { ResponseCache } from './response-cache.ts';
import { createResponses } from './responses.ts';
import { Semaphore } from './semaphore.ts';
import { onceFor, serveMirror } from './served-mirror.ts';
import type { ServerSettings, Serving } from './serving.ts';
import { type AdmissionLog, SlidingLog } from './sliding-log.ts';

export type AppOptions = {
  /** An open mirror; later the file at its path. The caller closes it, after the application. */
  mirror: Mirror;
  settings: ServerSettings;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Gets every error that a client sees only as 500 or 503. */
  onFailure?: (error: unknown) => void;
  observers?: Observer[];
  bounds?: Partial<Bounds>;
  /** Counts requests for rate limits; in memory by default. */
  admissions?: AdmissionLog;
  /** Program of the reader processes, which can be killed on timeout; without it this process reads. */
  readerProgram?: string;
  /** Folder of the static files of HTML pages; without it no pages are served. */
  assetsFolder?: string;
  /** Version sent to MCP clients; without it there is no `/mcp`. */
  assistants?: { version: string } | undefined;
};

/** Returns the HTTP application over one mirror; the caller makes it listen. */
export async function createApp({
  mirror: first,
  settings,
  clock = Date.now,
  onFailure = () => {},
  observers = [],
  bounds: boundOptions = {},
  admissions = new SlidingLog(clock),
  readerProgram,
  assetsFolder,
  assistants,
}: AppOptions): Promise<App> {
  const bounds = { ...defaultBounds, ...boundOptions };
  const mirror = serveMirror(first, settings, onFailure);
  const headersFor = onceFor(createHeaders);
  const headers = () => headersFor(mirror.citation());
  const app = await createBounded(bounds, { settings, headers });
  app.addHook('onClose', () => mirror.close());
  boundConnections(app.server, bounds, { ...settings, onFailure });
  const refuseOtherOrigins = createOriginCheck(settings.allowedHosts ?? []);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers());
    if (settings.isOperators || !isForPages(request)) refuseOtherOrigins(request);
    else reply.headers(crossOriginHeaders);
    done();
  });
  observeResponses(app, observers);
  checkBeforeRouting(app, settings);
  readParameters(app);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, onFailure));

  const waitForSlot = createSlotWaiter(app.server);
  const cache = new ResponseCache(bounds.cacheBytes);
  const exports = new Semaphore({ most: bounds.exports, mostOfOne: bounds.exportsOfOne });
  const files = createKeptFiles();
  app.addHook('onClose', () => files.close());
  const answers = createResponses(mirror, settings, { cache, waitForSlot, exports, files, clock });
  const reader = createReader(mirror, bounds, readerProgram);
  app.addHook('onClose', () => reader.close());
  const serving: Serving = {
    mirror,
    settings,
    clock,
    onFailure,
    admissions,
    waitForSlot,
    answers,
    reader,
  };
  const refuse = assetsFolder === undefined ? answerUnknownPath : answerNoPage;
  app.setNotFoundHandler((request, reply) => refuse(request, reply, serving));
  const describe = await describeApi(app, serving);
  if (assetsFolder !== undefined) {
    await loadLanguage('fr');
    referenceRoutes(app, serving, { assetsFolder, describe });
    pageRoutes(app, serving);
    if (settings.isOperators) watchRoutes(app, serving);
  }
  healthRoutes(app, serving);
  if (readerProgram !== undefined) app.addHook('onListen', () => void warmUp(serving));
  if (assistants) await (await import('./mcp/mcp-route.ts')).mcpRoute(app, serving, assistants);
  await reconcileRoutes(app, serving);
  await app.register(
    async (api: App) => {
      limitCallers(api, serving);
      api.setNotFoundHandler(answerUnknownPath);
      for (const routes of [questionRoutes, exportRoutes, mirrorRoutes]) routes(api, serving);
    },
    { prefix: '/api/v1' },
  );
  return app;
}

/** Returns path and query without the base path, with one leading slash: a browser takes `//x` or `/\\x` for a host. */
function requestedPath(url: string, basePath = ''): string {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '');
  const isBelow = path.startsWith(basePath) && /^[/?]|^$/.test(path.slice(basePath.length));
  return (isBelow ? path.slice(basePath.length) : path).replace(
    /^[/\\]*/,
    (all) => `/${encodeURIComponent(all.slice(1))}`,
  );
}

/** Returns a Fastify application with size and time limits, whose own refusals are problem documents. */
async function createBounded(
  { headerBytes, headersMs, requestMs, silenceMs }: Bounds,
  { settings, headers }: { settings: ServerSettings; headers: () => Record<string, string> },
): Promise<App> {
  // Imported here, so that a bundle of the library starts without it.
  const { fastify } = await import('fastify');
  // Headers of requests refused before routing, when no hook has run.
  const early = () => ({ ...headers(), ...crossOriginHeaders });
  const app: App = fastify({
    logger: false,
    bodyLimit: 1024,
    trustProxy: settings.trustedProxies ?? false,
    rewriteUrl: ({ url = '/' }) => requestedPath(url, settings.basePath),
    connectionTimeout: silenceMs,
    requestTimeout: requestMs,
    http: {
      maxHeaderSize: headerBytes,
      // `checkBeforeRouting` checks this and sends a problem document.
      requireHostHeader: false,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.ceil(Math.min(headersMs, requestMs) / 4),
    },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: longestPlace },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, early()),
    frameworkErrors: (error, request, reply) => {
      reply.headers(early());
      return answerError(error, request, reply);
    },
  }).withTypeProvider();
  // Node has no other handler for CONNECT, and answers unknown expectations with 417 without a body.
  app.server.on('connect', ({ url }, socket) => {
    const rawPacket = Buffer.from(`CONNECT ${url} HTTP/1.1`);
    const error = Object.assign(new Error(), { code: 'HPE_INVALID_METHOD', rawPacket });
    answerClientError(error, socket as Socket, early());
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Schemas are documentation: fastify would drop every field that they do not name.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  // `readParameters` validates.
  app.setValidatorCompiler(() => () => true);
  return app;
}
