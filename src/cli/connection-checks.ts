import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { AuthenticationError, RateLimitedError } from '../errors.ts';
import { dayMs } from '../model/moment.ts';
import { fileBytes } from '../store/file-state.ts';
import { dataSize, say, saying, verbatim } from '../words/speech.ts';
import { diskSpaceFor, minFreeBytes } from './disk-space.ts';
import { type Finding, findingOfError, okFinding, problemFinding, warningFinding } from './mirror-checks.ts';
import type { Settings } from './settings.ts';

/** Checks that the token is usable and that only the user can read it. */
export function settingsCheck(settings: Settings): Finding {
  const { configPath } = settings;
  if (settings.tokenError) return findingOfError(settings.tokenError);
  const mode = statSync(configPath, { throwIfNoEntry: false })?.mode ?? 0;
  const isReadableByOthers = process.platform !== 'win32' && (mode & 0o077) !== 0;
  if (isReadableByOthers && settings.rawSettings.token.origin === 'user config')
    return problemFinding(
      say`other users can read ${configPath}, which contains the token`,
      verbatim(`chmod 600 ${configPath}`),
    );
  if (settings.tokenNote !== null) return warningFinding(settings.tokenNote, null);
  return okFinding(say`valid; saved settings are in ${configPath}`);
}

const lowSpaceBytes = 500_000_000; // `doctor` warns below this or below the size of the mirror

/** Checks the free space on the disk of the mirror. */
export function diskCheck(db: string): Finding {
  const { free, folder } = diskSpaceFor(db);
  const message = say`${dataSize(free)} are free in ${folder}`;
  if (free >= Math.max(lowSpaceBytes, fileBytes(db))) return okFinding(message);
  const todo = say`free some space: for its downloads, a sync needs about the size of the mirror`;
  return free < minFreeBytes ? problemFinding(message, todo) : warningFinding(message, todo);
}

/** Names the proxy for requests, without its credentials. */
export function proxyCheck(environment: NodeJS.ProcessEnv, baseUrl: string | null): Finding {
  const variable = baseUrl?.startsWith('http:') ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const proxy = environment[variable.toLowerCase()] || environment[variable];
  if (!proxy) return okFinding(say`none is set`);
  if (!URL.canParse(proxy))
    return problemFinding(say`${variable} is not a valid address`, verbatim('http://proxy.example:3128'));
  const { host } = new URL(proxy);
  return okFinding(say`requests go through ${host} (${variable}), unless NO_PROXY names their host`);
}

/** Checks NODE_EXTRA_CA_CERTS, and whether certificates are verified at all. */
export function tlsCheck(environment: NodeJS.ProcessEnv): Finding {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    return problemFinding(
      say`NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, and an eavesdropper could present any`,
      say`unset it; for your own certificate, use NODE_EXTRA_CA_CERTS`,
    );
  const path = environment.NODE_EXTRA_CA_CERTS;
  if (!path) return okFinding(say`the certificates trusted by Node`);
  try {
    new X509Certificate(readFileSync(path));
    return okFinding(say`${path} adds to the certificates that Node trusts`);
  } catch (error) {
    return problemFinding(
      say`${path} holds no certificate that can be read (${(error as { code?: string }).code ?? ''})`,
      say`NODE_EXTRA_CA_CERTS must name a PEM file of certificates; Node continues without it after one warning`,
    );
  }
}

/** The finding for a request counter file that cannot be written; `status` shows the counts. */
export function uncountedRequestsFinding(): Finding {
  return problemFinding(
    say`requests cannot be counted: the count file is not writable`,
    say`set XDG_STATE_HOME to a folder that this user can write to`,
  );
}

/** Result of `doctor`'s one request; `dateMs` is the clock of the service. */
export type ProbeResult = { error: Error | null; dateMs: number | null };

/** Whether the service responded to `doctor`'s request, or why none was sent. */
export function addressCheck(baseUrl: string | null, probeResult: ProbeResult | 'offline' | 'no budget'): Finding {
  if (baseUrl === null)
    return warningFinding(say`no service is set`, say`\`hemicycle config set base-url URL\`, or HEMICYCLE_BASE_URL`);
  if (probeResult === 'offline') return okFinding(say`no request was sent to ${baseUrl} (--offline)`);
  if (probeResult === 'no budget')
    return okFinding(say`no request was sent to ${baseUrl}: the rate limit is used up for now`);
  if (probeResult.error === null) return okFinding(say`${baseUrl} answers`);
  const finding = findingOfError(probeResult.error);
  if (probeResult.error instanceof AuthenticationError)
    return problemFinding(finding.says, verbatim('`hemicycle config set token < FILE`'));
  return probeResult.error instanceof RateLimitedError ? warningFinding(finding.says, finding.todo) : finding;
}

const clockToleranceMs = 120_000; // smaller differences of the clocks are fine

/** Compares this machine's clock with the service's Date header, if received. */
export function clockCheck(dateMs: number | null, nowMs: number): Finding {
  if (dateMs === null) return okFinding(say`the clock of the service is not known`);
  const differenceMs = Math.abs(nowMs - dateMs);
  // The Date header has whole seconds, some of which passed in transit.
  if (differenceMs < clockToleranceMs) return okFinding(say`same as the clock of the service`);
  return (differenceMs > dayMs ? problemFinding : warningFinding)(
    say`differs from the clock of the service by ${saying((speech) => speech.duration(differenceMs))}`,
    say`set the clock of this machine: it dates the records, and a sync stops if it is a day off`,
  );
}
