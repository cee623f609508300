import { ConfigurationError } from '../../errors.ts';
import { dayMs } from '../../model/moment.ts';
import { say } from '../../words/speech.ts';
import { deleteMeta, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import { deleteComposed } from './composition.ts';
import { deleteResponses } from './validators.ts';

/** SQL of every address that records came from or were requested from, the most certain first. */
const addressesSql = `
  SELECT value AS address FROM meta WHERE key = 'cited_base_url' AND value <> ''
  UNION ALL SELECT origin FROM kind_state WHERE origin LIKE 'http%'
  UNION ALL SELECT origin FROM progress WHERE stage = 'mirror'
  UNION ALL SELECT value FROM meta WHERE key = 'base_url'`;

const hasServiceSql = `SELECT EXISTS (SELECT 1 FROM kind_state WHERE origin LIKE 'http%')
  OR EXISTS (SELECT 1 FROM progress WHERE stage = 'mirror')`;

/** True if the mirror contains records of a service or of a followed mirror, not only of files. */
export const hasServiceRecords = (mirror: Mirror): boolean => mirror.column<number>(hasServiceSql).get() === 1;

/** Address of the mirror's service if it is not the one at `baseUrl`; null if it is, or is unknown. */
export function otherServiceAddress(mirror: Mirror, baseUrl: string): string | null {
  if (!hasServiceRecords(mirror)) return null;
  const addresses = mirror.column<string>(addressesSql).all();
  return addresses.some((address) => serviceIdentity(address) === serviceIdentity(baseUrl)) ? null : addresses[0]!;
}

/** Throws a ConfigurationError if the mirror contains records of another service. */
export function refuseOtherService(mirror: Mirror, baseUrl: string): void {
  const currentAddress = otherServiceAddress(mirror, baseUrl);
  if (currentAddress === null) return;
  throw new ConfigurationError(
    say`${mirror.path} contains the records of ${currentAddress}, but the address is ${baseUrl}; no request was sent and nothing was saved`,
    say`for another service, use another file with --db FILE; if this service has moved to that address, add --moved`,
  );
}

/** Saves that the service of a mirror has moved to another address. Call it in a transaction. */
export function moveService(mirror: Mirror, baseUrl: string): void {
  if (otherServiceAddress(mirror, baseUrl) === null) return;
  mirror.sql("UPDATE kind_state SET origin = ? WHERE origin LIKE 'http%'").run(baseUrl);
  mirror.sql('UPDATE OR REPLACE progress SET origin = ?').run(baseUrl);
  saveMeta(mirror, 'cited_base_url', baseUrl);
}

/** Host and path of an address: those that differ only in `http` or `https` or a final slash are of one service. */
function serviceIdentity(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : `${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

/** A service without a response for this long counts as closed. */
const silentAfterMs = 30 * dayMs;

/** Interval of requests to a closed service: a week, less four hours for a sync that starts early. */
const requestIntervalMs = 7 * dayMs - dayMs / 6;

/** Saves whether the service responded to a run. Call it in a transaction. */
export function saveResponsiveness(mirror: Mirror, hasResponded: boolean, at: string): void {
  if (hasResponded) {
    deleteClosure(mirror);
    saveMeta(mirror, 'answered_at', at);
    return;
  }
  const since = readMeta(mirror, 'asked_in_vain_since') ?? at;
  saveMeta(mirror, 'asked_in_vain_since', since);
  saveMeta(mirror, 'asked_in_vain_at', at);
  if (Date.parse(at) - Date.parse(since) < silentAfterMs) return;
  saveMeta(mirror, 'gone_since', readMeta(mirror, 'answered_at') ?? readMeta(mirror, 'synced_at') ?? since);
}

/** Last response of a closed service and time of its next request, ISO 8601; null if it does not count as closed. */
export function readClosure(mirror: Mirror): { since: string; nextAt: string } | null {
  const since = readMeta(mirror, 'gone_since');
  const at = readMeta(mirror, 'asked_in_vain_at');
  if (since === null || at === null) return null;
  return { since, nextAt: new Date(Date.parse(at) + requestIntervalMs).toISOString() };
}

function deleteClosure(mirror: Mirror): void {
  for (const key of ['asked_in_vain_since', 'asked_in_vain_at', 'gone_since'] as const) deleteMeta(mirror, key);
}

/** Deletes the sync state of the former service of a mirror. */
export function deleteServiceState(mirror: Mirror): void {
  deleteClosure(mirror);
  deleteResponses(mirror);
  for (const kind of ['politician', 'party'] as const) deleteComposed(mirror, kind);
  mirror.database.exec('DELETE FROM composition; DELETE FROM failure; DELETE FROM shape');
}
