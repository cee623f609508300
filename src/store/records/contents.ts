import { statSync } from 'node:fs';
import { type Citation, type DeclaredCitation, defaultServiceName, webAddress } from '../../model/attribution.ts';
import { anonymousKey } from '../../model/identity-guard.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import { kindState } from '../kind-state.ts';
import { deleteMeta, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import { countRows } from '../rows.ts';
import { countMissing } from '../saving/missing-records.ts';
import { subjectsPath } from '../subjects.ts';
import { completenessOf } from '../syncs/completeness.ts';
import { countComposed } from '../syncs/composition.ts';
import { hasServiceRecords } from '../syncs/service.ts';

/** Counts and times of one kind in the mirror; times ISO 8601. */
export type KindContents = ReturnType<typeof contentsOf>;

/** Counts and times per kind, in the order of the service's documentation; cached until the next write. */
export function readContents(mirror: Mirror): KindContents[] {
  return mirror.readOnce('contents', () => [...kinds].reverse().map((kind) => contentsOf(mirror, kind)));
}

function contentsOf(mirror: Mirror, kind: Kind) {
  const { name } = kind;
  // The unary plus avoids the index over all records: withdrawn and detailed ones are fewer.
  const sql = `SELECT (SELECT count(*) FROM record WHERE withdrawn IS NOT NULL AND +kind = ?) AS withdrawn,
    (SELECT count(*) FROM record WHERE detail_since IS NOT NULL AND withdrawn IS NULL AND +kind = ?) AS details`;
  const counts = mirror.sql<{ withdrawn: number; details: number }>(sql).get(name, name)!;
  const state = kindState(mirror, kind);
  return {
    kind: name as string,
    records: countRows(mirror, kind),
    /** Withdrawn records, and those with a fetched full document (politicians and parties). */
    ...counts,
    /** Records missing from the last enumeration but not withdrawn, and since when. */
    ...countMissing(mirror, kind),
    /** Records whose full document is composed from the datasets, since a sample equalled the service's. */
    composed: countComposed(mirror, name),
    origin: state.origin,
    retrieved_at: state.retrievedAt,
    enumerated_at: state.enumeratedAt,
    /** How much of the kind the mirror has (see `completenessOf`); null if it has no record. */
    completeness: completenessOf(mirror, kind),
  };
}

/** When the mirror was last filled from anywhere, ISO 8601, or null. */
export const lastFilledAt = (mirror: Mirror): string | null => readMeta(mirror, 'synced_at');

/** True if nothing was ever stored: no record, no complete sync, and no withheld record. */
export function isUnfilled(mirror: Mirror): boolean {
  const anyRecord = mirror.column('SELECT 1 FROM record UNION ALL SELECT 1 FROM withheld_record LIMIT 1').get();
  return anyRecord === undefined && lastFilledAt(mirror) === null;
}

/** A period of a log that no poll covered: entries between two keys may be missing. */
export type LogGap = { kind: string; after_key: string | null; before_key: string | null; noticed_at: string };

/** Gaps of the moderation log, oldest first. */
export function listGaps(mirror: Mirror): LogGap[] {
  return mirror.sql<LogGap>('SELECT kind, after_key, before_key, noticed_at FROM gap ORDER BY noticed_at, rowid').all();
}

export function saveGap(mirror: Mirror, { kind, after_key, before_key, noticed_at }: LogGap): void {
  const sql = 'INSERT INTO gap (kind, after_key, before_key, noticed_at) VALUES (?, ?, ?, ?)';
  mirror.sql(sql).run(kind, anonymousKey(after_key), anonymousKey(before_key), noticed_at);
}

/** Identifies the mirror's present state, even if its past is read; times ISO 8601. */
export type Edition = {
  file: string;
  /** Grows with every change of a record. */
  version: number;
  /** Ids of records and embeddings, time of the user's subjects; null from an older program (then see `firstSeen`). */
  state: string | null;
  firstSeen: string | null;
  changedAt: string | null;
  /** When it was last filled, or a sync last ended. */
  syncedAt: string | null;
};

const editionSql = `SELECT (SELECT value FROM main.meta WHERE key = 'version') AS version,
  (SELECT group_concat(value, ' ') FROM
    (SELECT value FROM main.meta WHERE key IN ('state', 'embedded_as') ORDER BY key DESC)) AS state,
  (SELECT first_seen FROM main.record ORDER BY id LIMIT 1) AS firstSeen,
  coalesce((SELECT value FROM main.meta WHERE key = 'changed_at'),
    (SELECT started_at FROM main.run ORDER BY id DESC LIMIT 1)) AS changedAt,
  (SELECT max(moment) FROM (SELECT value AS moment FROM main.meta WHERE key = 'synced_at'
    UNION ALL SELECT * FROM (SELECT ended_at FROM main.run WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1))) AS syncedAt`;

/** Reads the identity of the mirror's present state, with the time of the user's subjects file. */
export function readEdition(mirror: Mirror): Edition {
  const edition = mirror.readOnce('edition', () => {
    const row = mirror.sql<Omit<Edition, 'file'>>(editionSql).get()!;
    return { ...row, file: mirror.file, version: Number(row.version ?? 0) };
  });
  const subjectsFile = statSync(subjectsPath(mirror.path), { throwIfNoEntry: false });
  if (!subjectsFile) return edition;
  const changedAt = [edition.changedAt ?? '', subjectsFile.mtime.toISOString()].sort().at(-1)!;
  return { ...edition, changedAt, state: `${edition.state ?? edition.firstSeen} ${subjectsFile.mtimeMs}` };
}

/** The user's settings about the service: citation and base URL. */
export type CitationSettings = { citation: DeclaredCitation; baseUrl: string | null };

/** Citation of a mirror's records or a service's response: from settings, else from a mirror of the same service. */
export function citationOf(
  { citation, baseUrl }: CitationSettings,
  mirror: Mirror | null,
  from: 'mirror' | 'service' = 'mirror',
): Citation {
  const savedService = mirror && readCitedService(mirror);
  const requestedService = baseUrl ?? savedService;
  const citedUrl = from === 'service' ? requestedService : (savedService ?? requestedService);
  const citedMirror = isOtherService(savedService, citedUrl) ? null : mirror; // null: its values are of another service
  const goneSince = citation.goneSince ?? (citedMirror && readMeta(citedMirror, 'gone_since'));
  return {
    name: citation.name ?? (citedMirror && readMeta(citedMirror, 'service_name')) ?? defaultServiceName,
    siteUrl: citation.siteUrl ?? readSiteUrl(citedMirror) ?? originOf(citedUrl),
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
    deleteMeta(mirror, 'service_name');
    deleteMeta(mirror, 'site_url');
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

/** The source that a mirror sends to followers, by its server's citation; no `site_url` derived from `address`. */
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

/** Saves the service that a followed mirror cites: copies cite it, not the mirror. */
export function saveCitedSource(mirror: Mirror, source: CitedSource, declaredCitation: DeclaredCitation | null): void {
  saveCitedService(mirror, source.address ?? '', {
    name: declaredCitation?.name ?? source.name,
    siteUrl: declaredCitation?.siteUrl ?? source.site_url,
  });
  if (source.gone_since) saveMeta(mirror, 'gone_since', source.gone_since);
  else deleteMeta(mirror, 'gone_since');
}

export function saveDeclaredCitation(mirror: Mirror, { name, siteUrl }: DeclaredCitation): void {
  if (name !== null) saveMeta(mirror, 'service_name', name);
  if (siteUrl !== null) saveMeta(mirror, 'site_url', siteUrl);
}

/** The last service that responded; in mirrors of older programs the last one requested. */
function readCitedService(mirror: Mirror): string | null {
  return readMeta(mirror, 'cited_base_url') ?? (hasServiceRecords(mirror) ? readMeta(mirror, 'base_url') : null);
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
