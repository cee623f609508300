import { type Column, type ColumnType, columnTypes, kindOf } from './kinds.ts';

type CreateColumn = (name: string, description: string, options?: Partial<Column>) => Column;

/** Functions that create a column, by its type, as in `column.text(name, description)`. */
export const column = Object.fromEntries(
  columnTypes.map((type): [ColumnType, CreateColumn] => [
    type,
    (name, description, options) => ({ name, type, description, ...options }),
  ]),
) as Record<ColumnType, CreateColumn>;

const { text, json } = column;

/** Option of a column that is always present and never null. */
export const nonNull = { isNonNull: true } as const;

/** Option of a column that is always present, possibly null. */
export const present = { isPresent: true } as const;

const ballot = kindOf('ballot');

/** The key of a ballot, common to every table and view. */
export const ballotColumn = ballot.flat!.find(({ name }) => name === 'ballot')!;

/** Columns of a ballot's totals in flat files. */
export const flatTotalColumns = ballot.flat!.filter(({ name }) => !['ballot', 'number', 'legislature'].includes(name));

/** Counts in flat files, prefixed since `for` is a keyword in SQL, R and Python. */
export const flatCountColumns = flatTotalColumns.filter(({ name }) => name.startsWith('votes_'));

const votesByParty = ballot.columns.find(({ name }) => name === 'votes_by_party')!;

/** Columns of the votes of a party or group in one ballot. */
export const partyVoteColumns = (votesByParty.inside as { list: Column[] }).list;

/** Column for the fields of a version that differ from the previous version. */
export const changedFieldsColumn = (name: string, description: string) =>
  json(name, description, {
    isNonNull: true,
    inside: {
      list: [
        text('field', 'Name of the field.', nonNull),
        json('old', 'Old value; null if the field was empty.', present),
        json('new', 'New value; null if the field is empty.', present),
      ],
    },
  });
