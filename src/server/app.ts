import type { Socket } from 'node:net';
import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { maxPathLength } from '../questions/parameter-kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { loadLanguage } from '../words/speech.ts';
import { checkBeforeRouting, createOriginCheck } from './before-routing.ts';
import { type Bounds, defaultBounds } from './bounds.ts';
import { limitConnections } from './connections.ts';
import { allowsOtherOrigins, createHeaders, crossOriginHeaders } from './headers.ts';
import { addHealthRoutes } from './health.ts';
import { describeApi } from './openapi.ts';
import { addAssetRoutes, assetsPathOf } from './pages/asset-routes.ts';
import { addPageRoutes } from './pages/page-routes.ts';
import { addReferenceRoutes } from './pages/reference.ts';
import { answerWithPage, isMissingPage } from './pages/refusal.ts';
import { addWatchRoutes } from './pages/watch-routes.ts';
import { answerClientError, refusalOf, reportedRefusal, sendProblem, unknownPathError } from './problem.ts';
import { addParameterParser, addQuestionRoutes, warmUp } from './question-routes.ts';
import { createReader } from './reader-pool.ts';
import { addReconcileRoutes } from './reconcile/reconcile-routes.ts';
import { createRequestCounter, type RequestCounter } from './request-counter.ts';
import { createSlotWaiter } from './request-slots.ts';
import { type Observer, observeResponses } from './response-observers.ts';
import { createResponses } from './responses.ts';
import { memoizeLast, serveMirror } from './served-mirror.ts';
import type { ServerContext, ServerSettings } from './serving.ts';
import { addExportRoutes, addMirrorRoute } from './stream-routes.ts';

export type AppOptions = {
  /** The open mirror to begin with; a file that replaces it is opened instead. The caller closes this one last. */
  mirror: Mirror;
  settings: ServerSettings;
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Receives every error that a client sees only as 500 or 503. */
  onFailure?: (error: unknown) => void;
  observers?: Observer[];
  bounds?: Partial<Bounds>;
  /** Counts requests for rate limits; in memory by default. */
  requestCounter?: RequestCounter;
  /** Program of the reader processes, which can be killed on timeout; without it this process reads. */
  readerProgram?: string;
  /** Folder of the static files of HTML pages; without it no pages are served. */
  assetsFolder?: string;
  /** Version sent to MCP clients; without it there is no `/mcp`. */
  assistants?: { version: string } | undefined;
};

/** Returns the HTTP application over one mirror; the caller makes it listen. */
export async function createApp({
  mirror: initialMirror,
  settings,
  clock = Date.now,
  onFailure = () => {},
  observers = [],
  bounds: boundOptions = {},
  requestCounter = createRequestCounter(),
  readerProgram,
  assetsFolder,
  assistants,
}: AppOptions): Promise<App> {
  const bounds = { ...defaultBounds, ...boundOptions };
  const mirror = serveMirror(initialMirror, settings, onFailure);
  const headersFor = memoizeLast(createHeaders);
  const headers = () => headersFor(mirror.citation());
  const app = await createLimitedApp(bounds, { settings, headers });
  app.addHook('onClose', () => mirror.close());
  limitConnections(app.server, bounds, { ...settings, onFailure });
  const refuseOtherOrigins = createOriginCheck(settings.allowedHosts ?? []);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers());
    if (settings.isOperators || !allowsOtherOrigins(request)) refuseOtherOrigins(request);
    else reply.headers(crossOriginHeaders);
    done();
  });
  observeResponses(app, observers);
  addParameterParser(app);

  const waitForSlot = createSlotWaiter(app.server);
  const answers = createResponses(mirror, settings, { bounds, waitForSlot, clock });
  app.addHook('onClose', () => answers.close());
  const reader = createReader(mirror, bounds, readerProgram);
  app.addHook('onClose', () => reader.close());
  const context: ServerContext = {
    mirror,
    settings,
    assetsPath: assetsPathOf(assetsFolder),
    clock,
    onFailure,
    requestCounter,
    waitForSlot,
    answers,
    reader,
  };
  checkBeforeRouting(app, context);
  answerErrors(app, context, assetsFolder !== undefined);
  const describe = await describeApi(app, context);
  if (assetsFolder !== undefined) {
    await loadLanguage('fr');
    addAssetRoutes(app, context, assetsFolder);
    app.register(async (pages: App) => {
      pages.setErrorHandler((error, request, reply) => answerWithPage(error, request, reply, context));
      addReferenceRoutes(pages, context, describe);
      addPageRoutes(pages, context);
      if (settings.isOperators) addWatchRoutes(pages, context);
    });
  }
  addHealthRoutes(app, context);
  if (readerProgram !== undefined) app.addHook('onListen', () => void warmUp(context));
  if (assistants) await (await import('./mcp/mcp-route.ts')).addMcpRoute(app, context, assistants);
  await addReconcileRoutes(app, context);
  await app.register(
    async (api: App) => {
      for (const addRoutes of [addQuestionRoutes, addExportRoutes, addMirrorRoute]) addRoutes(api, context);
    },
    { prefix: '/api/v1' },
  );
  return app;
}

/** Answers errors outside routes, and unknown paths: with a page where a page was requested, else with a problem. */
function answerErrors(app: App, context: ServerContext, hasPages: boolean): void {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    hasPages && isMissingPage(request)
      ? answerWithPage(error, request, reply, context)
      : sendProblem(request, reply, reportedRefusal(error, context.onFailure));
  app.setErrorHandler(answer);
  app.setNotFoundHandler((request, reply) => answer(unknownPathError(), request, reply));
}

/** Returns path and query without the base path; encodes leading slashes but one: `//x` is a host to browsers. */
function requestedPath(url: string, basePath = ''): string {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '');
  const isUnderBasePath = path.startsWith(basePath) && /^[/?]|^$/.test(path.slice(basePath.length));
  const appPath = isUnderBasePath ? path.slice(basePath.length) : path;
  return appPath.replace(/^[/\\]*/, (slashes) => `/${encodeURIComponent(slashes.slice(1))}`);
}

/** Returns a Fastify application with size and time limits, whose own refusals are problem documents. */
async function createLimitedApp(
  { headerBytes, headersMs, requestMs, idleMs }: Bounds,
  { settings, headers }: { settings: ServerSettings; headers: () => Record<string, string> },
): Promise<App> {
  // Imported here, so that a bundle of the library starts without it.
  const { fastify } = await import('fastify');
  // Headers of requests refused before routing, when no hook has run.
  const earlyHeaders = () => ({ ...headers(), ...crossOriginHeaders });
  const app: App = fastify({
    logger: false,
    bodyLimit: 1024,
    trustProxy: settings.trustedProxies ?? false,
    rewriteUrl: ({ url = '/' }) => requestedPath(url, settings.basePath),
    connectionTimeout: idleMs,
    requestTimeout: requestMs,
    http: {
      maxHeaderSize: headerBytes,
      // `checkBeforeRouting` checks this and sends a problem document.
      requireHostHeader: false,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.ceil(Math.min(headersMs, requestMs) / 4),
    },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: maxPathLength },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, earlyHeaders()),
    frameworkErrors: (error, request, reply) => {
      reply.headers(earlyHeaders());
      return sendProblem(request, reply, refusalOf(error));
    },
  }).withTypeProvider();
  // Node has no other handler for CONNECT, and answers unknown expectations with 417 without a body.
  app.server.on('connect', ({ url }, socket) => {
    const rawPacket = Buffer.from(`CONNECT ${url} HTTP/1.1`);
    const error = Object.assign(new Error(), { code: 'HPE_INVALID_METHOD', rawPacket });
    answerClientError(error, socket as Socket, earlyHeaders());
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Schemas are documentation: fastify would drop every field that they do not name.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setValidatorCompiler(() => () => true); // `addParameterParser` validates
  return app;
}
