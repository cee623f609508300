import { type LookupAddress, lookup } from 'node:dns';
import { lookup as lookupAsync } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { DeliveryError } from '../errors.ts';
import { say } from '../words/speech.ts';

/** True for a loopback address, `localhost`, or a name below it. */
export function isLoopback(host: string): boolean {
  const name = bareHost(host).toLowerCase();
  // Short forms of an address (127.1, 0x7f.1) are not IPs to `isIP`, so they count as names.
  if (isIP(name) === 0) return /^(?:[\w-]+\.)*localhost$/.test(name);
  return ipaddr.process(name).range() === 'loopback';
}

/** Private ranges, which `--allow-private` permits. */
const privateRanges = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Global unicast of IPv6; ipaddr.js also classifies ranges such as `::7f00:1` as unicast. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** True for public unicast addresses, or private ranges if permitted; never for multicast or link-local. */
export function isAllowedAddress(address: string, allowsPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  const range = ip.range();
  const isGlobal = range === 'unicast' && (!(ip instanceof ipaddr.IPv6) || ip.match(globalUnicast));
  return isGlobal || (allowsPrivate && privateRanges.includes(range));
}

/** True if a host resolves only to this machine or a private network; false if its name is unknown. */
export async function resolvesToPrivate(host: string): Promise<boolean> {
  const addresses = await lookupAsync(bareHost(host), { all: true }).catch(() => []);
  const isPrivate = ({ address }: LookupAddress) => privateRanges.includes(ipaddr.process(address).range());
  return addresses.length > 0 && addresses.every(isPrivate);
}

/** True for a forbidden IP address, or a localhost name without `allowsPrivate`; resolves no other names. */
export function isForbiddenAddress(host: string, allowsPrivate: boolean): boolean {
  const address = bareHost(host);
  const isLocal = /(^|\.)localhost\.?$/i.test(address) && !allowsPrivate;
  return isLocal || (ipaddr.isValid(address) && !isAllowedAddress(address, allowsPrivate));
}

/** Throws a DeliveryError if `isForbiddenAddress`; `guardedLookup` checks names when they resolve. */
export function refuseAddress(host: string, allowsPrivate: boolean): void {
  if (isForbiddenAddress(host, allowsPrivate)) throw refusalError(host);
}

/** DNS lookup that rejects forbidden addresses and returns the one to connect to, against DNS rebinding. */
export function guardedLookup(allowsPrivate: boolean, resolveHost: typeof lookup = lookup): LookupFunction {
  return (host, options, callback) => {
    resolveHost(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '');
      const isAllowed = ({ address }: LookupAddress) => isAllowedAddress(address, allowsPrivate);
      if (addresses.length === 0 || !addresses.every(isAllowed)) return callback(refusalError(host), '');
      if (options.all) return callback(null, addresses);
      callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

/** Rejects if a host resolves to a non-public address; for requests through a proxy, which does its own lookup. */
export const requirePublicHost = (host: string) => promisify(guardedLookup(false))(bareHost(host), { all: true });

function refusalError(host: string): DeliveryError {
  return new DeliveryError(
    host,
    say`is an address of this machine or of a private network`,
    say`add the watch with --allow-private if this is intended`,
  );
}
