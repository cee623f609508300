import type { Candidate } from '../language/resolve-name.ts';
import type { Gender } from '../language/title.ts';
import type { Mirror } from './mirror.ts';

/** The kinds whose records have names that people look for. */
export const namedKinds = ['politician', 'party'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** Parties go before groups, and those that last before those that ended, where several bear one short name. */
const columns: Record<NamedKind, string> = {
  politician: `json_extract(coalesce(row, detail), '$.gender') AS gender, sort_name AS sortName`,
  party: `json_extract(coalesce(row, detail), '$.short_name') AS shortName,
    (json_extract(coalesce(row, detail), '$.end_date') IS NULL)
      * (2 + (json_extract(coalesce(row, detail), '$.chamber') IS NULL)) AS preference`,
};

type Stored = {
  key: string;
  name: string;
  gender?: unknown;
  sortName?: string;
  shortName?: string | null;
  preference?: number;
};

/** All that is known of the names of a kind. */
export function candidatesOf(mirror: Mirror, kind: NamedKind): Candidate[] {
  return mirror
    .sql<Stored>(
      `SELECT key, name, ${columns[kind]} FROM record
       WHERE kind = ? AND withdrawn IS NULL AND name IS NOT NULL ORDER BY sort_name, id`,
    )
    .all(kind)
    .map((stored) => candidateOf(mirror, kind, stored));
}

function candidateOf(
  mirror: Mirror,
  kind: NamedKind,
  { key, name, gender, sortName, shortName, preference }: Stored,
): Candidate {
  let known: number | undefined;
  return {
    key,
    name,
    ...(kind === 'party'
      ? { shortName: shortName ?? null, preference: preference ?? 0 }
      : { gender: genderOf(gender), ...surnameOf(sortName) }),
    get known() {
      known ??= timesNamed(mirror, kind, key);
      return known;
    },
  };
}

/** The word for a gender in the letter that titles tell; null for what says nothing of them. */
function genderOf(value: unknown): Gender | null {
  const first = typeof value === 'string' ? value.trim()[0]?.toLowerCase() : undefined;
  if (first === 'f') return 'F';
  return first === 'h' || first === 'm' ? 'M' : null;
}

/** Persons are sorted by their surname, then by what goes before it. */
function surnameOf(sortName: string | undefined): { surname?: string } {
  const [surname] = (sortName ?? '').split(' ');
  return surname ? { surname } : {};
}

const countedAtMost = 1000;

/** How many records name a politician or a party, counted up to 1,000. */
function timesNamed(mirror: Mirror, kind: NamedKind, key: string): number {
  return mirror
    .column<number>(
      `SELECT count(*) FROM (SELECT 1 FROM record WHERE ${kind} = ? AND withdrawn IS NULL LIMIT ${countedAtMost})`,
    )
    .get(key)!;
}
