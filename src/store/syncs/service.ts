import { ConfigurationError } from '../../errors.ts';
import { say } from '../../words/speech.ts';
import { saveMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { forgetCompositions } from './composition.ts';
import { forgetFailures } from './failures.ts';
import { forgetShapes } from './shapes.ts';
import { forgetAnswers } from './validators.ts';

/** Every address that the records of a mirror came from, or that was asked for them, the best known first. */
const addressesSql = `
  SELECT value AS address FROM meta WHERE key = 'cited_base_url' AND value <> ''
  UNION ALL SELECT origin FROM kind_state WHERE origin LIKE 'http%'
  UNION ALL SELECT origin FROM progress WHERE stage = 'mirror'
  UNION ALL SELECT value FROM meta WHERE key = 'base_url'`;

const holdsSql = `SELECT EXISTS (SELECT 1 FROM kind_state WHERE origin LIKE 'http%')
  OR EXISTS (SELECT 1 FROM progress WHERE stage = 'mirror')`;

/** True for a mirror that holds records of any service, or followed another mirror: files alone are of none. */
export function holdsOfService(mirror: Mirror): boolean {
  return mirror.column<number>(holdsSql).get() === 1;
}

/**
 * The address of the service whose records a mirror holds, where that is another one than the service at `baseUrl`; null
 * where it is the same, and for a mirror that holds no records of any service.
 */
export function otherService(mirror: Mirror, baseUrl: string): string | null {
  if (!holdsOfService(mirror)) return null;
  const held = mirror.column<string>(addressesSql).all();
  return held.some((address) => serviceIdentity(address) === serviceIdentity(baseUrl)) ? null : held[0]!;
}

/** Throws a ConfigurationError where a mirror holds the records of another service: one mirror, one service. */
export function refuseOtherService(mirror: Mirror, baseUrl: string): void {
  const held = otherService(mirror, baseUrl);
  if (held === null) return;
  throw new ConfigurationError(
    say`${mirror.path} holds the records of ${held}, and ${baseUrl} is another address; nothing was asked or saved`,
    say`name a file of its own for another service with --db FILE; if the service of this mirror has moved to that address, say so with --moved`,
  );
}

/**
 * Notes that the service of a mirror has moved: what came from it before is its own at the new address too. To be used
 * in a transaction.
 */
export function moveService(mirror: Mirror, baseUrl: string): void {
  if (otherService(mirror, baseUrl) === null) return;
  mirror.sql("UPDATE kind_state SET origin = ? WHERE origin LIKE 'http%'").run(baseUrl);
  mirror.sql('UPDATE OR REPLACE progress SET origin = ?').run(baseUrl);
  saveMeta(mirror, 'cited_base_url', baseUrl);
}

/** What tells one service from another in its address: neither the scheme nor a slash at the end does. */
function serviceIdentity(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/+$/, '')}`;
}

/** Forgets what another service answered: nothing of it holds of this one. */
export function forgetService(mirror: Mirror): void {
  forgetAnswers(mirror);
  forgetFailures(mirror);
  forgetCompositions(mirror);
  forgetShapes(mirror);
}
