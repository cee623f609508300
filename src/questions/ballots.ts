import { countFields, stanceOf, stances } from '../model/ballot.ts';
import { column, flatCounts, nonNull, partyVotes, present } from '../model/columns.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { findGroups } from '../names/lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { ballotParts, type ResolvedGroups } from '../store/records/agreement.ts';
import { ballotSorts } from '../store/records/ballot-orders.ts';
import { listBallots, votingGroups } from '../store/records/ballots.ts';
import { say } from '../words/speech.ts';
import {
  chosenBallots,
  resolveVotedText,
  selectionChoice,
  selectionColumn,
  selectionNotes,
  selectionOf,
} from './ballot-selection.ts';
import { naming } from './names.ts';
import { BadValueError, type Parameter, type Values } from './parameter.ts';
import { chamberChoice, choice, count, cursor, filter, integer, several, share, words } from './parameter-kinds.ts';
import { descriptionOf, listQuestion } from './question.ts';
import { dayBound } from './time-bounds.ts';

/** Filters of ballots, for lists and statistics. */
export const ballotChoice = {
  q: words('words in the title or the legislative file', { example: 'retraites' }),
  chamber: chamberChoice(undefined),
  since: dayBound('start', 'held on this day or later'),
  until: dayBound('end', 'held on this day or earlier'),
  result: filter('result announced by the chamber', { example: 'adopté', names: 'ballot result' }),
  type: filter('type of ballot, in the chamber’s wording', {
    example: 'scrutin public ordinaire',
    names: 'ballot type',
  }),
  topic: filter('topic, if the service assigns topics to ballots', { names: 'topic' }),
  voted: several('GROUP:for, GROUP:against or GROUP:abstention; repeatable, all conditions must match', {
    pattern: '^.+:.+$',
    example: 'ADR:for',
    flag: { helpValue: 'GROUP:STANCE' },
    votersIn: (values) => (values as { requestedName: string }[]).map(({ requestedName }) => requestedName),
    read(text) {
      const colon = text.lastIndexOf(':');
      const stance = stanceOf(text.slice(colon + 1));
      if (colon < 1 || stance === null)
        throw new BadValueError(say`must be GROUP:POSITION, a position being one of ${stances.join(', ')}`);
      return { requestedName: text.slice(0, colon), stance };
    },
  }),
  text: filter('text put to the vote: its title, or words of its title', { example: 'retraites des gardiens' }),
  ...selectionChoice,
};

/** Voting parties and groups by slug, short name or name; `isVoter` excludes other words of the parameter. */
export function groupsParameter(
  description: string,
  { example = 'ADR', isVoter = () => true }: { example?: string; isVoter?: (name: string) => boolean } = {},
): Parameter<string[]> {
  const votersIn = (names: unknown) => (names as string[]).filter(isVoter);
  return several(description, { pattern: '\\S', example, read: (name) => name.trim(), votersIn });
}

/** The voting groups that each name matches. */
export function resolveGroups(mirror: Mirror, names: string[]): ResolvedGroups[] {
  const voting = votingGroups(mirror);
  const groupsOf = (name: string) => naming('group', () => findGroups(mirror, name, voting), name);
  return names.map((name) => ({ requestedName: name, groups: groupsOf(name) }));
}

/** How figures over ballots are split: by month, session or topic. */
export const ballotParting = choice(ballotParts, 'one row per month, session or topic', {
  fallback: undefined,
});

/** The column of the month, session or topic of a figure. */
export const partColumn = column.text(
  'part',
  'The month, session or topic that the figures are of; null for ballots that state none, absent without `by`.',
);

const columns = 'date chamber scrutin_id result votes_for votes_against votes_abstention margin voted title'.split(' ');

/** Ballots by subject and by how groups voted. */
export const ballots = listQuestion({
  ...descriptionOf('ballots'),
  parameters: {
    ...ballotChoice,
    group: groupsParameter('groups whose counts and position are listed with each ballot'),
    margin: integer('maximum margin of votes', { minimum: 0 }),
    dissent: share('at least one group with this share of dissent or more (0.2 or 20%)'),
    sort: choice(ballotSorts, 'sort order: newest, oldest or closest first', { fallback: 'date' }),
    limit: count(100, 'maximum number of ballots'),
    cursor,
  },
  reads: () => ['ballot'],
  fields: [
    ...kindOf('ballot').columns.filter(({ name }) => name !== 'votes_by_party'),
    column.integer(
      'margin',
      'Distance between for and against; for a motion of censure, between for and the votes required. Null if ' +
        'a count is not published, or if another majority was required.',
      present,
    ),
    column.json('voted', 'Counts and position of each requested group; absent if no group was requested.', {
      inside: { list: partyVotes },
    }),
    column.json(
      'dissenting',
      'Groups whose dissent reaches the requested share, with their counts; absent without `dissent`.',
      { inside: { list: partyVotes } },
    ),
    column.text('direction', 'Position stated in the list of ballots; absent without a list.'),
    column.text('reason', 'Reason stated in the list of ballots; absent without a list.'),
  ],
  beside: [
    selectionColumn,
    column.text(
      'relaxed',
      'Set if fewer than ten ballots contain all words and other ballots follow, nearest first. `file`: same ' +
        'legislative file as texts with all words. `any-word`: some of the words.',
    ),
    column.json('corrected', 'Corrected words: no ballot contains the original; absent if none.', {
      inside: {
        list: [column.text('from', 'The word as typed.', nonNull), column.text('to', 'The word searched.', nonNull)],
      },
    }),
  ],
  columns,
  columnsFor: ({ dissent, ballots: listed }) => [
    ...columns.slice(0, -1),
    ...(dissent === undefined ? [] : ['dissenting']),
    ...(listed.length === 0 ? [] : ['direction', 'reason']),
    'title',
  ],
  allColumns: [
    ...'ballot date chamber scrutin_id number legislature session type result required'.split(' '),
    ...flatCounts.map(({ name }) => name),
    ...'margin voted dissenting direction reason title dossier url'.split(' '),
  ],
  flat({ totals, voted: groups, dissenting, ...ballot }: Document): Document {
    const statedCounts = isDocument(totals) ? totals : {};
    return {
      ballot: `${ballot.chamber}:${ballot.scrutin_id}`,
      ...ballot,
      ...Object.fromEntries(countFields.map((field) => [`votes_${field}`, statedCounts[field] ?? null])),
      voted:
        documentsIn(groups)
          .map(({ party, position }) => `${party}: ${position ?? ''}`)
          .join(', ') || null,
      dissenting:
        documentsIn(dissenting)
          .flatMap(({ party }) => party ?? [])
          .join(', ') || null,
    };
  },
  notes: selectionNotes,
  read(mirror, values) {
    const relaxes = ['corrected', 'file', 'any-word'] as const;
    const reportedGroups = resolveGroups(mirror, values.group).flatMap(({ groups }) => groups);
    const result = listBallots(mirror, { ...values, ...chosen(mirror, values), reportedGroups, relaxes });
    const { relaxed, corrected, ...page } = result;
    const done = { ...(relaxed && { relaxed }), ...(corrected.length > 0 && { corrected }) };
    return { ...page, extra: { ...selectionOf(mirror, values), ...done } };
  },
});

/** Resolves the names in the filters: groups by their positions, the text, and the ballots of a list. */
export function chosen(mirror: Mirror, { voted, text, ballots }: Values<typeof ballotChoice>) {
  const voting = voted.length > 0 ? votingGroups(mirror) : new Set<string>();
  return {
    voted: voted.map((each) => ({
      ...each,
      groups: naming('voted', () => findGroups(mirror, each.requestedName, voting)),
    })),
    text: text === undefined ? undefined : naming('text', () => resolveVotedText(mirror, text)).key,
    chosen: chosenBallots(mirror, ballots),
  };
}
