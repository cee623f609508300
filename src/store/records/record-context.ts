import { type Document, slugOf } from '../../model/document.ts';
import { hasColumn, type Kind, type KindName, kindsInOrder } from '../../model/kinds.ts';
import { partyFacts } from '../../names/party-groups.ts';
import type { Mirror } from '../mirror.ts';
import { recordName } from '../record.ts';

/** Number and newest day of the records of a kind about a politician or party; `textKind` if their texts share one. */
export type RecordCounts = { kind: KindName; count: number; latest: string | null; textKind: string | null };

/** Context of a record's page: names of other records, and counts of records about it. */
export type RecordContext = { nameOf: ReturnType<typeof createNameLookup>; heldRecords: RecordCounts[] };

const countedKinds = kindsInOrder.filter((kind) => hasColumn(kind, 'politician')).map(({ name }) => name);

/** Reads the context of a record. */
export function recordContext(mirror: Mirror, { name: kind }: Kind, document: Document): RecordContext {
  const slug = slugOf(document.slug);
  const isProfile = kind === 'politician' || kind === 'party';
  return {
    nameOf: createNameLookup(mirror),
    heldRecords: isProfile && slug !== null ? countRecordsAbout(mirror, kind, slug) : [],
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
  const countStatement = mirror.sql<RecordCounts>(
    `SELECT kind, count(*) AS count, nullif(max(date), '') AS latest,
       CASE WHEN min(own) = max(own) THEN min(own) END AS textKind
     FROM (SELECT kind, date, json_extract(coalesce(row, detail), '$.kind') AS own FROM record
       WHERE ${facet} = ? AND kind = ? AND withdrawn IS NULL) GROUP BY kind`,
  );
  return countedKinds.flatMap((kind) => countStatement.get(slug, kind) ?? []);
}
