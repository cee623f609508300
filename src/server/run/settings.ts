import { citationOf } from '../../cli/base-command.ts';
import type { Settings } from '../../cli/settings.ts';
import { viewerTokensPath } from '../../cli/token-command.ts';
import { ConfigurationError, HemicycleError, UsageError } from '../../errors.ts';
import { sanitiseText } from '../../format/sanitise.ts';
import { durationMs } from '../../model/moment.ts';
import type { Mirror } from '../../store/open.ts';
import type { ServerSettings } from '../serving.ts';

/** What decides how a server answers, as it was typed. */
export type ServerFlags = {
  host: string;
  'rate-limit': string;
  'viewer-tokens'?: string | undefined;
  'trust-proxy'?: string | undefined;
  'allow-host'?: string | undefined;
};

/** The settings of a server; throws a UsageError on what makes no sense. */
export async function serverSettings(
  flags: ServerFlags,
  settings: Settings,
  mirror: Mirror,
): Promise<ServerSettings> {
  const { parseProxies } = await import('../trusted-proxies.ts');
  const { isLoopback } = await import('../allowed-hosts.ts');
  const named = flags['allow-host']?.split(',').map((name) => name.trim());
  const isGuarded = isLoopback(flags.host) || named !== undefined;
  return {
    citation: citationOf(settings, mirror),
    rateLimit: flags['rate-limit'] === 'on',
    semantic: settings.semanticSearch,
    viewerTokenFile: viewerTokensPath(settings, flags['viewer-tokens']),
    trustedProxies: flags['trust-proxy'] === undefined ? [] : parseProxies(flags['trust-proxy']),
    ...(isGuarded ? { allowedHosts: named ?? [] } : {}),
  };
}

/** A failure that was foreseen in its own words, any other with where it came from. */
export function failureText(error: unknown): string {
  if (error instanceof HemicycleError) return sanitiseText([error.message, error.hint].join('\n').trim());
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What whoever opens a server to others should know. */
export async function serveWarnings({ host, 'rate-limit': rateLimit }: ServerFlags): Promise<string[]> {
  const { isLoopback } = await import('../allowed-hosts.ts');
  if (isLoopback(host)) return [];
  const limit = rateLimit === 'on' ? 'within the limits' : 'without any limit (--rate-limit off)';
  return [
    `warning: listening on ${host}, beyond this machine: whoever reaches it may ask, ${limit}; --host 127.0.0.1 keeps it here`,
  ];
}

/** How often to sync, in milliseconds, or null; without an address to sync from there is nothing to do. */
export function syncEvery(text: string | undefined, { baseUrl }: Settings): number | null {
  if (text === undefined) return null;
  const ms = durationMs(text);
  if (ms === null || ms < 60_000) {
    throw new UsageError(
      `--sync-every "${text}" is not a duration of a minute or more`,
      'write 30m, 6h or 1d',
    );
  }
  if (baseUrl === null) {
    throw new ConfigurationError(
      'the address of the service to sync from is not set',
      'name it with --from URL or HEMICYCLE_BASE_URL, or leave --sync-every out',
    );
  }
  return ms;
}
