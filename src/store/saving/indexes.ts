import { refreshNameIndex } from '../../names/name-index.ts';
import type { Mirror } from '../mirror.ts';
import { saveTerms } from '../word-index/terms.ts';
import { refreshBallotTables } from './ballot-tables.ts';
import { refreshSourceUses } from './source-uses.ts';

/** Refreshes the derived indexes: ballot columns, names, tokens, and cited sources. */
export function refreshIndexes(mirror: Mirror): void {
  refreshBallotTables(mirror);
  refreshNameIndex(mirror);
  saveTerms(mirror);
  refreshSourceUses(mirror);
}
