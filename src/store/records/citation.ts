import { type Citation, type DeclaredCitation, defaultServiceName, webAddress } from '../../model/attribution.ts';
import { forgetMeta, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import { holdsServiceRecords } from '../syncs/service.ts';

/** The user's settings about the service: citation and base URL. */
export type CitationSettings = { citation: DeclaredCitation; baseUrl: string | null };

/** Citation of a mirror's records or a service response: settings, else saved values; default URL: their origin. */
export function citationOf(
  { citation, baseUrl }: CitationSettings,
  mirror: Mirror | null,
  from: 'mirror' | 'service' = 'mirror',
): Citation {
  const savedService = mirror && readCitedService(mirror);
  const requestedService = baseUrl ?? savedService;
  const source = from === 'service' ? requestedService : (savedService ?? requestedService);
  const citedMirror = isOtherService(savedService, source) ? null : mirror;
  const goneSince = citation.goneSince ?? (citedMirror && readMeta(citedMirror, 'gone_since'));
  return {
    name: citation.name ?? (citedMirror && readMeta(citedMirror, 'service_name')) ?? defaultServiceName,
    siteUrl: citation.siteUrl ?? readSiteUrl(citedMirror) ?? originOf(source),
    ...(citation.publisher ? { publisher: citation.publisher } : {}),
    ...(citation.contact ? { contact: citation.contact } : {}),
    ...(citation.publicUrl ? { publicUrl: citation.publicUrl } : {}),
    ...(goneSince ? { goneSince } : {}),
  };
}

/** True if no public address is set, so that the service's origin is linked instead. */
export function isAddressAssumed({ citation, baseUrl }: CitationSettings, mirror: Mirror): boolean {
  const isConfigured = citation.siteUrl !== null || readSiteUrl(mirror) !== null;
  return !isConfigured && citationOf({ citation, baseUrl }, mirror).siteUrl !== null;
}

/** Saves the service of a mirror's records and its citation, for copies to cite; deletes that of another service. */
export function saveCitedService(mirror: Mirror, baseUrl: string, declaredCitation: DeclaredCitation | null): void {
  if (isOtherService(readCitedService(mirror), baseUrl)) {
    forgetMeta(mirror, 'service_name');
    forgetMeta(mirror, 'site_url');
  }
  saveMeta(mirror, 'cited_base_url', baseUrl);
  if (declaredCitation) saveDeclaredCitation(mirror, declaredCitation);
}

/** The service of a mirror's records, and its saved citation. */
export type CitedSource = {
  name: string | null;
  site_url: string | null;
  address: string | null;
  /** When the discontinued service last answered; older programs do not send it. */
  gone_since?: string | null;
};

/** The source that a mirror sends to its followers, completed by its server's citation; without assumed addresses. */
export function readCitedSource(mirror: Mirror, servedCitation: DeclaredCitation | null = null): CitedSource {
  const address = readCitedService(mirror) || null;
  const isAssumed = servedCitation?.siteUrl === originOf(address);
  return {
    name:
      (servedCitation?.name === defaultServiceName ? null : servedCitation?.name) ?? readMeta(mirror, 'service_name'),
    site_url: (isAssumed ? null : servedCitation?.siteUrl) ?? readMeta(mirror, 'site_url'),
    address,
    gone_since: servedCitation?.goneSince ?? readMeta(mirror, 'gone_since'),
  };
}

/** Saves the source of the followed mirror, which is itself not cited. */
export function saveCitedSource(mirror: Mirror, source: CitedSource, declaredCitation: DeclaredCitation | null): void {
  saveCitedService(mirror, source.address ?? '', {
    name: declaredCitation?.name ?? source.name,
    siteUrl: declaredCitation?.siteUrl ?? source.site_url,
  });
  if (source.gone_since) saveMeta(mirror, 'gone_since', source.gone_since);
  else forgetMeta(mirror, 'gone_since');
}

/** Saves the citation of a mirror's service. */
export function saveDeclaredCitation(mirror: Mirror, { name, siteUrl }: DeclaredCitation): void {
  if (name !== null) saveMeta(mirror, 'service_name', name);
  if (siteUrl !== null) saveMeta(mirror, 'site_url', siteUrl);
}

/** The last service that responded; in mirrors of older programs the last one requested. */
function readCitedService(mirror: Mirror): string | null {
  return readMeta(mirror, 'cited_base_url') ?? (holdsServiceRecords(mirror) ? readMeta(mirror, 'base_url') : null);
}

/** The saved address; null if invalid: the file may come from an untrusted source. */
function readSiteUrl(mirror: Mirror | null): string | null {
  return webAddress((mirror && readMeta(mirror, 'site_url')) ?? '');
}

function isOtherService(former: string | null, baseUrl: string | null): boolean {
  return former !== null && originOf(former) !== originOf(baseUrl);
}

function originOf(baseUrl: string | null): string | null {
  const address = webAddress(baseUrl ?? '');
  return address === null ? null : new URL(address).origin;
}
