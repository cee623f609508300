import { affiliationEvents } from '../model/affiliation.ts';
import { column, nonNull, present } from '../model/columns.ts';
import { partyLinkColumn } from '../parliament/membership.ts';
import {
  affiliationPeriod,
  countNonMoves,
  listAffiliations,
  listContinuations,
} from '../store/records/affiliations.ts';
import { readCoverage } from '../store/records/coverage.ts';
import { type StayReason, stayReasons } from '../store/records/moves.ts';
import { figure, type Phrase, say } from '../words/speech.ts';
import { cursor, filter, itemLimit, partyFilter, singleChoice, truth } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';
import { createRecordFilter, seatFilters, subjectFilter } from './record-filters.ts';
import { dayBound } from './time-bounds.ts';

const { text, date } = column;

/** Phrases for the reasons why a new membership is no move from one party or group to another. */
export const reasonPhrases: Record<StayReason, Phrase> = {
  'before-group': say`no group yet, in a new legislature or just after entering the chamber`,
  first: say`the first known party, or the first known group in that chamber`,
  renewed: say`the same party or group as before, or one with the same short name`,
  renamed: say`the successor of the previous one: two thirds of its members, at least three, moved there on one day`,
};

const columns = ['date', 'event', 'full_name', 'party_name', 'role', 'party_link', 'politician', 'party'];

/** Politicians who joined or left a party or group. */
export const affiliations = listQuestion('affiliations', {
  parameters: {
    since: dayBound('start', 'on this day or later'),
    until: dayBound('end', 'on this day or earlier'),
    politician: filter('slug of a politician', { example: 'oceane-bruyevre', names: 'politician' }),
    party: partyFilter,
    ...seatFilters,
    subject: subjectFilter,
    moved: truth(
      'only politicians who moved from one party or group to another; first memberships, renewals and renamed ' +
        'groups are excluded and counted',
    ),
    event: singleChoice(affiliationEvents, 'only affiliations that began, or only those that ended'),
    cursor,
    limit: itemLimit(100, 'maximum number of rows'),
  },
  kindsRead: () => ['politician', 'party'],
  covers: (mirror) =>
    readCoverage(mirror, ['politician']).map((row) => ({ ...row, ...affiliationPeriod(mirror), days: 'affiliation' })),
  fields: [
    date('date', 'The day, ISO 8601.', nonNull),
    text('event', 'began or ended.', { ...nonNull, words: affiliationEvents }),
    text('politician', 'Slug of the politician.', nonNull),
    text('full_name', 'Name of the politician.', present),
    text('party', 'Slug of the party or group (`slug` in `parties`).', present),
    text('party_name', 'Name of the party or group; null if the mirror does not contain it.', present),
    text('role', 'Role in the party or group, in the source’s wording.', present),
    date('start', 'First day of the affiliation; null if not stated.', present),
    date('end', 'Last day of the affiliation; null if ongoing or not stated.', present),
    text('from', 'With `moved`: slug of the previous party or group.'),
    text('from_name', 'With `moved`: name of the previous party or group; null if the mirror does not contain it.'),
    date('from_end', 'With `moved`: last day in the previous party or group; null if ongoing or not stated.'),
    partyLinkColumn,
  ],
  answerFields: [
    column.json('left_out', 'With `moved`: number of memberships that begin but are not moves, by reason.', {
      inside: { fields: stayReasons.map((reason) => column.integer(reason, `No moves: ${reasonPhrases[reason]}.`)) },
    }),
  ],
  columns,
  columnsFor: ({ moved }) =>
    moved ? ['date', 'full_name', 'from_name', 'party_name', 'party_link', 'politician', 'from', 'party'] : columns,
  lastFileColumns: [partyLinkColumn.name],
  read(mirror, values, readOptions) {
    const filter = createRecordFilter(mirror, values, readOptions);
    const { items, ...page } = listAffiliations(mirror, filter);
    const extra = values.moved ? { extra: { left_out: countNonMoves(mirror, filter) } } : {};
    return { ...page, items: items.map((each) => JSON.stringify(each)), ...extra };
  },
  notes(mirror, values, readOptions) {
    if (!values.moved) return [];
    const filter = createRecordFilter(mirror, values, readOptions);
    const counts = countNonMoves(mirror, filter);
    const continuationPairs = listContinuations(mirror, filter);
    const pairList = [...continuationPairs.slice(0, 10), ...(continuationPairs.length > 10 ? ['…'] : [])].join(', ');
    return [
      ...stayReasons
        .filter((reason) => counts[reason] > 0)
        .map((reason) => say`${figure(counts[reason])} excluded: ${reasonPhrases[reason]}`),
      ...(continuationPairs.length > 0 ? [say`successors by this rule of Hemicycle: ${pairList}`] : []),
    ];
  },
});
