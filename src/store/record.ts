import { type Ballot, type Chamber, readBallot } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import type { Mirror } from './open.ts';
import { documentOf } from './search-index.ts';

/** The fullest document of a record, or undefined if the mirror does not hold it. */
export function readRecord(mirror: Mirror, kind: Kind, key: string): Document | undefined {
  const stored = mirror
    .sql('SELECT row, detail FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL')
    .get(kind.name, key) as { row: string | null; detail: string | null } | undefined;
  return stored && documentOf(stored);
}

/** A ballot in the shape of `/votes/{id}`, or undefined. */
export function readBallotOf(mirror: Mirror, chamber: Chamber, scrutinId: string): Ballot | undefined {
  const document = readRecord(mirror, kindOf('ballot'), `${chamber}:${scrutinId}`);
  return document && readBallot(document, { chamber, scrutinId });
}

/** The content hash of a record's dataset row, or null if there is no such row. */
export function rowHash(mirror: Mirror, kind: Kind, key: string): string | null {
  const hash = mirror
    .sql('SELECT hash FROM record WHERE kind = ? AND key = ? AND withdrawn IS NULL')
    .pluck()
    .get(kind.name, key);
  return typeof hash === 'string' ? hash : null;
}
