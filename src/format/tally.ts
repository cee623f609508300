import type { Document, Json } from '../model/document.ts';
import { createConverter, type DescribedColumn } from './fit.ts';
import { cellReader } from './rows.ts';

/** Statistics of a column: numbers of values and of misfits (values that do not fit its type), texts if few, range. */
export type ColumnFacts = ReturnType<ReturnType<typeof createTally>['facts']>;

const maxValues = 12; // Maximum number of different texts of an enumeration: a text column whose texts are listed.
const maxValueLength = 40; // Maximum length of a text of an enumeration.

/** Returns a counter of the values of a column. */
export function createTally({ name, type = 'text' }: DescribedColumn) {
  let filledCount = 0;
  let misfitCount = 0;
  let values: Set<string> | null = type === 'text' ? new Set() : null;
  let [least, greatest]: [Json, Json] = [null, null];
  const isNumber = type === 'integer' || type === 'number';
  const hasRange = isNumber || type === 'date' || type === 'datetime';
  return {
    /** Counts a value that is not null; `isLossless` is false for a misfit. */
    add(value: Json, isLossless: boolean) {
      filledCount += 1;
      if (!isLossless) misfitCount += 1;
      else if (hasRange) {
        const point = isNumber ? Number(value) : (value as string);
        if (least === null || point < least) least = point;
        if (greatest === null || point > greatest) greatest = point;
      } else if (values !== null) {
        const isShort = typeof value === 'string' && value.length <= maxValueLength;
        if (!isShort || values.add(value).size > maxValues) values = null;
      }
    },
    facts: () => ({
      name,
      filled: filledCount,
      misfits: misfitCount,
      /** All texts, in order, if they are few and short; null for other columns. */
      values: values === null || filledCount === 0 ? null : [...values].sort(),
      range: least === null ? null : ([least, greatest] as [string, string] | [number, number]),
    }),
  };
}

/** Returns `rows`, to be read once, and `columns()` with facts so far; `requiresStrings`: other values are no texts. */
export function tallyTable<TableColumn extends DescribedColumn>(
  { rows, columns }: { rows: () => Iterable<Document>; columns: TableColumn[] },
  { onRow, requiresStrings = false }: { onRow?: () => void; requiresStrings?: boolean } = {},
) {
  const tallies = columns.map(createTally);
  const converters = columns.map(createConverter);
  const readCell = cellReader(columns.map(({ name }) => name));
  function* tallyRows(): Generator<Document> {
    for (const row of rows()) {
      for (let at = 0; at < columns.length; at += 1) {
        const value = readCell(row, columns[at]!.name);
        if (value === null || value === undefined) continue;
        const converter = converters[at]!;
        converter.convert(value); // Sets the result of `wasLossless()`.
        const isNonString = requiresStrings && columns[at]!.type === 'text' && typeof value !== 'string';
        tallies[at]!.add(value, !isNonString && converter.wasLossless());
      }
      onRow?.();
      yield row;
    }
  }
  return { rows: tallyRows(), columns: () => columns.map((each, at) => ({ ...each, facts: tallies[at]!.facts() })) };
}
