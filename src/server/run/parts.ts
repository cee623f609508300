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

/** How soon a connection is closed that was kept alive behind its last answer. */
const lookMs = 50;

/** Ends a server: nothing new is taken, what is being answered is finished, and cut after `graceMs`. */
export async function closeGracefully(app: FastifyInstance, graceMs: number): Promise<void> {
  const { server } = app;
  // Closing ends those connections only that are idle at its beginning.
  const look = setInterval(() => server.closeIdleConnections(), lookMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(look);
    clearTimeout(cut);
  }
}

/** What a run of `serve` is given by its command. */
export type ServeRun = {
  flags: ServeFlags;
  settings: UserSettings;
  viewerTokenFile: string;
  /** The folder of the files that pages for people load. */
  assetsFolder: string;
  /** Of this program. */
  version: string;
  /** The program of the processes that search. */
  readerProgram: string;
  /** How often to sync, in milliseconds, or null for never. */
  everyMs: number | null;
  sinks: OutputSinks;
  /** A socket that listens already, or null to listen on `--host` and `--port`. */
  socket: { fd: number } | null;
  /** What starts another command of this program. */
  program: string[];
  openMirror(): Mirror;
  /** Has something closed when the command ends. */
  closing<Opened extends { close(): void | Promise<void> }>(opened: Opened): Opened;
  /** Resolves with the exit code of the signal that ends the server. */
  ended(): Promise<number>;
};

/** How long answers that are being sent may take once the server is to end. */
export const graceMs = 10_000;

/** The application over a mirror, with what its flags ask for. */
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

/** Prints the address, and says what is served and what should be known about it. */
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

/** The log of answers, or null, and who is told of what goes wrong. */
export type Telling = { log: RequestLog | null; onFailure: (error: unknown) => void };

/** Opens the log, if there is to be one. */
export async function openLog({ flags, sinks, closing }: ServeRun): Promise<Telling> {
  if (flags.log === undefined) return { log: null, onFailure: (error) => sinks.stderr(failureText(error)) };
  const { openRequestLog } = await import('./request-log.ts');
  const log = closing(await openRequestLog(flags.log, { withQuery: flags['log-query'] }));
  return { log, onFailure: log.failed };
}

/** Shows a page of metrics on a port of its own. */
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

/** Syncs again and again in a process of its own, so that no caller waits for it; null if nobody asked for that. */
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

/** Says something on stderr, unless it shall be quiet. */
export function remark({ flags, sinks }: ServeRun, text: string): void {
  if (!flags.quiet) sinks.stderr(text);
}
