import { type Chamber, chamberOf, chambers } from '../model/chamber.ts';
import { type Document, isDocument, textOf } from '../model/document.ts';
import { kinds } from '../model/kinds.ts';
import { columnsSeen } from './kind-state.ts';
import type { Mirror } from './open.ts';

/** A ballot that somebody named; the chamber is null where only the id is known. */
export type BallotReference = { chamber: Chamber | null; scrutinId: string };

/** Slugs whose full document is missing or older than their dataset row; all of them with `all`. */
export function slugsToFetch(mirror: Mirror, kind: 'politician' | 'party', all = false): string[] {
  return mirror
    .sql(
      `SELECT key FROM record WHERE kind = ? AND withdrawn IS NULL AND (detail_stale = 1 OR ?) ORDER BY key`,
    )
    .pluck()
    .all(kind, all ? 1 : 0) as string[];
}

/** Marks that the service has no full document of a record, so that it is asked again only when its row changes. */
export function markDetailAbsent(mirror: Mirror, kind: string, key: string): void {
  mirror.sql('UPDATE record SET detail_stale = 0 WHERE kind = ? AND key = ?').run(kind, key);
}

const namingFields = ['ballot_id', 'scrutin_id', 'ballot'];

/** The ballots that the mirrored records name, each once. */
export function namedBallots(mirror: Mirror): BallotReference[] {
  const found = new Map<string, BallotReference>();
  for (const kind of kinds.filter(({ name }) => name !== 'ballot')) {
    const fields = columnsSeen(mirror, kind).filter((column) => namingFields.includes(column));
    for (const field of fields) {
      const rows = mirror
        .sql(
          `SELECT DISTINCT json_extract(row, ?) AS named, json_extract(row, '$.chamber') AS chamber FROM record WHERE kind = ? AND withdrawn IS NULL`,
        )
        .all(`$.${field}`, kind.name) as { named: unknown; chamber: unknown }[];
      for (const { named, chamber } of rows) {
        const reference = referenceOf(named, chamber);
        if (reference) found.set(`${reference.chamber}:${reference.scrutinId}`, reference);
      }
    }
  }
  return [...found.values()];
}

function referenceOf(named: unknown, chamber: unknown): BallotReference | null {
  if (typeof named === 'number') return { chamber: chamberOf(chamber), scrutinId: String(named) };
  if (typeof named !== 'string' || named === '') return null;
  if (!named.startsWith('{'))
    return splitReference(named) ?? { chamber: chamberOf(chamber), scrutinId: named };
  const document: unknown = JSON.parse(named);
  const scrutinId = isDocument(document) ? textOf(document, 'scrutin_id', 'id') : null;
  return scrutinId === null ? null : { chamber: chamberOf((document as Document).chamber), scrutinId };
}

/** `CHAMBER:ID` in two, or null. */
export function splitReference(text: string): BallotReference | null {
  const colon = text.indexOf(':');
  const chamber = colon > 0 ? chamberOf(text.slice(0, colon)) : null;
  return chamber && colon < text.length - 1 ? { chamber, scrutinId: text.slice(colon + 1) } : null;
}

/** True if the mirror holds the ballot, or knows from the service that there is none. */
export function isSettled(mirror: Mirror, { chamber, scrutinId }: BallotReference): boolean {
  const keys = (chamber ? [chamber] : chambers).map((each) => `${each}:${scrutinId}`);
  const isHeld = keys.some((key) =>
    mirror.sql(`SELECT 1 FROM record WHERE kind = 'ballot' AND key = ?`).get(key),
  );
  return (
    isHeld ||
    keys.every((key) => mirror.sql(`SELECT 1 FROM absent WHERE kind = 'ballot' AND key = ?`).get(key))
  );
}

/** Remembers that the service has no such ballot. */
export function markAbsent(
  mirror: Mirror,
  key: string,
  { status, at }: { status: number; at: string },
): void {
  mirror
    .sql(`INSERT OR REPLACE INTO absent (kind, key, status, asked_at) VALUES ('ballot', ?, ?, ?)`)
    .run(key, status, at);
}
