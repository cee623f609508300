import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { ConfigurationError, UsageError } from '../../errors.ts';
import type { OutputSinks } from '../../format/sink.ts';
import { durationMs } from '../../model/moment.ts';
import { createQueryModel } from '../../questions/query-vector.ts';
import { isLoopback } from '../../service/public-address.ts';
import type { Mirror } from '../../store/mirror.ts';
import type { CitationSettings } from '../../store/records/contents.ts';
import { readExportedFile } from '../../store/statements/statement.ts';
import { type ShownText, say } from '../../words/speech.ts';
import type { ServerSettings } from '../serving.ts';

/** The parsed flags of `serve`, with defaults. */
export type ServeFlags = Record<'host' | 'rate-limit' | 'limit-store-down', string> &
  Record<'port' | 'workers', number> &
  Record<'check-config' | 'log-query' | 'mcp', boolean> &
  Partial<Record<'trust-proxy' | 'allow-host' | 'base-path' | 'operator-port' | 'limit-store', string>> &
  Partial<Record<'edition' | 'from' | 'log' | 'sql', string>> &
  Partial<Record<'edition-every', number>>;

/** The user's settings that a server needs. */
export type UserSettings = CitationSettings & {
  db: string;
  groupOrder: readonly string[] | null;
  semanticSearch: boolean;
  questions: string | null; // folder of saved questions
  places: string | null; // table of communes (CSV)
  embeddings: { url: string; model: string; key: string | null } | null;
};

/** Input of `serve` from its command. */
export type ServeRun = {
  flags: ServeFlags;
  settings: UserSettings;
  viewerTokenFile: string;
  assetsFolder: string;
  version: string;
  readerProgram: string;
  /** Sync interval in milliseconds; null for never. */
  everyMs: number | null;
  sinks: OutputSinks;
  /** Writes a line to stderr, unless `--quiet`. */
  remark(text: ShownText): void;
  /** Command line that starts this program, for child processes. */
  program: string[];
  openMirror(): Mirror;
  /** Registers a resource to close when the command ends, and returns it. */
  closeAtEnd<Opened extends { close(): void | Promise<void> }>(opened: Opened): Opened;
  /** Resolves with the exit code of the signal that ends the server. */
  waitForSignal(): Promise<number>;
};

const clientOptions = { userAgent: 'hemicycle', now: Date.now, sleep: (ms: number) => sleep(ms) }; // of HTTP clients

/** Network and environment for the bucket of `--edition`. */
export const bucketAccess = { network: clientOptions, env: process.env };

/** Returns the settings of a server; throws a UsageError for an invalid flag. */
export function serverSettings({ flags, settings, viewerTokenFile }: ServeRun): ServerSettings {
  if (flags.sql !== undefined) readExportedFile(flags.sql); // only a check: throws a UsageError for another file
  const allowedHosts = flags['allow-host']?.split(',').map((name) => name.trim());
  const checksHosts = isLoopback(flags.host) || allowedHosts !== undefined; // against DNS rebinding
  return {
    citation: settings.citation,
    baseUrl: settings.baseUrl,
    groupOrder: settings.groupOrder,
    rateLimit: flags['rate-limit'] === 'on',
    semantic: settings.semanticSearch,
    questions: settings.questions,
    places: settings.places,
    sqlFile: flags.sql === undefined ? null : resolve(flags.sql),
    queryModel: settings.embeddings && createQueryModel({ ...settings.embeddings, ...clientOptions }),
    viewerTokenFile,
    trustedProxies: flags['trust-proxy'] === undefined ? [] : parseProxies(flags['trust-proxy']),
    basePath: parseBasePath(flags['base-path'] ?? ''),
    ...(checksHosts ? { allowedHosts: allowedHosts ?? [] } : {}),
  };
}

/** Returns the sync interval in ms or null; throws a UsageError, or a ConfigurationError without a service. */
export function parseSyncInterval(text: string | undefined, { baseUrl }: Pick<UserSettings, 'baseUrl'>): number | null {
  if (text === undefined) return null;
  const ms = durationMs(text);
  if (ms === null || ms < 60_000) {
    throw new UsageError(say`--sync-every "${text}" is not a duration of a minute or more`, say`write 30m, 6h or 1d`);
  }
  if (baseUrl === null) {
    const hint = say`set it with --from URL or HEMICYCLE_BASE_URL, or remove --sync-every`;
    throw new ConfigurationError(say`the address of the service to sync from is not set`, hint);
  }
  return ms;
}

/** Returns the base path without a trailing slash; throws a UsageError for an invalid one. */
export function parseBasePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  if (/^(\/[\w.~-]*[\w~-])*$/.test(path)) return path;
  const hint = say`give the path prefix used by the proxy, for example --base-path /hemicycle`;
  throw new UsageError(say`--base-path: "${text}" is not a path`, hint);
}

/** Returns the operator's endpoint: a port on loopback or a Unix socket; throws a UsageError for anything else. */
export function parseOperatorPort(text: string): { host: string; port: number } | { path: string } {
  if (text.startsWith('/')) return { path: text };
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return { host: '127.0.0.1', port };
  const hint = say`use for example --operator-port 9100 or --operator-port /run/hemicycle/operator.sock`;
  throw new UsageError(say`--operator-port: "${text}" is neither a port nor the path of a socket`, hint);
}

/** Parses a list of proxy addresses and networks (CIDR); throws a UsageError for anything else. */
export function parseProxies(list: string): string[] {
  const proxies = list.split(',').map((proxy) => proxy.trim());
  for (const proxy of proxies) {
    const isValid = proxy.includes('/') ? ipaddr.isValidCIDR(proxy) && !/\/0+$/.test(proxy) : isIP(proxy) !== 0;
    if (isValid) continue;
    const hint = say`give the addresses of the proxies, for example --trust-proxy 127.0.0.1,10.0.0.0/8`;
    throw new UsageError(say`--trust-proxy: "${proxy}" is not an address or a network`, hint);
  }
  return proxies;
}
