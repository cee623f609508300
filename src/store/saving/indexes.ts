import { refreshNameIndex } from '../../names/name-index.ts';
import type { Mirror } from '../mirror.ts';
import { keepTerms } from '../word-index/terms.ts';
import { refreshBallotIndex } from './ballot-index.ts';

/** Brings up to date what is looked up in place of records: ballots as columns, names, and the words of the index. */
export function refreshIndexes(mirror: Mirror): void {
  refreshBallotIndex(mirror);
  refreshNameIndex(mirror);
  keepTerms(mirror);
}
