import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ConfigurationError } from '../../errors.ts';
import type { OutputSinks } from '../../format/sink.ts';
import { unlinkedText } from '../../model/attribution.ts';
import type { Mirror } from '../../store/mirror.ts';
import { citationOf } from '../../store/records/citation.ts';
import { contents, lastFilled } from '../../store/records/contents.ts';
import { say } from '../../words/speech.ts';
import type { AppOptions } from '../app.ts';
import type { RequestLog } from './request-log.ts';
import {
  failureText,
  parseBasePath,
  type ServeFlags,
  serverSettings,
  serveWarnings,
  type UserSettings,
} from './settings.ts';

/** Interval for closing idle keep-alive connections during shutdown. */
const lookMs = 50;

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

/** Input of `serve` from its command. */
export type ServeRun = {
  flags: ServeFlags;
  settings: UserSettings;
  viewerTokenFile: string;
  /** Folder of the static files of HTML pages. */
  assetsFolder: string;
  /** Version of this program. */
  version: string;
  /** Program of the reader processes. */
  readerProgram: string;
  /** Sync interval in milliseconds; null for never. */
  everyMs: number | null;
  sinks: OutputSinks;
  /** A socket that already listens; null to listen on `--host` and `--port`. */
  socket: { fd: number } | null;
  /** Command line that starts this program, for child processes. */
  program: string[];
  openMirror(): Mirror;
  /** Registers something to close when the command ends, and returns it. */
  closing<Opened extends { close(): void | Promise<void> }>(opened: Opened): Opened;
  /** Resolves with the exit code of the signal that ends the server. */
  ended(): Promise<number>;
};

/** Time for running requests to finish at shutdown. */
export const graceMs = 10_000;

/** The application over a mirror, configured by the flags of `serve`. */
export async function createServer(
  run: ServeRun,
  parts: Required<Pick<AppOptions, 'mirror' | 'observers' | 'admissions' | 'onFailure'>>,
): Promise<FastifyInstance> {
  const { createApp } = await import('../app.ts');
  return createApp({
    ...parts,
    settings: await serverSettings(run.flags, run.settings, { viewerTokenFile: run.viewerTokenFile }),
    assetsFolder: run.assetsFolder,
    readerProgram: run.readerProgram,
    assistants: run.flags.mcp ? { version: run.version } : undefined,
  });
}

/** Listens, and returns the address. */
export async function listen(
  app: FastifyInstance,
  { host, port, socket = null }: { host: string; port: number; socket?: ServeRun['socket'] },
): Promise<string> {
  return app.listen({ host, port, ...socket }).catch((error: NodeJS.ErrnoException) => {
    const where = socket ? `the socket that was opened for it` : `${host}:${port}`;
    throw new ConfigurationError(
      say`cannot listen on ${where} (${error.code ?? error.message})`,
      say`choose another port, or 0 for a free one`,
    );
  });
}

/** Prints the address on stdout; remarks and warnings on stderr. */
export async function announce(run: ServeRun, { mirror, address }: { mirror: Mirror; address: string }) {
  const { flags, settings, sinks, socket } = run;
  const records = contents(mirror).reduce((sum, each) => sum + each.records, 0);
  const found = `${address}${parseBasePath(flags['base-path'] ?? '')}`;
  await sinks.stdout.write(`${found}/api/v1\n`);
  remark(run, `serving ${records} records of ${settings.db}; Ctrl-C ends it`);
  if (flags.mcp) remark(run, `assistants ask at ${found}/mcp`);
  const host = socket ? new URL(address).hostname : flags.host;
  for (const warning of await serveWarnings({ ...flags, host })) sinks.stderr(warning);
  if (citationOf(settings, mirror).siteUrl === null) sinks.stderr(say`warning: ${unlinkedText}`);
}

/** The request log, or null without `--log`; `onFailure` writes errors to it or to stderr. */
export type Telling = { log: RequestLog | null; onFailure: (error: unknown) => void };

/** Opens the request log of `--log`. */
export async function openLog({ flags, sinks, closing }: ServeRun): Promise<Telling> {
  if (flags.log === undefined) return { log: null, onFailure: (error) => sinks.stderr(failureText(error)) };
  const { openRequestLog } = await import('./request-log.ts');
  const log = closing(await openRequestLog(flags.log, { withQuery: flags['log-query'] }));
  return { log, onFailure: log.failed };
}

/** Serves `/metrics` on a separate port. */
export async function showMetrics(
  run: ServeRun,
  page: () => Promise<string>,
  { port, onFailure }: { port: number; onFailure: (error: unknown) => void },
): Promise<void> {
  const { createMetricsApp } = await import('./metrics.ts');
  const { isLoopback } = await import('../allowed-hosts.ts');
  const host = run.flags['metrics-host'];
  const app = createMetricsApp(page, { onFailure, ...(isLoopback(host) ? { allowedHosts: [] } : {}) });
  run.closing(app);
  remark(run, `metrics on ${await listen(app, { host, port })}/metrics`);
}

/** Starts periodic syncs in child processes, which do not block requests; null without an interval. */
export async function keepFresh(
  run: ServeRun,
  { mirror, log }: { mirror: Mirror; log: RequestLog | null },
): Promise<{ stop(): Promise<void> } | null> {
  const { flags, settings, everyMs, program } = run;
  if (everyMs === null) return null;
  const { scheduleSyncs } = await import('./sync-schedule.ts');
  const { beginSyncChild } = await import('./sync-schedule.ts');
  const from = flags.from === undefined ? [] : ['--from', flags.from];
  const argv = ['--quiet', '--db', settings.db, ...from];
  return scheduleSyncs({
    everyMs,
    filledAt: () => lastFilled(mirror),
    begin: () => beginSyncChild(program, { argv, graceMs }),
    onEnd: (exit) => {
      if (log) log.note('synced', { exit });
      else remark(run, exit === 0 ? 'synced' : `a sync did not end well: exit ${exit}`);
    },
    now: Date.now,
    sleep: (ms, signal) => sleep(ms, null, { signal }),
  });
}

/** Writes a line to stderr, unless `--quiet`. */
export function remark({ flags, sinks }: ServeRun, text: string): void {
  if (!flags.quiet) sinks.stderr(text);
}
