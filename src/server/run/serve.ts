import { once } from 'node:events';
import { statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ConfigurationError } from '../../errors.ts';
import { unlinkedText } from '../../model/attribution.ts';
import { followMirrorFile } from '../../store/followed-mirror.ts';
import type { Mirror } from '../../store/mirror.ts';
import { isOlder } from '../../store/mirror-file.ts';
import { openWritableMirror } from '../../store/open.ts';
import { hasDue } from '../../store/outbox.ts';
import { citationOf } from '../../store/records/citation.ts';
import { contents, lastFilled } from '../../store/records/contents.ts';
import { openWatchesIfAny } from '../../store/watch-book.ts';
import { say } from '../../words/speech.ts';
import type { AppOptions } from '../app.ts';
import { openAdmissions } from './limit-store.ts';
import type { AnswerCounter } from './metrics.ts';
import { openServerLog, type ServerLog } from './request-log.ts';
import { parseBasePath, parseOperatorPort, type ServeRun, serverSettings, serveWarning } from './settings.ts';

/** Time for running requests to finish at shutdown. */
const graceMs = 10_000;

/** Interval for closing idle keep-alive connections during shutdown. */
const lookMs = 50;

/** Serves from this process, or from workers, until a signal ends it; returns the exit code. */
export async function serve(run: ServeRun): Promise<number> {
  const { flags, settings, sinks } = run;
  // A server that syncs first creates the mirror or migrates its schema.
  if (run.everyMs !== null) openWritableMirror(settings.db).close();
  const mirror = run.openMirror();
  const log = await openServerLog(run);
  const counter = await openOperator(run, mirror, log);
  // Before it listens, because a signal may arrive as soon as the first worker answers, and must shut down gracefully.
  const ended = run.ended();
  const admissions = await openAdmissions(run, log);
  const server =
    flags.workers === 1
      ? await listenHere(run, { mirror, admissions, log, counter })
      : await (await import('./worker-pool.ts')).startWorkers(flags.workers, {
          admissions,
          graceMs,
          onEnd: (reason) => sinks.stderr(reason),
        });
  // The worker has printed the reason.
  if ('exit' in server) return server.exit;
  await announce(run, mirror, server.address);
  const schedule = await keepFresh(run, mirror, log);
  const exit = await ended;
  await Promise.all([server.stop(), schedule?.stop()]);
  return exit;
}

/** Serves as a worker, with rate limits counted in the primary process, until that process ends it. */
export async function serveAsWorker(run: ServeRun): Promise<void> {
  const { admissionsOfPrimary, endOfWorker, sendAddress } = await import('./worker-pool.ts');
  const mirror = run.openMirror();
  const log = await openServerLog(run);
  const isCounted = run.flags['operator-port'] !== undefined;
  const counter = isCounted ? (await import('./metrics.ts')).countForPrimary() : null;
  const ended = endOfWorker();
  const server = await listenHere(run, { mirror, admissions: admissionsOfPrimary(), log, counter });
  sendAddress(server.address);
  await ended;
  await server.stop();
}

async function listenHere(
  run: ServeRun,
  {
    log,
    counter,
    ...parts
  }: Required<Pick<AppOptions, 'mirror' | 'admissions'>> & { log: ServerLog; counter: AnswerCounter | null },
) {
  const { createApp } = await import('../app.ts');
  const { flags } = run;
  const app = await createApp({
    ...parts,
    onFailure: log.failed,
    observers: [log, counter].flatMap((each) => each?.answered ?? []),
    settings: serverSettings(run),
    assetsFolder: run.assetsFolder,
    readerProgram: run.readerProgram,
    assistants: flags.mcp ? { version: run.version } : undefined,
  });
  return {
    address: await listen(app, { host: flags.host, port: flags.port }),
    stop: () => closeGracefully(app, graceMs),
  };
}

/** Stops accepting connections, finishes running requests, and cuts them after `graceMs`. */
export async function closeGracefully(app: FastifyInstance, graceMs: number): Promise<void> {
  const { server } = app;
  // `app.close()` closes only connections that are idle when it is called.
  const look = setInterval(() => server.closeIdleConnections(), lookMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(look);
    clearTimeout(cut);
  }
}

/** Listens and returns the address; replaces the socket of a killed server. Throws a ConfigurationError. */
async function listen(
  app: FastifyInstance,
  endpoint: { host: string; port: number } | { path: string },
): Promise<string> {
  if ('path' in endpoint && (await isLeftSocket(endpoint.path))) unlinkSync(endpoint.path);
  return app.listen(endpoint).catch((error: NodeJS.ErrnoException) => {
    const [where, hint] =
      'port' in endpoint
        ? [`${endpoint.host}:${endpoint.port}`, say`choose another port, or 0 for a free one`]
        : [endpoint.path, null];
    throw new ConfigurationError(say`cannot listen on ${where} (${error.code ?? error.message})`, hint);
  });
}

/** True for a Unix socket without a listener. */
async function isLeftSocket(path: string): Promise<boolean> {
  if (!statSync(path, { throwIfNoEntry: false })?.isSocket()) return false;
  const socket = connect(path);
  const answer = await once(socket, 'connect').catch((error: NodeJS.ErrnoException) => error.code);
  socket.destroy();
  return answer === 'ECONNREFUSED';
}

const olderMirrorWarning = say`warning: an older Hemicycle wrote the mirror; until a sync or import upgrades it, exports and past states copy it whole and delay other requests`;

async function announce(run: ServeRun, mirror: Mirror, address: string): Promise<void> {
  const { flags, settings, sinks, remark } = run;
  const records = contents(mirror).reduce((sum, each) => sum + each.records, 0);
  const baseUrl = `${address}${parseBasePath(flags['base-path'] ?? '')}`;
  await sinks.stdout.write(`${baseUrl}/api/v1\n`);
  remark(`serving ${records} records of ${settings.db}; Ctrl-C ends it`);
  if (flags.mcp) remark(`assistants ask at ${baseUrl}/mcp`);
  const warning = serveWarning(flags);
  if (warning !== null) sinks.stderr(warning);
  if (isOlder(settings.db)) sinks.stderr(olderMirrorWarning);
  if (citationOf(settings, mirror).siteUrl === null) sinks.stderr(say`warning: ${unlinkedText}`);
}

/** Opens the operator's listener, if configured; returns the counter of this process's responses for its `/metrics`. */
async function openOperator(run: ServeRun, mirror: Mirror, log: ServerLog): Promise<AnswerCounter | null> {
  const { flags, assetsFolder, closing } = run;
  const where = flags['operator-port'];
  if (where === undefined) return null;
  const { countAnswers, gaugeMirror, metricsRoute, textOfWorkers } = await import('./metrics.ts');
  const { createApp } = await import('../app.ts');
  const own = { isOperators: true, rateLimit: false, allowedHosts: [], trustedProxies: [], basePath: '' };
  const app = await createApp({
    mirror,
    assetsFolder,
    onFailure: log.failed,
    settings: { ...serverSettings(run), ...own },
  });
  closing(app);
  const counter = flags.workers === 1 ? countAnswers() : null;
  const { current } = closing(followMirrorFile(mirror));
  metricsRoute(app, [counter?.text ?? textOfWorkers(), gaugeMirror(current, Date.now)]);
  run.remark(`/metrics and /watches on ${await listen(app, parseOperatorPort(where))}`);
  return counter;
}

/** Interval of checks for messages whose delivery is due again, between syncs. */
const retryMs = 60_000;

/** Starts periodic syncs with watches, and retries of their messages, in child processes; null without an interval. */
async function keepFresh({ flags, settings, everyMs, program }: ServeRun, mirror: Mirror, log: ServerLog) {
  if (everyMs === null) return null;
  const { beginChild, scheduleRuns } = await import('./sync-schedule.ts');
  const from = flags.from === undefined ? [] : ['--from', flags.from];
  const begin = (...words: string[]) =>
    beginChild(program, { argv: [...words, '--quiet', '--db', settings.db], graceMs });
  const timing = { now: Date.now, sleep: (ms: number, signal: AbortSignal) => sleep(ms, null, { signal }) };
  const syncs = scheduleRuns({
    everyMs,
    lastAt: () => lastFilled(mirror),
    begin: () => begin('sync', '--watch', ...from),
    onEnd: (exit) => log.ended('sync', exit),
    ...timing,
  });
  const retries = scheduleRuns({
    everyMs: retryMs,
    lastAt: () => new Date().toISOString(),
    begin: () => (hasDueMessages(settings.db) ? begin('watch', 'run', '--wait-lock', '1m') : null),
    onEnd: (exit) => log.ended('watch run', exit),
    ...timing,
  });
  return { stop: () => Promise.all([syncs.stop(), retries.stop()]) };
}

function hasDueMessages(db: string): boolean {
  const book = openWatchesIfAny(db);
  const isDue = book !== null && hasDue(book, new Date().toISOString());
  book?.close();
  return isDue;
}
