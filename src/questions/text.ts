import { column, present } from '../model/columns.ts';
import { subjectOf } from '../parliament/ballot-text.ts';
import type { Mirror } from '../store/mirror.ts';
import { listBallots } from '../store/records/ballots.ts';
import { groupingFields, groupingPhrases, resolveVotedText } from './ballot-selection.ts';
import { ballotFilters, ballots, resolveGroups } from './ballots.ts';
import { withParameterFault } from './names.ts';
import { cursor, itemLimit, pathParameter } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';
import { relatedColumn, relatedTextsField } from './related-texts.ts';

const { q, nature, one_sided, subject, chamber, since, until } = ballotFilters;

const columns = ['date', 'ballot', 'result', 'votes_for', 'votes_against', 'votes_abstention', 'subject'];

/** The ballots on one text. */
export const text = listQuestion('text', {
  parameters: {
    text: pathParameter('the title of the text, or words of it', { example: 'retraites des gardiens' }),
    q,
    nature,
    one_sided,
    subject,
    chamber,
    since,
    until,
    group: ballots.parameters.group!,
    limit: itemLimit(100, 'maximum number of ballots'),
    cursor,
  },
  kindsRead: () => ['ballot'],
  recordOfItem: () => ({ kind: 'ballot' }),
  fields: [
    ...ballots.fields!.filter(({ name }) => !['dissenting', 'direction', 'reason'].includes(name)),
    column.text(
      'subject',
      'Part of the text put to the vote: the ballot’s title without the title of the text.',
      present,
    ),
  ],
  answerFields: [
    column.text('text', 'Title of the text, in the most frequent spelling among the ballots.', present),
    column.text('grouped_by', 'Grouping of the ballots, in this order: `dossier`, bill `number`, `title`.', present),
    column.text('also_spelt', 'Other spellings of the title in these ballots, separated by semicolons.', present),
    relatedColumn,
  ],
  columns,
  columnsFor: ({ group }) => (group.length === 0 ? columns : [...columns.slice(0, -1), 'voted', 'subject']),
  toRow: ballots.toRow!,
  notes: (mirror, { text: name }) => groupingPhrases(groupingFields(resolveText(mirror, name))),
  read(mirror, { text: name, one_sided: isOneSided, group, ...values }) {
    const reportedGroups = resolveGroups(mirror, group).flatMap(({ groups }) => groups);
    const votedText = resolveText(mirror, name);
    const page = listBallots(mirror, {
      ...values,
      text: votedText.key,
      oneSided: isOneSided || undefined,
      voted: [],
      reportedGroups,
      sort: 'oldest',
    });
    const items = page.items.map((json) => {
      const ballot = JSON.parse(json);
      return JSON.stringify({ ...ballot, subject: ballot.title && subjectOf(ballot.title) });
    });
    return { ...page, items, extra: { ...groupingFields(votedText), ...relatedTextsField(mirror, votedText.key) } };
  },
});

/** Finds the voted text; over HTTP, a missing one is 404 (no fault), an ambiguous name 422 (fault of the parameter). */
const resolveText = (mirror: Mirror, name: string) =>
  withParameterFault(null, () => withParameterFault('text', () => resolveVotedText(mirror, name)));
