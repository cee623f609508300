import { refreshNameIndex } from '../../names/name-index.ts';
import type { Mirror } from '../mirror.ts';
import { keepTerms } from '../word-index/terms.ts';
import { refreshBallotIndex } from './ballot-index.ts';
import { refreshSourceUses } from './source-uses.ts';

/** Brings up to date what is looked up in place of records: ballots as columns, names, the words of the index, and what rests on sources. */
export function refreshIndexes(mirror: Mirror): void {
  refreshBallotIndex(mirror);
  refreshNameIndex(mirror);
  keepTerms(mirror);
  refreshSourceUses(mirror);
}
