import { isBallot } from './ballot.ts';
import type { Document } from './document.ts';
import type { Kind } from './kind.ts';

/** Fields of full profiles that no column holds. */
const parts = ['name', 'positions', 'promises', 'quotes', 'members', 'sources'];

/** True if a document states anything that a record of that kind has: an error answered with 200 does not. */
export function isRecordOf(kind: Kind, document: Document): boolean {
  if (kind.name === 'ballot') return isBallot(document);
  return [...kind.columns.map(({ name }) => name), ...parts].some((field) => field in document);
}
