import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DeliveryError } from '../errors.ts';
import { say } from '../words/speech.ts';

/** Ranges of this machine and of networks that the public cannot reach, which may be allowed. */
const privateRanges = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/**
 * True for an address that may be asked: one of the public network, or of this machine and private networks where these are
 * allowed. Never one that stands for others (multicast, link-local, where clouds tell their secrets, or a transition to IPv4).
 */
export function isAllowedAddress(address: string, isPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const asked = ipaddr.process(address);
  const range = asked.range();
  return isGlobal(asked, range) || (isPrivate && privateRanges.includes(range));
}

/** All of the public network in IPv6 begins so; beside it stand ranges that no registry of special ones names, as `::7f00:1` does. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  return range === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(globalUnicast));
}

/** Throws a DeliveryError where a host is written as an address that must not be asked. */
export function refuseAddress(host: string, isPrivate: boolean): void {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const isLocal = /(^|\.)localhost\.?$/i.test(address) && !isPrivate;
  if (isLocal || (ipaddr.isValid(address) && !isAllowedAddress(address, isPrivate))) throw refusal(host);
}

/**
 * Looks names up for connections, and refuses a name of which any address must not be asked: what was checked is what is
 * connected to, so that a name which answers another address a moment later changes nothing.
 */
export function guardedLookup(isPrivate: boolean, look: typeof lookup = lookup): LookupFunction {
  return (host, options, callback) => {
    look(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, '');
      const refused =
        found.length === 0 || found.some(({ address }) => !isAllowedAddress(address, isPrivate));
      if (refused) return callback(refusal(host), '');
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  };
}

function refusal(host: string): DeliveryError {
  return new DeliveryError(
    host,
    say`is an address of this machine or of a network that the public cannot reach`,
    say`add the watch with --allow-private if it is meant`,
  );
}
