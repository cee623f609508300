import {
  type Citation,
  defaultServiceName,
  type StatedCitation,
  webAddress,
} from '../../model/attribution.ts';
import { forgetMeta, readMeta, saveMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';
import { holdsOfService } from '../syncs/service.ts';

/** What the user's settings say of the service: name and public address, and where it is asked. */
export type CitationSettings = { citation: StatedCitation; baseUrl: string | null };

/**
 * Who is to be cited for what a mirror holds, or for what the service answered now: what the user stated, else what was
 * stated when the mirror was synced. Where no public address is stated, it is the origin that the data came from.
 */
export function citationOf(
  { citation, baseUrl }: CitationSettings,
  mirror: Mirror | null,
  from: 'mirror' | 'service' = 'mirror',
): Citation {
  const cameFrom = mirror && citedService(mirror);
  const asked = baseUrl ?? cameFrom;
  const source = from === 'service' ? asked : (cameFrom ?? asked);
  const remembered = isOther(cameFrom, source) ? null : mirror;
  return {
    name: citation.name ?? (remembered && readMeta(remembered, 'service_name')) ?? defaultServiceName,
    siteUrl: citation.siteUrl ?? rememberedAddress(remembered) ?? originOf(source),
  };
}

/** True where nobody stated the public address, and the origin of the service is linked in its place. */
export function isAddressAssumed({ citation, baseUrl }: CitationSettings, mirror: Mirror): boolean {
  const isStated = citation.siteUrl !== null || rememberedAddress(mirror) !== null;
  return !isStated && citationOf({ citation, baseUrl }, mirror).siteUrl !== null;
}

/**
 * Keeps with a mirror which service its records came from, and how that is to be cited, so that it is cited wherever the
 * file goes. What was stated of another service is forgotten.
 */
export function rememberService(mirror: Mirror, baseUrl: string, stated: StatedCitation | null): void {
  if (isOther(citedService(mirror), baseUrl)) {
    forgetMeta(mirror, 'service_name');
    forgetMeta(mirror, 'site_url');
  }
  saveMeta(mirror, 'cited_base_url', baseUrl);
  if (stated) rememberCitation(mirror, stated);
}

/** Which service the records of a mirror came from, and what it remembers of how that is to be cited. */
export type CitedSource = { name: string | null; site_url: string | null; address: string | null };

/** The source of a mirror, as it tells whoever follows it. */
export function citedSource(mirror: Mirror): CitedSource {
  return {
    name: readMeta(mirror, 'service_name'),
    site_url: readMeta(mirror, 'site_url'),
    address: citedService(mirror) || null,
  };
}

/** Keeps with a mirror that follows another one the source of that: the other one is no service to be cited. */
export function rememberSource(mirror: Mirror, source: CitedSource, stated: StatedCitation | null): void {
  rememberService(mirror, source.address ?? '', {
    name: stated?.name ?? source.name,
    siteUrl: stated?.siteUrl ?? source.site_url,
  });
}

/** Keeps with a mirror what is stated of the service that its records are of. */
export function rememberCitation(mirror: Mirror, { name, siteUrl }: StatedCitation): void {
  if (name !== null) saveMeta(mirror, 'service_name', name);
  if (siteUrl !== null) saveMeta(mirror, 'site_url', siteUrl);
}

/** The service that answered last; of a mirror that an older program filled, the one that was asked last. */
function citedService(mirror: Mirror): string | null {
  return readMeta(mirror, 'cited_base_url') ?? (holdsOfService(mirror) ? readMeta(mirror, 'base_url') : null);
}

/** A file may come from anybody: what is no web address is none. */
function rememberedAddress(mirror: Mirror | null): string | null {
  return webAddress((mirror && readMeta(mirror, 'site_url')) ?? '');
}

/** True if one service was asked and then another; of a mirror that never asked any, nothing is known. */
function isOther(former: string | null, baseUrl: string | null): boolean {
  return former !== null && originOf(former) !== originOf(baseUrl);
}

function originOf(baseUrl: string | null): string | null {
  const address = webAddress(baseUrl ?? '');
  return address === null ? null : new URL(address).origin;
}
