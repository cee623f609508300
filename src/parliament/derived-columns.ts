import { column, nonNull, partyVoteColumns, present } from '../model/columns.ts';
import { natures, textKinds } from './nature.ts';

/** Start of the descriptions of `no_vote_recorded`, which continue after `Null`. */
const noVoteDescription =
  'Members without a recorded vote, derived from members less all recorded votes and declared non-voters. ' +
  'The source does not state the reason: absence, unused delegation, or not published. Null';

/** Derived columns of a ballot, which follow those of the source in lists, flat files and the dictionary. */
export const ballotDerivedColumns = [
  column.text('nature', 'What the ballot was held on, derived from its title and type; null where no rule fits.', {
    ...present,
    words: natures,
  }),
  column.text('text_kind', 'Kind of the text, derived from the title and type; null where neither names one.', {
    ...present,
    words: textKinds,
  }),
  column.boolean(
    'one_sided',
    'True if only votes for are recorded, derived from title, type and counts. On such ballots, as motions of ' +
      'censure, no group can be shown as against.',
    nonNull,
  ),
  column.integer(
    'members',
    'Members of all groups, derived from theirs; null unless every group states its members and counts.',
    present,
  ),
  column.integer('no_vote_recorded', `${noVoteDescription} unless every group states its members and counts.`, present),
  column.number(
    'turnout',
    'Share of the members of all groups who voted for or against or abstained, 0 to 1, derived from their counts. ' +
      'Only for the Assemblée, as delegates cast the votes of whole groups in the Sénat; null on one-sided ballots.',
    present,
  ),
];

/** Derived columns of the votes of a group, which follow those of the source. */
export const groupDerivedColumns = [
  column.text('stated_position', 'The position in the word of the source.', present),
  column.integer('no_vote_recorded', `${noVoteDescription} if members or counts are not stated.`, present),
  column.number(
    'dissent',
    'Share of the group’s voters outside its most frequent choice, 0 to 1, derived from its counts; null on one-sided ' +
      'ballots.',
    present,
  ),
];

const countedPosition =
  'Position as counted, derived from the stated one: on one-sided ballots for only if most members voted for, else ' +
  'null; null for non-attached members.';

/** Columns of a group's votes in flat files and in answers to questions of this program only: with counted position. */
export const groupVoteColumns = [
  ...partyVoteColumns.map((each) =>
    each.name === 'position' ? column.text('position', countedPosition, present) : each,
  ),
  ...groupDerivedColumns,
];
