import { countFields, readBallot } from '../../model/ballot.ts';
import { webPageOf } from '../../model/cited-work.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import { findKind, hasColumn, type Kind, type KindName, kindsInOrder } from '../../model/kinds.ts';
import { partyFacts } from '../../names/party-groups.ts';
import type { Mirror } from '../mirror.ts';
import { readRecord, recordName } from '../record.ts';
import { sourcesOf } from './profile.ts';
import { readWithdrawnRecord } from './reference.ts';

/** Number and newest day of records of a kind about a politician or party; `textKind`: their only `kind`, if one. */
export type RecordCounts = { kind: KindName; count: number; latest: string | null; textKind: string | null };

/** Context of a record's page: names of other records, and counts of records about it. */
export type RecordContext = { nameOf: ReturnType<typeof createNameLookup>; relatedCounts: RecordCounts[] };

const countedKinds = kindsInOrder.filter((kind) => hasColumn(kind, 'politician')).map(({ name }) => name);

export function recordContext(mirror: Mirror, { name: kind }: Kind, document: Document): RecordContext {
  const slug = slugOf(document.slug);
  const isProfile = kind === 'politician' || kind === 'party';
  return {
    nameOf: createNameLookup(mirror),
    relatedCounts: isProfile && slug !== null ? countRecordsAbout(mirror, kind, slug) : [],
  };
}

/** Creates a lookup of names of politicians and parties by slug; null if unknown. */
export function createNameLookup(mirror: Mirror): (kindName: 'politician' | 'party', slug: string) => string | null {
  const parties = partyFacts(mirror);
  return (kindName, slug) => {
    if (kindName === 'politician') return recordName(mirror, kindName, slug);
    const { name = null, short_name: shortName = null } = parties.get(slug) ?? {};
    return name === null || shortName === null || shortName === name ? name : `${name} (${shortName})`;
  };
}

function countRecordsAbout(mirror: Mirror, facet: 'politician' | 'party', slug: string): RecordCounts[] {
  const sql = `SELECT kind, count(*) AS count, nullif(max(date), '') AS latest,
      CASE WHEN min(own) = max(own) THEN min(own) END AS textKind
    FROM (SELECT kind, date, json_extract(coalesce(row, detail), '$.kind') AS own FROM record
      WHERE ${facet} = ? AND kind = ? AND withdrawn IS NULL) GROUP BY kind`;
  return countedKinds.flatMap((kind) => mirror.sql<RecordCounts>(sql).get(slug, kind) ?? []);
}

const maxSources = 10;

/** Facts reported with a change of a record: URL, up to `maxSources` sources, main fields of its last content. */
export function recordFacts(mirror: Mirror, kindName: string, key: string): Document {
  const kind = findKind(kindName);
  const document = kind && (readRecord(mirror, kind, key) ?? readWithdrawnRecord(mirror, kind, key)?.document);
  if (!kind || !document) return { url: null, sources: [], record: {} };
  const citedSources = sourcesOf(mirror, document).slice(0, maxSources);
  const sources = citedSources.map((source) => {
    const fields = ['id', 'title', 'publisher', 'date', 'url'].map((field) => [field, textOf(source, field)]);
    return Object.fromEntries(fields) as Document;
  });
  return { url: webPageOf(document, citedSources), sources, record: factsOf(mirror, kind.name, document) };
}

/** Stated person, party, topic, day and text of a record; for a ballot its header, totals and group votes. */
function factsOf(mirror: Mirror, kind: string, document: Document): Document {
  if (kind === 'ballot') {
    const { chamber, scrutin_id, title, date, type, result, required, totals, votes_by_party } = readBallot(document);
    const groupFields = ['party', 'party_name', ...countFields, 'position', 'members'];
    const groups = votes_by_party.map((votes: Document) =>
      Object.fromEntries(groupFields.map((field) => [field, votes[field] ?? null])),
    );
    return { chamber, scrutin_id, title, date, type: type ?? null, result, required, totals, votes_by_party: groups };
  }
  const nameOf = (name: 'politician' | 'party') => {
    const slug = slugOf(document[name] ?? null);
    return slug && (recordName(mirror, name, slug) ?? slug);
  };
  const facts = {
    person: kind === 'politician' ? null : nameOf('politician'),
    party: textOf(document, 'party_name') ?? nameOf('party'),
    ...Object.fromEntries(['topic', 'date', 'text'].map((field) => [field, textOf(document, field)])),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
