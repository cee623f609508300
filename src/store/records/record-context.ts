import { countFields, readBallot } from '../../model/ballot.ts';
import { webPageOf } from '../../model/cited-work.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import { findKind, hasColumn, type Kind, type KindName, kindsInOrder } from '../../model/kinds.ts';
import { partyFacts } from '../../names/party-groups.ts';
import type { Mirror } from '../mirror.ts';
import { readRecord, recordName } from '../record.ts';
import { sourcesOf } from './profile.ts';
import { readWithdrawnRecord } from './reference.ts';

/** Number and newest day of records about a profile; `jsonKind`: their JSON field `kind`, if all share one. */
export type RecordCounts = { kind: KindName; count: number; latest: string | null; jsonKind: string | null };

/** Context of a record's page: lookup of names, and counts of records about it if it is a politician or party. */
export type RecordContext = { nameOf: ReturnType<typeof createNameLookup>; relatedCounts: RecordCounts[] };

const countedKinds = kindsInOrder.filter((kind) => hasColumn(kind, 'politician')).map(({ name }) => name);

export function readRecordContext(mirror: Mirror, { name: kind }: Kind, document: Document): RecordContext {
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

function countRecordsAbout(mirror: Mirror, profileKind: 'politician' | 'party', slug: string): RecordCounts[] {
  const sql = `SELECT kind, count(*) AS count, nullif(max(date), '') AS latest,
      CASE WHEN min(kindValue) = max(kindValue) THEN min(kindValue) END AS jsonKind
    FROM (SELECT kind, date, json_extract(coalesce(row, detail), '$.kind') AS kindValue FROM record
      WHERE ${profileKind} = ? AND kind = ? AND withdrawn IS NULL) GROUP BY kind`;
  return countedKinds.flatMap((kind) => mirror.sql<RecordCounts>(sql).get(slug, kind) ?? []);
}

const maxSources = 10;

/** Facts in a change message: URL, up to `maxSources` sources, main fields of the current or withdrawn record. */
export function recordFacts(mirror: Mirror, kindName: string, key: string): Document {
  const kind = findKind(kindName);
  const document = kind && (readRecord(mirror, kind, key) ?? readWithdrawnRecord(mirror, kind, key)?.document);
  if (!kind || !document) return { url: null, sources: [], record: {} };
  const citedSources = sourcesOf(mirror, document).slice(0, maxSources);
  const sources = citedSources.map((source) => {
    const fields = ['id', 'title', 'publisher', 'date', 'url'].map((field) => [field, textOf(source, field)]);
    return Object.fromEntries(fields) as Document;
  });
  return { url: webPageOf(document, citedSources), sources, record: mainFieldsOf(mirror, kind.name, document) };
}

/** Person, party, topic, day and text of a record, as far as given; for a ballot its header, totals and group votes. */
function mainFieldsOf(mirror: Mirror, kind: string, document: Document): Document {
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
