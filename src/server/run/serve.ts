import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigurationError, orNull } from '../../errors.ts';
import { withObject } from '../../export/bucket.ts';
import { unlinkedText } from '../../model/attribution.ts';
import { readCommuneLines } from '../../questions/places.ts';
import { isLoopback } from '../../service/public-address.ts';
import { followMirrorFile } from '../../store/followed-mirror.ts';
import { type Mirror, whileOpen } from '../../store/mirror.ts';
import { needsMigration } from '../../store/mirror-file.ts';
import { openWritableMirror } from '../../store/open.ts';
import { hasDueMessage } from '../../store/outbox.ts';
import { citationOf, lastFilledAt, readContents } from '../../store/records/contents.ts';
import { openWatchesIfAny } from '../../store/watch-book.ts';
import { amount, say } from '../../words/speech.ts';
import type { AppOptions } from '../app.ts';
import { openRequestCounter } from './limit-store.ts';
import type { ResponseCounter } from './metrics.ts';
import { openServerLog, type ServerLog } from './request-log.ts';
import { bucketAccess, parseBasePath, parseOperatorPort, type ServeRun, serverSettings } from './settings.ts';

/** Time for running requests to finish at shutdown. */
const graceMs = 10_000;

/** Interval for closing idle keep-alive connections during shutdown. */
const idleCloseMs = 50;

/** Serves from this process, or from workers, until a signal ends it; returns the exit code. */
export async function serve(run: ServeRun): Promise<number> {
  const { flags, settings, sinks } = run;
  if (flags['check-config']) return checkConfiguration(run);
  // A server that syncs first creates the mirror or migrates its schema.
  if (run.everyMs !== null) openWritableMirror(settings.db).close();
  const log = await openServerLog(run);
  if (flags.edition !== undefined) await (await import('./edition-updates.ts')).followEdition(run, log);
  const mirror = run.openMirror();
  const responseCounter = await openOperatorServer(run, mirror, log);
  // Handle signals before listening: one that arrives once the first worker answers must shut down gracefully.
  const endSignal = run.waitForSignal();
  const requestCounter = await openRequestCounter(run, log);
  const server =
    flags.workers === 1
      ? await listenInThisProcess(run, { mirror, requestCounter, log, responseCounter })
      : await (await import('./worker-pool.ts')).startWorkers(flags.workers, {
          requestCounter,
          graceMs,
          onEnd: (reason) => sinks.stderr(reason),
        });
  // The worker that failed has printed the reason.
  if ('exit' in server) return server.exit;
  await announce(run, mirror, server.address);
  const schedule = await scheduleSyncs(run, mirror, log);
  const exit = await endSignal;
  await Promise.all([server.stop(), schedule?.stop()]);
  return exit;
}

/** Checks flags, log, limit store, communes and mirror without listening; throws the error of the first fault. */
async function checkConfiguration(run: ServeRun): Promise<number> {
  serverSettings(run);
  if (run.flags['operator-port'] !== undefined) parseOperatorPort(run.flags['operator-port']);
  const { host } = run.flags;
  await lookup(host).catch(({ code }) => {
    throw new ConfigurationError(say`cannot listen on ${host} (${code})`, null);
  });
  await openRequestCounter(run, await openServerLog(run));
  if (run.settings.places !== null) readCommuneLines(run.settings.places);
  // A server that syncs creates its mirror, and one of editions fetches it.
  if (run.flags.edition !== undefined) await withObject(run.flags.edition, bucketAccess, async () => {});
  else if (run.everyMs === null) run.openMirror();
  await run.sinks.stdout.write(`${say`the configuration is usable`}\n`);
  return 0;
}

/** Serves as a worker, with rate limits counted in the primary process, until that process ends it. */
export async function serveAsWorker(run: ServeRun): Promise<void> {
  const { connectToPrimary } = await import('./worker-pool.ts');
  const mirror = run.openMirror();
  const log = await openServerLog(run);
  const isCounted = run.flags['operator-port'] !== undefined;
  const responseCounter = isCounted ? (await import('./metrics.ts')).createWorkerCounter() : null;
  const { requestCounter, sendAddress, ended } = connectToPrimary();
  const server = await listenInThisProcess(run, { mirror, requestCounter, log, responseCounter });
  await sendAddress(server.address);
  await ended;
  await server.stop();
}

type ListenOptions = Required<Pick<AppOptions, 'mirror' | 'requestCounter'>> & {
  log: ServerLog;
  responseCounter: ResponseCounter | null;
};

async function listenInThisProcess(run: ServeRun, { log, responseCounter, ...appOptions }: ListenOptions) {
  const { createApp } = await import('../app.ts');
  const { host, port, mcp } = run.flags;
  const app = await createApp({
    ...appOptions,
    onFailure: log.logError,
    observers: [log, responseCounter].flatMap((each) => each?.observe ?? []),
    settings: serverSettings(run),
    assetsFolder: run.assetsFolder,
    readerProgram: run.readerProgram,
    assistants: mcp ? { version: run.version } : undefined,
  });
  return { address: await listen(app, { host, port }), stop: () => closeGracefully(app, graceMs) };
}

/** Stops accepting connections, waits for running requests, and closes their connections after `graceMs`. */
export async function closeGracefully(app: FastifyInstance, graceMs: number): Promise<void> {
  const { server } = app;
  // `app.close()` closes only connections that are idle when it is called.
  using _idleTimer = setInterval(() => server.closeIdleConnections(), idleCloseMs);
  using _forceTimer = setTimeout(() => server.closeAllConnections(), graceMs);
  await app.close();
}

/** Listens and returns the address; replaces the socket of a killed server. Throws a ConfigurationError. */
async function listen(app: FastifyInstance, endpoint: { host: string; port: number } | { path: string }) {
  if ('path' in endpoint && (await isStaleSocket(endpoint.path))) unlinkSync(endpoint.path);
  return app.listen(endpoint).catch((error: NodeJS.ErrnoException) => {
    const [address, hint] =
      'port' in endpoint
        ? [`${endpoint.host}:${endpoint.port}`, say`choose another port, or 0 for a free one`]
        : [endpoint.path, null];
    throw new ConfigurationError(say`cannot listen on ${address} (${error.code ?? error.message})`, hint);
  });
}

/** True for a Unix socket without a listener. */
async function isStaleSocket(path: string): Promise<boolean> {
  if (!statSync(path, { throwIfNoEntry: false })?.isSocket()) return false;
  const socket = connect(path);
  const answer = await once(socket, 'connect').catch((error: NodeJS.ErrnoException) => error.code);
  socket.destroy();
  return answer === 'ECONNREFUSED';
}

async function announce(run: ServeRun, mirror: Mirror, address: string): Promise<void> {
  const { flags, settings, sinks, remark } = run;
  const records = readContents(mirror).reduce((sum, each) => sum + each.records, 0);
  const baseUrl = `${address}${parseBasePath(flags['base-path'] ?? '')}`;
  await sinks.stdout.write(`${baseUrl}/api/v1\n`);
  remark(say`serving ${amount(records, 'record')} of ${settings.db}; Ctrl-C ends it`);
  if (flags.mcp) remark(say`assistants ask at ${`${baseUrl}/mcp`}`);
  const limit = flags['rate-limit'] === 'on' ? say`within the limits` : say`without any limit (--rate-limit off)`;
  if (!isLoopback(flags.host))
    sinks.stderr(
      say`warning: listening on ${flags.host}, beyond this machine: whoever reaches it may ask, ${limit}; --host 127.0.0.1 keeps it here`,
    );
  if (needsMigration(settings.db))
    sinks.stderr(
      say`warning: an older Hemicycle wrote the mirror; until a sync or import upgrades it, exports and past states copy it whole and delay other requests`,
    );
  if (settings.places && !orNull(() => readCommuneLines(settings.places!), ConfigurationError))
    sinks.stderr(say`warning: ${settings.places} is no table of communes; searches and suggestions work without it`);
  if (citationOf(settings, mirror).siteUrl === null) sinks.stderr(say`warning: ${unlinkedText}`);
}

/** Opens the operator's listener, if configured; returns the response counter of this process, null with workers. */
async function openOperatorServer(run: ServeRun, mirror: Mirror, log: ServerLog): Promise<ResponseCounter | null> {
  const { flags, assetsFolder, closeAtEnd } = run;
  const operatorPort = flags['operator-port'];
  if (operatorPort === undefined) return null;
  const { createResponseCounter, createMirrorGauges, addMetricsRoute, createWorkerMetricsReader } = await import(
    './metrics.ts'
  );
  const { createApp } = await import('../app.ts');
  const operatorSettings = { isOperators: true, rateLimit: false, allowedHosts: [], trustedProxies: [], basePath: '' };
  const settings = { ...serverSettings(run), ...operatorSettings };
  const app = await createApp({ mirror, assetsFolder, onFailure: log.logError, settings });
  closeAtEnd(app);
  const counter = flags.workers === 1 ? createResponseCounter() : null;
  const { current } = closeAtEnd(followMirrorFile(mirror));
  addMetricsRoute(app, [counter?.text ?? createWorkerMetricsReader(), createMirrorGauges(current, Date.now)]);
  run.remark(say`/metrics and /watches on ${await listen(app, parseOperatorPort(operatorPort))}`);
  return counter;
}

/** Interval of checks for messages whose delivery is due again, between syncs. */
const messageRetryMs = 60_000;

/** Starts periodic syncs with watches, and retries of undelivered messages, as child processes; null if never. */
async function scheduleSyncs({ flags, settings, everyMs, program }: ServeRun, mirror: Mirror, log: ServerLog) {
  if (everyMs === null) return null;
  const { startChild, scheduleRuns } = await import('./sync-schedule.ts');
  const fromArgs = flags.from === undefined ? [] : ['--from', flags.from];
  const startCommand = (...args: string[]) =>
    startChild(program, { argv: [...args, '--quiet', '--db', settings.db], graceMs });
  const syncs = scheduleRuns({
    everyMs,
    lastEndedAt: () => lastFilledAt(mirror),
    startRun: () => startCommand('sync', '--watch', ...fromArgs),
    onEnd: (exit) => log.logExit('sync', exit),
  });
  const retries = scheduleRuns({
    everyMs: messageRetryMs,
    lastEndedAt: () => new Date().toISOString(), // the first check follows after one interval
    startRun() {
      const book = openWatchesIfAny(settings.db);
      const isDue = book !== null && whileOpen(book, () => hasDueMessage(book, new Date().toISOString()));
      return isDue ? startCommand('watch', 'run', '--wait-lock', '1m') : null;
    },
    onEnd: (exit) => log.logExit('watch run', exit),
  });
  return { stop: () => Promise.all([syncs.stop(), retries.stop()]) };
}
