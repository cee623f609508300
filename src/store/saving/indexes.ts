import { updateNameIndexAndCounts } from '../../names/name-index.ts';
import { bumpVersion, type Mirror } from '../mirror.ts';
import { saveRenames } from '../renames.ts';
import { saveTerms } from '../word-index/terms.ts';
import { refreshBallotTables } from './ballot-tables.ts';
import { refreshSourceUses } from './source-uses.ts';

/** Refreshes what is derived from records: renames, ballot tables, index of names, tokens, and cited sources. */
export function refreshIndexes(mirror: Mirror): void {
  if (saveRenames(mirror)) bumpVersion(mirror);
  refreshBallotTables(mirror);
  updateNameIndexAndCounts(mirror);
  saveTerms(mirror);
  refreshSourceUses(mirror);
}
