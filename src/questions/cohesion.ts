import { UsageError } from '../errors.ts';
import { agreementFormula } from '../model/agreement.ts';
import { column, nonNull, present } from '../model/columns.ts';
import { cohesionSorts, computeCohesions } from '../store/records/agreement.ts';
import { say } from '../words/speech.ts';
import {
  ballotChamberColumn,
  fewColumn,
  figurePage,
  figureParameters,
  figureQuestion,
  partColumn,
} from './ballot-figures.ts';
import { selectionNotes } from './ballot-selection.ts';
import { groupsParameter, resolveGroups } from './ballots.ts';
import { refuseNonAttached } from './individual-votes.ts';
import { singleChoice } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';

const { text, integer, number } = column;

const fields = [
  partColumn,
  text('group', 'The group as given in the request, otherwise its slug.', nonNull),
  text('name', 'Name of the group in the latest of these ballots; null if the source states none.', present),
  ballotChamberColumn,
  integer('ballots', 'Number of selected ballots that list the group.', nonNull),
  number(
    'agreement_index',
    'Mean Agreement Index, 0 to 1; null if n is 0. Always 1 for a single voter: prefer agreement_index_over_3.',
    present,
  ),
  integer('n', 'Number of ballots in which at least one member voted.', nonNull),
  number('agreement_index_over_3', 'The same, without ballots in which three members or fewer voted.', present),
  integer('n_over_3', 'Number of ballots in which more than three members voted.', nonNull),
  integer('not_listed', 'Excluded: number of selected ballots of the chamber that do not list the group.', nonNull),
  integer('no_vote', 'Excluded: number of ballots in which no member voted.', nonNull),
  integer('not_published', 'Excluded: number of ballots for which the group’s counts are not published.', nonNull),
  integer('one_sided', 'Excluded: number of ballots that record only votes in favour, as motions of censure.', nonNull),
  fewColumn,
  number(
    'participation',
    'Turnout: mean share of members who voted for, against or abstained. Only for the Assemblée, as delegates cast ' +
      'the votes of whole groups in the Sénat; null if member counts are not stated.',
    present,
  ),
  integer('n_participation', 'Number of ballots of the Assemblée that state the group’s member count.', nonNull),
  number(
    'ballots_with_votes',
    'Share of the counted ballots in which at least one member voted. Not a rate of attendance.',
    present,
  ),
  number('presence', 'Former name of ballots_with_votes, until the next release.', present),
];

const fieldNames = fields.map(({ name }) => name);
const omittedColumns = ['part', 'ballots', 'not_published', 'participation', 'presence', 'few'];
// A narrow screen omits the last columns first: a share never stands without its number of ballots.
const columns = fieldNames
  .filter((name) => !omittedColumns.includes(name))
  .flatMap((name) => (name === 'n_participation' ? [name, 'participation'] : [name]));

/** How united each group voted over a selection of ballots. */
export const cohesion = listQuestion('cohesion', {
  ...figureQuestion,
  description:
    `The Agreement Index: ${agreementFormula}. A group with one voter is 1 by construction, so the mean is ` +
    'also given without ballots of three voters or fewer. Non-attached members are not counted as a group.',
  parameters: {
    group: groupsParameter('groups (default: all)'),
    ...figureParameters,
    sort: singleChoice(cohesionSorts, 'sort order: by name (or as given), or most divided first', { fallback: 'name' }),
  },
  fields,
  columns,
  columnsFor: ({ by }) => (by === undefined ? columns : ['part', ...columns]),
  allColumns: [...fieldNames.filter((name) => name !== 'not_listed'), 'not_listed'],
  notes: (mirror, values) => [
    ...selectionNotes(mirror, values),
    agreementFormula,
    say`n: ballots in which at least one member voted; _over_3: without ballots of three voters or fewer (one voter always gives 1)`,
    say`participation (turnout) = mean of votes cast / members, over n_participation ballots: those of the Assemblée whose source states the members; ballots_with_votes: share in which any member voted`,
    say`excluded: not_listed, no_vote, not_published, one_sided (only votes for are recorded, as of motions of censure)`,
  ],
  read(mirror, { group, sort, by, sum, ...values }) {
    const reason = say`has no cohesion: votes against and abstentions are not recorded`;
    if (values.one_sided) throw new UsageError(say`a one-sided ballot ${reason}`).withFault('one_sided', reason);
    const requestedGroups = resolveGroups(mirror, [...new Set(group)]);
    for (const each of requestedGroups) refuseNonAttached(mirror, 'group', each);
    const options = { requestedGroups, sort, by, isSummed: sum };
    return figurePage(mirror, values, (choice) => computeCohesions(mirror, choice, options));
  },
});
