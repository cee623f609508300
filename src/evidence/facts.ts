import { NotFoundError, orNull } from '../errors.ts';
import { type Attribution, webAddress } from '../model/attribution.ts';
import { sourcesIn } from '../model/cited-work.ts';
import { type Document, textOf } from '../model/document.ts';
import { titleOf } from '../model/facets.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { contentHash } from '../model/normal-form.ts';
import { readStoredHistory, type VersionText } from '../store/history/history.ts';
import { kindState } from '../store/kind-state.ts';
import type { Mirror } from '../store/mirror.ts';
import { sha256, type ZipEntry } from './bag.ts';
import type { CaptureFacts } from './warc.ts';

/** Path of the facts in a bag. */
export const factsName = 'data/evidence.json';

/** Size limit of the facts: verification reads them into memory. */
export const maxFactBytes = 16_000_000;

/** Facts of one record, with all its versions. */
export type EvidenceRecord = ReturnType<typeof readRecordEvidence>['record'];

/** Facts of one version of a record; `file` is the path of its text, as stored in the mirror. */
export type EvidenceVersion = EvidenceRecord['versions'][number];

/** Contents of `evidence.json`; times are ISO 8601. */
export type EvidenceFacts = GatheredFacts['facts'] & { captures?: CaptureFacts[] };

/** The facts of records, and the files of their versions. */
export type GatheredFacts = ReturnType<typeof gatherFacts>;

/** The distinct web addresses of records and of their sources. */
export function collectAddresses({ facts: { records } }: GatheredFacts): string[] {
  const addresses = records.flatMap(({ url, sources }) => [url, ...sources.map((source) => source.url)]);
  return [...new Set(addresses.filter((address) => address !== null))];
}

/** The records of which to give evidence, and its metadata; times ISO 8601. */
export type EvidenceRequest = {
  references: readonly { kind: KindName; key: string }[];
  asOf: string | null; // the past state of the records; null for the present
  madeAt: string;
  version: string; // of this program
  attribution: Attribution;
};

/** Collects the facts of records and the files of their versions; throws a NotFoundError for an unknown record. */
export function gatherFacts(mirror: Mirror, { references, asOf, madeAt, version, attribution }: EvidenceRequest) {
  const files: ZipEntry[] = [];
  const records: EvidenceRecord[] = [];
  for (const { kind, key } of references) {
    const number = String(records.length + 1).padStart(String(references.length).length, '0');
    const recordEvidence = readRecordEvidence(mirror, kindOf(kind), { key, asOf, number });
    if (records.some((each) => each.kind === kind && each.key === recordEvidence.record.key)) continue;
    records.push(recordEvidence.record);
    files.push(...recordEvidence.files);
  }
  const kinds = [...new Set(records.map(({ kind }) => kind))];
  const facts = {
    format: 'hemicycle-evidence/1',
    made_at: madeAt,
    program: { name: 'hemicycle', version },
    as_of: asOf,
    attribution,
    records,
    datasets: kinds.flatMap((kind) => {
      const { fileHash, rowCount, retrievedAt } = kindState(mirror, kindOf(kind));
      if (fileHash === null || retrievedAt === null || (asOf !== null && retrievedAt > asOf)) return [];
      return [{ kind, rows: rowCount ?? 0, sha256: fileHash, retrieved_at: retrievedAt }];
    }),
  };
  return { facts, files };
}

/** Facts and version files of a record; `number` is the prefix of its folder. */
function readRecordEvidence(
  mirror: Mirror,
  kind: Kind,
  { key, asOf, number }: { key: string; asOf: string | null; number: string },
) {
  const history = readStoredHistory(mirror, kind, { key, asOf });
  const slug = history.key.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const folder = `data/${number}-${kind.name}-${slug.slice(0, 60).replace(/^-|-$/g, '') || 'record'}`;
  const files: ZipEntry[] = [];
  const versions = history.versions.toReversed().map((version, at) => {
    const { text, document, part, seen_from, seen_to, ended_by, changes } = version;
    const versionNumber = String(at + 1).padStart(String(history.versions.length).length, '0');
    const file = `${folder}/${versionNumber}-${part}.json`;
    const bytes = Buffer.from(text);
    files.push({ path: file, bytes });
    // The hash of the file, and the one that `hemicycle cite` prints.
    const hashes = { sha256: sha256(bytes), content_hash: contentHash(kind, document) };
    return { file, part, seen_from, seen_to, ended_by, bytes: bytes.length, ...hashes, changes };
  });
  const newestContent = newestDocument(history.versions);
  const record = {
    kind: kind.name,
    key: history.key,
    former_key: history.formerKey,
    title: titleOf(kind, newestContent),
    url: webAddressIn(newestContent),
    first_seen: history.firstSeen,
    last_seen: history.lastSeen,
    withdrawn: history.withdrawn,
    versions,
    sources: readSources(mirror, newestContent, asOf),
  };
  return { record, files };
}

function newestDocument(newestFirst: readonly VersionText[]): Document {
  const latestOf = (part: string) => newestFirst.find((version) => version.part === part)?.document;
  return { ...latestOf('row'), ...latestOf('detail') };
}

function readSources(mirror: Mirror, document: Document, asOf: string | null) {
  const findSource = (key: string) => {
    const history = orNull(() => readStoredHistory(mirror, kindOf('source'), { key, asOf }), NotFoundError);
    return history === null ? undefined : newestDocument(history.versions);
  };
  return sourcesIn(document, findSource).map((source) => ({
    id: textOf(source, 'id'),
    url: webAddressIn(source),
    title: textOf(source, 'title'),
    publisher: textOf(source, 'publisher'),
    date: textOf(source, 'date'),
  }));
}

const webAddressIn = (document: Document): string | null => webAddress(textOf(document, 'url', 'website') ?? '');
