import { UsageError } from '../errors.ts';
import { stances } from '../model/ballot.ts';
import { column, nonNull, present } from '../model/columns.ts';
import type { Mirror } from '../store/mirror.ts';
import { comparePairs, type Pair, type VirtualSide, virtualSides } from '../store/records/agreement.ts';
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
import { BadValueError } from './parameter.ts';
import { listQuestion } from './question.ts';

const { text, integer, number, json } = column;

const groups = groupsParameter(
  'groups; or `majority`, the side with more votes; or `direction`, the position stated in a list of ballots',
  { example: 'ADR,majority', isGroupName: (name) => !isVirtualSide(name) },
);

const positions = stances.map((stance) =>
  json(stance, `While the first was ${stance}: ballots by the position of the other.`, {
    ...nonNull,
    inside: { fields: stances.map((other) => integer(other, 'Number of ballots.', nonNull)) },
  }),
);

const columns = 'group group_name other other_name chamber agreement same n not_listed no_position one_sided'.split(
  ' ',
);

/** How two groups, or a group and the majority or a stated direction, voted over a selection of ballots. */
export const compare = listQuestion('compare', {
  ...figureQuestion,
  parameters: {
    group: {
      ...groups,
      isRequired: true,
      schema: { ...groups.schema, minItems: 2 },
      read(texts: string[]) {
        const groupNames = groups.read(texts);
        if (groupNames.length > 1) return groupNames;
        throw new BadValueError(say`must contain at least two groups, or one and \`majority\``);
      },
    },
    ...figureParameters,
  },
  fields: [
    partColumn,
    text('group', 'The first group, as given in the request.', nonNull),
    text('group_name', 'Name of the group in the latest of these ballots; null if the source states none.', present),
    text(
      'other',
      'The other group; or `majority`, the side with more votes; or `direction`, the position stated in a list ' +
        'of ballots.',
      nonNull,
    ),
    text('other_name', 'Name of the other group.', present),
    ballotChamberColumn,
    number(
      'agreement',
      'Share of the counted ballots in which both took the same position (same / n); null if n is 0.',
      present,
    ),
    integer('n', 'Number of ballots in which both have a position.', nonNull),
    integer('same', 'Number of ballots in which both took the same position.', nonNull),
    integer('not_listed', 'Excluded: number of ballots that do not list both.', nonNull),
    fewColumn,
    integer('no_position', 'Excluded: number of ballots in which one of both has no position.', nonNull),
    integer(
      'one_sided',
      'Ballots that record only votes in favour, such as motions of censure: excluded, but with `one_sided` the only ones ' +
        'compared, as for and not for.',
      nonNull,
    ),
    json(
      'positions',
      'Number of ballots for each pair of positions: `positions.for.against` is the first for, the other against.',
      { ...nonNull, inside: { fields: positions } },
    ),
  ],
  columns,
  columnsFor: ({ by }) => (by === undefined ? columns : ['part', ...columns]),
  allColumns: ['part', ...columns, 'few', ...stances.flatMap((first) => stances.map((second) => `${first}_${second}`))],
  toRow({ positions, ...comparison }) {
    const table = positions as Record<string, Record<string, number>>;
    const cellsOf = (first: string) => stances.map((second) => [`${first}_${second}`, table[first]![second]!] as const);
    return { ...comparison, ...Object.fromEntries(stances.flatMap(cellsOf)) };
  },
  notes: (mirror, values) => [
    ...selectionNotes(mirror, values),
    say`agreement = same / n, per chamber; n: ballots in which both have a position (below 10: read the numbers, not the share)`,
    values.one_sided
      ? say`only one-sided ballots, as for (most members voted for) and not for, which includes absence; positions count for alone; no_position: members not stated`
      : say`excluded: not_listed, no_position, one_sided (only votes for are recorded, as of motions of censure)`,
    ...(values.group.includes('majority') ? [say`majority: the side with more votes; none for a tie`] : []),
  ],
  read(mirror, { group, by, sum, ...values }) {
    const pairs = resolvePairs(mirror, group);
    if (pairs.some(({ other }) => other === 'direction') && values.ballots.length === 0)
      throw new UsageError(say`\`direction\` requires a list of ballots`, say`add --ballots FILE`).withFault(
        'group',
        say`requires a list of ballots for \`direction\``,
      );
    return figurePage(mirror, values, (choice) => comparePairs(mirror, choice, { pairs, by, isSummed: sum }));
  },
});

/** True for `majority` and `direction`, which stand in place of a group. */
const isVirtualSide = (name: string): name is VirtualSide => (virtualSides as readonly string[]).includes(name);

/** Returns all pairs of the groups, and each group with `majority` or `direction`; throws for one group twice. */
function resolvePairs(mirror: Mirror, requestedNames: string[]): Pair[] {
  const names = [...new Set(requestedNames)];
  if (names.length === 1) throw sameGroupError(names[0]!, names[0]!);
  const groupNames = names.filter((name) => !isVirtualSide(name));
  const sides = resolveGroups(mirror, groupNames);
  const groupPairs = sides.flatMap((one, at) =>
    sides.slice(at + 1).map((other) => {
      if (one.groups.some((slug) => other.groups.includes(slug)))
        throw sameGroupError(one.requestedName, other.requestedName);
      return { one, other };
    }),
  );
  return [...groupPairs, ...names.filter(isVirtualSide).flatMap((other) => sides.map((one) => ({ one, other })))];
}

function sameGroupError(one: string, other: string): UsageError {
  const reason = one === other ? say`"${one}" is given twice` : say`"${one}" and "${other}" mean the same group`;
  return new UsageError(say`${reason}: a group cannot be compared with itself`, say`give another group`).withFault(
    'group',
    one === other ? say`contains "${one}" twice` : say`contains one group twice, as "${one}" and "${other}"`,
  );
}
