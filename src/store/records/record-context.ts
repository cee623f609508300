import { type Document, documentsIn, slugOf, textOf } from '../../model/document.ts';
import { hasColumn, type Kind, type KindName, kindOf, kindsInOrder } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { readRecord } from '../record.ts';

/** How many records of a kind a politician or party has, the newest day among them, and what their texts are where all are the same. */
export type HeldRecords = { kind: KindName; count: number; latest: string | null; textKind: string | null };

/** What a page about a record says beside it: the names of whom it names, by `KIND:SLUG`, and the records about its subject. */
export type RecordContext = { names: Map<string, string>; held: HeldRecords[] };

/** The kinds of records that a politician or party has, in the order in which a page tells them. */
const heldKinds = kindsInOrder.filter((kind) => hasColumn(kind, 'politician')).map(({ name }) => name);

/** What the mirror says beside a record: names in the place of slugs, and counts of a profile. */
export function recordContext(mirror: Mirror, kind: Kind, document: Document): RecordContext {
  const nameOf = namesIn(mirror);
  const names = new Map<string, string>();
  for (const { of, slug } of namedIn(document)) {
    const name = nameOf(of, slug);
    if (name !== null) names.set(`${of}:${slug}`, name);
  }
  const slug = slugOf(document.slug);
  const isProfile = kind.name === 'politician' || kind.name === 'party';
  return {
    names,
    held: isProfile && slug !== null ? heldOf(mirror, kind.name as 'politician' | 'party', slug) : [],
  };
}

/** The names of politicians and parties by their slugs, each looked up once; null for one that the mirror does not hold. */
export function namesIn(mirror: Mirror): (of: 'politician' | 'party', slug: string) => string | null {
  const known = new Map<string, string | null>();
  const lookUp = (of: 'politician' | 'party', slug: string) => {
    const record = readRecord(mirror, kindOf(of), slug);
    const name = record ? textOf(record, 'full_name', 'name') : null;
    const short = record && of === 'party' ? textOf(record, 'short_name') : null;
    return name === null || short === null || short === name ? name : `${name} (${short})`;
  };
  return (of, slug) => {
    const key = `${of}:${slug}`;
    if (!known.has(key)) known.set(key, lookUp(of, slug));
    return known.get(key)!;
  };
}

function namedIn(document: Document): { of: 'politician' | 'party'; slug: string }[] {
  const affiliations = documentsIn(document.affiliations);
  const parties = [document.party, document.group, ...affiliations.map(({ party }) => party ?? null)];
  const slugs = new Set(parties.map((value) => slugOf(value ?? null)).filter((slug) => slug !== null));
  const politician = slugOf(document.politician ?? null);
  return [
    ...[...slugs].map((slug) => ({ of: 'party' as const, slug })),
    ...(politician === null ? [] : [{ of: 'politician' as const, slug: politician }]),
  ];
}

function heldOf(mirror: Mirror, facet: 'politician' | 'party', slug: string): HeldRecords[] {
  const counted = mirror.sql<HeldRecords & { other: string | null }>(
    `SELECT kind, count(*) AS count, nullif(max(date), '') AS latest,
       min(json_extract(coalesce(row, detail), '$.kind')) AS textKind,
       max(json_extract(coalesce(row, detail), '$.kind')) AS other
     FROM record WHERE ${facet} = ? AND kind = ? AND withdrawn IS NULL GROUP BY kind`,
  );
  return heldKinds.flatMap((kind) => {
    const found = counted.get(slug, kind);
    if (!found) return [];
    const { other, ...held } = found;
    return [{ ...held, textKind: held.textKind === other ? other : null }];
  });
}
