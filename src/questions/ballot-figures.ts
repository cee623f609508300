import type { Chamber } from '../model/ballot.ts';
import { column, nonNull, present } from '../model/columns.ts';
import type { Mirror } from '../store/mirror.ts';
import { ballotParts, rowChambers } from '../store/records/agreement.ts';
import type { BallotChoice } from '../store/records/ballots.ts';
import { readCoverage } from '../store/records/coverage.ts';
import { readWordsFilter } from '../store/search/all-words.ts';
import { selectionColumn, selectionFields } from './ballot-selection.ts';
import { ballotFilters, resolveBallotFilters } from './ballots.ts';
import type { Values } from './parameter.ts';
import { singleChoice, truth } from './parameter-kinds.ts';
import { completePage, type Page } from './question.ts';
import { relatedColumn, relatedTextsField } from './related-texts.ts';

/** The column with the month, session or topic that a row's figures are for. */
export const partColumn = column.text(
  'part',
  'The month, session or topic that the figures are of; null for ballots that state none, absent without `by`.',
);

/** Parameters of figures over ballots: how they are split and summed, and over which ballots. */
export const figureParameters = {
  by: singleChoice(ballotParts, 'one row per month, session or topic'),
  sum: truth('one more row with the sum of both chambers, named AN+Senat'),
  ...ballotFilters,
};

/** The column with the chamber that a row's figures are for. */
export const ballotChamberColumn = column.text(
  'chamber',
  'Chamber that the figures are of; AN+Senat for a sum, which is only given on request; null where no ballot lists the group.',
  { ...present, words: rowChambers },
);

/** The column that marks a share of few ballots. */
export const fewColumn = column.boolean('few', 'True if n is 1 to 9: show the numbers, not a percentage.', nonNull);

/** Properties that all questions for figures over ballots share. */
export const figureQuestion = {
  // Version 2 has a row per chamber, and positions on one-sided ballots by the majority of members.
  version: 2,
  kindsRead: () => ['ballot', 'party'] as const,
  covers: (mirror: Mirror, { chamber }: { chamber: Chamber | undefined }) => readCoverage(mirror, ['ballot'], chamber),
  alwaysStatesCoverage: true as const,
  answerFields: [selectionColumn, relatedColumn],
};

/** Returns the page of the figures that `rowsOf` computes over the ballots that match the filters. */
export function figurePage(
  mirror: Mirror,
  values: Values<typeof ballotFilters>,
  rowsOf: (choice: BallotChoice) => readonly object[],
): Page {
  const resolvedFilters = resolveBallotFilters(mirror, values);
  const extra = { ...selectionFields(mirror, values), ...relatedTextsField(mirror, resolvedFilters.text, values.q) };
  const { interpretations } = readWordsFilter(mirror, values.q ?? '', ['ballot']);
  return { ...completePage(rowsOf({ ...values, ...resolvedFilters })), interpretations, extra };
}
