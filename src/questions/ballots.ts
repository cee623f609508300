import { type Ballot, countFields, countFieldsOf, type Stance, stanceOf, stances } from '../model/ballot.ts';
import { positionPhrase, unlistedGroupsPhrase } from '../model/ballot-sentence.ts';
import { column, flatCountColumns, nonNull, present } from '../model/columns.ts';
import { type Document, documentsIn, isDocument } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { ballotDerivedColumns, groupVoteColumns } from '../parliament/derived-columns.ts';
import { natureFilters } from '../parliament/nature.ts';
import type { Mirror } from '../store/mirror.ts';
import type { ResolvedGroups } from '../store/records/agreement.ts';
import { ballotSorts } from '../store/records/ballot-orders.ts';
import { type BallotFilter, ballotSummary, listBallots } from '../store/records/ballots.ts';
import { searchNearBallots } from '../store/search/ballots-by-words.ts';
import { totalOf } from '../store/search/ranking.ts';
import { loosestRelaxation } from '../store/search/relaxation.ts';
import { amount, type Phrase, type Speech, say } from '../words/speech.ts';
import {
  resolveBallots,
  resolveVotedText,
  selectionColumn,
  selectionFields,
  selectionNotes,
  selectionParameters,
} from './ballot-selection.ts';
import { findVoters, individualVoteNotes, refuseNonAttached } from './individual-votes.ts';
import { literalParameter } from './interpretation.ts';
import { withParameterFault } from './names.ts';
import { BadValueError, isSetValue, type Parameter, type Values } from './parameter.ts';
import {
  chamberChoice,
  cursor,
  filter,
  integerParameter,
  itemLimit,
  listParameter,
  optionalParameter,
  optionalWords,
  readShare,
  singleChoice,
  truth,
} from './parameter-kinds.ts';
import { listQuestion } from './question.ts';
import { subjectFilter } from './record-filters.ts';
import { relatedColumn, relatedTextsField } from './related-texts.ts';
import { dayBound } from './time-bounds.ts';

function positionFilter(description: string) {
  return listParameter(description, {
    pattern: '^.+:.+$',
    example: 'ADR:for',
    flag: { helpValue: 'GROUP:POSITION' },
    groupNamesIn: (values) => (values as { requestedName: string }[]).map(({ requestedName }) => requestedName),
    read(text) {
      const colon = text.lastIndexOf(':');
      const stance = stanceOf(text.slice(colon + 1));
      if (colon < 1 || stance === null)
        throw new BadValueError(say`must be GROUP:POSITION, a position being one of ${stances.join(', ')}`);
      return { requestedName: text.slice(0, colon), stance };
    },
  });
}

/** Filters of ballots, for lists and statistics. */
export const ballotFilters = {
  q: optionalWords('words in the title or the legislative file', { example: 'retraites' }),
  chamber: chamberChoice(undefined),
  since: dayBound('start', 'held on this day or later'),
  until: dayBound('end', 'held on this day or earlier'),
  result: filter('result announced by the chamber', { example: 'adopté', names: 'ballot result' }),
  type: filter('type of ballot, in the chamber’s wording', {
    example: 'scrutin public ordinaire',
    names: 'ballot type',
  }),
  topic: filter('topic, if the service assigns topics to ballots', { names: 'topic' }),
  nature: singleChoice(natureFilters, 'what the ballot was held on, derived from its type and title'),
  one_sided: truth('ballots that record only votes in favour, such as motions of censure'),
  voted: positionFilter('GROUP:for, GROUP:against or GROUP:abstention; repeatable, all conditions must match'),
  voted_stated: positionFilter('the same by the position that the source states, also on one-sided ballots'),
  text: filter('text put to the vote: its title, or words of its title', { example: 'retraites des gardiens' }),
  ...selectionParameters,
  subject: subjectFilter,
  literal: literalParameter,
};

/** Returns a list parameter of party and group names; `isGroupName` is false for keywords such as `majority`. */
export function groupsParameter(
  description: string,
  { example = 'ADR', isGroupName = () => true }: { example?: string; isGroupName?: (name: string) => boolean } = {},
): Parameter<string[]> {
  const groupNamesIn = (names: unknown) => (names as string[]).filter(isGroupName);
  const flag = { aliases: ['party', 'parti'] };
  return listParameter(description, { pattern: '\\S', example, read: (name) => name.trim(), groupNamesIn, flag });
}

/** Returns the voting groups that each name matches; throws a NotFoundError or an AmbiguousNameError. */
export function resolveGroups(mirror: Mirror, names: string[]): ResolvedGroups[] {
  const groupsOf = (name: string) => withParameterFault('group', () => findVoters(mirror, name), name);
  return names.map((name) => ({ requestedName: name, groups: groupsOf(name) }));
}

const columns = 'date chamber scrutin_id result votes_for votes_against votes_abstention margin voted title'.split(' ');

/** A minimum share of dissent, 0 to 1; `requestedName` is null for any group. */
type DissentBound = { requestedName: string | null; share: number };

const dissentFilter = optionalParameter(
  'any group with at least that share of dissent (0.2 or 20%), or one group: GROUP:20%',
  { type: 'string', minLength: 1, maxLength: 500, examples: ['ADR:20%'] },
  (text): DissentBound => {
    const colon = text.lastIndexOf(':');
    // Both `20%` and `:20%` stand for any group.
    return { requestedName: colon < 1 ? null : text.slice(0, colon), share: readShare(text.slice(colon + 1)) };
  },
  {
    flag: { helpValue: '[GROUP:]SHARE' },
    groupNamesIn: (value) => [(value as DissentBound).requestedName].filter((name) => name !== null),
  },
);

/** Ballots by subject and by how groups voted. */
export const ballots = listQuestion('ballots', {
  parameters: {
    ...ballotFilters,
    group: groupsParameter('groups whose counts and position are listed with each ballot'),
    margin: integerParameter('maximum margin of votes', { minimum: 0 }),
    dissent: dissentFilter,
    sort: singleChoice(ballotSorts, 'sort order: newest, oldest or closest first', { fallback: 'date' }),
    limit: itemLimit(100, 'maximum number of ballots'),
    cursor,
  },
  kindsRead: () => ['ballot'],
  recordOfItem: () => ({ kind: 'ballot' }),
  fields: [
    ...kindOf('ballot').columns.filter(({ name }) => name !== 'votes_by_party'),
    column.integer(
      'margin',
      'Distance between for and against; for a motion of censure, between for and the votes required. Null if ' +
        'a count is not published, or if another majority was required.',
      present,
    ),
    column.json('voted', 'Counts and position of each requested group; absent if no group was requested.', {
      inside: { list: groupVoteColumns },
    }),
    column.json(
      'dissenting',
      'Groups whose dissent reaches the requested share, with their counts; absent without `dissent`.',
      { inside: { list: groupVoteColumns } },
    ),
    ...ballotDerivedColumns,
    column.text('direction', 'Position stated in the list of ballots; absent without a list.'),
    column.text('reason', 'Reason stated in the list of ballots; absent without a list.'),
  ],
  answerFields: [
    selectionColumn,
    column.json(
      'near',
      'Suggestions if no ballot contains all words and no other filter is set: `items`, their `total`, and `relaxed`, how ' +
        'they resemble the words (`family`, `corrected`, `file` or `any-word`). Absent if none.',
    ),
    relatedColumn,
    column.json(
      'remarks',
      'How many ballots `voted` left out as the position is not counted, in words; absent if none.',
    ),
    column.json('corrected', 'Corrected words of `near`: no ballot contains the original; absent if none.', {
      inside: {
        list: [column.text('from', 'The word as typed.', nonNull), column.text('to', 'The word searched.', nonNull)],
      },
    }),
  ],
  columns,
  columnsFor: ({ dissent, ballots: listedBallots }) => [
    ...columns.slice(0, -1),
    ...(dissent === undefined ? [] : ['dissenting']),
    ...(listedBallots.length === 0 ? [] : ['direction', 'reason']),
    'title',
  ],
  allColumns: [
    ...'ballot date chamber scrutin_id number legislature session type result required'.split(' '),
    ...flatCountColumns.map(({ name }) => name),
    ...'margin voted dissenting direction reason title dossier url'.split(' '),
    ...ballotDerivedColumns.map(({ name }) => name),
  ],
  toRow({ totals, voted, dissenting, ...ballot }: Document, speech?: Speech): Document {
    const isOneSided = ballot.one_sided === true;
    const phraseOf = (votes: Document) => say`${String(votes.party)}: ${positionPhrase(votes, isOneSided)}`;
    const unlistedText = speech ? unlistedGroupsPhrase(voted) : null; // files have an empty cell
    const phrases = unlistedText ? [unlistedText] : documentsIn(voted).map(phraseOf);
    const dissenters = documentsIn(dissenting).flatMap(({ party }) => party ?? []);
    const publishedCounts = isDocument(totals) ? totals : {};
    // Tables (with `speech`) omit 0 votes against on one-sided ballots, which people would misread; files have them.
    const fields = speech ? countFieldsOf(ballot as Ballot) : countFields;
    return {
      ballot: `${ballot.chamber}:${ballot.scrutin_id}`,
      ...ballot,
      ...Object.fromEntries(fields.map((field) => [`votes_${field}`, publishedCounts[field] ?? null])),
      voted: phrases.map((phrase) => speech?.render(phrase) ?? `${phrase}`).join('; ') || null,
      dissenting: dissenters.join(', ') || null,
    };
  },
  notes: (mirror, values) => [...selectionNotes(mirror, values), ...individualVoteNotes(mirror, values.q ?? '', true)],
  read(mirror, values) {
    const reportedGroups = resolveGroups(mirror, values.group).flatMap(({ groups }) => groups);
    const { requestedName = null, share } = values.dissent ?? {};
    const groups = requestedName === null ? null : findFilterGroups(mirror, 'dissent', requestedName);
    const dissent = share === undefined ? undefined : { groups, share };
    const choice = resolveBallotFilters(mirror, values);
    const filter = { ...values, ...choice, dissent, reportedGroups };
    const remarks = uncountedNotes(mirror, filter);
    const page = { ...listBallots(mirror, filter), remarks };
    const suggestionSearch = page.total === 0 && hasWordsOnly(values) ? searchNearBallots(mirror, values) : null;
    const notes = remarks.length > 0 && { remarks: remarks.map(String) };
    const extra = { ...selectionFields(mirror, values), ...relatedTextsField(mirror, choice.text, values.q), ...notes };
    if (suggestionSearch === null) return { ...page, extra };
    const { steps, matches, corrections: corrected } = suggestionSearch;
    const items = matches.map(({ id }) => ballotSummary(mirror, id, { voted: [], reportedGroups }));
    const suggestions = steps.length === 0 ? null : { relaxed: loosestRelaxation(steps), total: totalOf(steps), items };
    return { ...page, near: suggestions, extra: { ...extra, ...(corrected.length > 0 && { corrected }) } };
  },
});

/** Notes how many ballots `voted` omits because the group's position is stated but not counted; empty for none. */
function uncountedNotes(mirror: Mirror, { cursor, ...filter }: BallotFilter): Phrase[] {
  // Both counts require the stated position, the second also the counted one: their difference is the omitted ballots.
  const votedStated = [...filter.votedStated!, ...filter.voted];
  const count = (voted: BallotFilter['voted']) =>
    listBallots(mirror, { ...filter, voted, votedStated, limit: 0 }).total!;
  const omittedCount = count([]) - count(filter.voted);
  const note = say`left out: ${amount(omittedCount, 'ballot')} with this position stated, not counted (members not stated, or most did not vote for); --voted-stated lists them`;
  return omittedCount === 0 ? [] : [note];
}

function hasWordsOnly({ q, group, sort, limit, literal, ...filters }: Record<string, unknown>): boolean {
  // `group`, `sort`, `limit` and `literal` do not restrict the list.
  return Boolean(q) && !Object.values(filters).some(isSetValue);
}

/** Resolves names in the filters to groups, a text and ballots; throws an error that names the parameter. */
export function resolveBallotFilters(mirror: Mirror, values: Values<typeof ballotFilters>) {
  const { voted, voted_stated: votedStated, text, ballots, one_sided: isOneSided } = values;
  return {
    voted: resolvePositions(mirror, 'voted', voted),
    votedStated: resolvePositions(mirror, 'voted_stated', votedStated),
    oneSided: isOneSided || undefined,
    text: text === undefined ? undefined : withParameterFault('text', () => resolveVotedText(mirror, text)).key,
    chosen: resolveBallots(mirror, ballots),
  };
}

const resolvePositions = (mirror: Mirror, parameter: string, positions: { requestedName: string; stance: Stance }[]) =>
  positions.map((each) => ({ ...each, groups: findFilterGroups(mirror, parameter, each.requestedName) }));

/** Returns the groups that a name matches; throws for non-attached members, except by stated position. */
function findFilterGroups(mirror: Mirror, parameter: string, name: string): string[] {
  const groups = withParameterFault(parameter, () => findVoters(mirror, name));
  if (parameter !== 'voted_stated') refuseNonAttached(mirror, parameter, { requestedName: name, groups });
  return groups;
}
