import { wrap } from './view.ts';
import { displayWidth, splitAtWidth } from './width.ts';

/** What the layout of a table must know of a column; widths in terminal columns. */
export type ColumnNeeds = {
  name: string;
  natural: number; // width of the widest cell
  usual: number; // width of the widest cell that is not an overlong key
  least: number; // width of the heading or the longest word
  isEmpty: boolean; // true if all cells are empty
  isTruncatable: boolean; // true if cells may be truncated: their words do not count in `least`
  isMeasure: boolean; // true for a column of figures: other columns are omitted before it
  /** The value of all rows; null if they differ, or if further rows may. */
  constant: string | null;
  /** True for the first column: an overlong key gets a line above its row. */
  isHead: boolean;
};

/** Indexes and widths of the columns side by side, and indexes of columns whose constant value is shown above them. */
export type Layout = { shownColumns: number[]; widths: number[]; captionColumns: number[] };

/** Below this width, a table that does not fit and has no truncatable column becomes a block of lines per record. */
export const minTableWidth = 60;

const minComfortableWidth = 24; // columns are omitted before a column of text gets narrower than this

/** Longer keys do not widen their column. */
const maxKeyWidth = 32;

/** True for a single word that is wider than `width`. */
export const isOverlong = (text: string, width: number) => !text.includes(' ') && displayWidth(text) > width;

/** Columns that are not omitted, since they say what a row is about. */
const nameColumns = ['title', 'full_name', 'name', 'text'];

/** Columns that are not omitted beside a column `group`, since they distinguish rows of figures. */
const figureKeys = ['part', 'group', 'other', 'chamber'];

/** Columns omitted late, like figures and names whose slugs are omitted first: a row about a person needs them. */
const usefulColumns = ['current_role', 'party'];
/** Columns omitted last: without them a row could be misread. */
const essentialColumns = ['event', 'party_link'];

export const gap = '  '; // between columns

/** Returns the needs of a column updated with more cells. */
export function updateNeeds(cells: string[], needs: ColumnNeeds, screen: number): ColumnNeeds {
  let { natural, usual, least, isEmpty } = needs;
  for (const cell of cells) {
    if (cell === '') continue;
    const width = displayWidth(cell);
    isEmpty = false;
    natural = Math.max(natural, width);
    if (needs.isHead && isOverlong(cell, maxKeyWidth)) continue;
    usual = Math.max(usual, width);
    // Words longer than the screen do not count: they are broken anyway.
    const wordWidths = cell.split(/[ \n]/).map(displayWidth);
    if (!needs.isTruncatable) least = Math.max(least, ...wordWidths.filter((each) => each <= screen));
  }
  return { ...needs, natural, usual, least, isEmpty };
}

/** Fits columns to a screen: all, without empty ones, fewer, with wrapped text, or a block per record. */
export function fitColumns(
  columns: ColumnNeeds[],
  { screen, omittedFirst }: { screen: number; omittedFirst: readonly string[] | undefined },
): Layout | 'records' {
  const allColumns = columns.map((_, at) => at);
  const widthsOf = (columnIndexes: number[], width: (needs: ColumnNeeds) => number) =>
    columnIndexes.map((at) => width(columns[at]!));
  const widths = widthsOf(allColumns, (needs) => needs.natural);
  if (lineWidth(widths) <= screen) return { shownColumns: allColumns, widths, captionColumns: [] };
  if (screen < minTableWidth && !columns.some(({ isTruncatable }) => isTruncatable)) return 'records';
  let shownColumns = allColumns;
  for (const { at, isLateOmission } of omittedFirst === undefined ? [] : omissionOrder(columns, omittedFirst)) {
    // A late column is omitted only if the table does not fit with text at its least width either.
    if (lineWidth(widthsOf(shownColumns, isLateOmission ? ({ least }) => least : comfortableWidth)) <= screen) break;
    shownColumns = shownColumns.filter((each) => each !== at);
  }
  const leastWidths = widthsOf(shownColumns, (needs) => needs.least);
  if (lineWidth(leastWidths) > screen) return 'records';
  const usualWidths = widthsOf(shownColumns, (needs) => needs.usual);
  const captionColumns = allColumns.filter((at) => columns[at]!.constant !== null && !shownColumns.includes(at));
  return { shownColumns, widths: shrinkWidths(usualWidths, leastWidths, screen), captionColumns };
}

const comfortableWidth = ({ usual, least }: ColumnNeeds) => Math.max(least, Math.min(usual, minComfortableWidth));

const lineWidth = (widths: number[]) => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** Classes of columns in omission order; `sameFigure`: one figure in all rows; `label`: a name beside its slug. */
const omissionClasses = ['empty', 'constant', 'sameFigure', 'listed', 'label', 'other', 'useful', 'essential'] as const;

/** Returns the columns that may be omitted, the least useful first; class `listed`: those in `omittedFirst`. */
function omissionOrder(columns: ColumnNeeds[], omittedFirst: readonly string[]) {
  const classOf = ({ name, isEmpty, isMeasure, constant }: ColumnNeeds): (typeof omissionClasses)[number] => {
    if (isEmpty) return 'empty';
    if (constant !== null) return isMeasure ? 'sameFigure' : 'constant';
    if (omittedFirst.includes(name)) return 'listed';
    if (essentialColumns.includes(name)) return 'essential';
    if (isMeasure || usefulColumns.includes(name) || omittedFirst.includes(name.replace(/_name$/, ''))) return 'useful';
    return isLabel(name) ? 'label' : 'other';
  };
  const hasGroups = columns.some(({ name }) => name === 'group'); // the column `name` is then the group's name
  const hasKey = (key: string) => columns.some(({ name }) => name === key) && !omittedFirst.includes(key);
  const isLabel = (name: string) =>
    name !== 'full_name' && (name === 'name' ? hasGroups : name.endsWith('_name') && hasKey(name.slice(0, -5)));
  // Required unless all its cells are empty or equal.
  const isRequired = (name: string) =>
    (hasGroups && figureKeys.includes(name)) || (nameColumns.includes(name) && !isLabel(name));
  return columns
    .map((needs, at) => ({ name: needs.name, at, rank: omissionClasses.indexOf(classOf(needs)) }))
    .filter(({ name, at }) => at > 0 || omittedFirst.includes(name)) // the first column identifies the row
    .filter(({ name, rank }) => rank < omissionClasses.indexOf('listed') || !isRequired(name))
    .sort((a, b) => a.rank - b.rank || omittedFirst.indexOf(a.name) - omittedFirst.indexOf(b.name) || b.at - a.at)
    .map(({ at, rank }) => ({ at, isLateOmission: rank >= omissionClasses.indexOf('useful') }));
}

/** Lowers the widest columns evenly, none below its least width, until the line fits. */
function shrinkWidths(widths: number[], leastWidths: number[], screen: number): number[] {
  const capWidths = (cap: number) => widths.map((width, at) => Math.max(leastWidths[at]!, Math.min(width, cap)));
  let cap = Math.max(0, ...widths);
  while (cap > 1 && lineWidth(capWidths(cap)) > screen) cap--;
  const cappedWidths = capWidths(cap);
  let spare = screen - lineWidth(cappedWidths);
  return cappedWidths.map((width, at) => {
    if (spare <= 0 || width !== cap || widths[at]! <= cap) return width;
    spare--;
    return width + 1;
  });
}

/** Returns a cell's lines, broken between words, and within a word only if it is longer than the column. */
export function cellLines(text: string, width: number, maxLines: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines = wrap(text, width).flatMap((line) =>
    displayWidth(line) <= width ? [line] : [...splitAtWidth(line, width)],
  );
  if (lines.length <= maxLines) return lines;
  const [last] = splitAtWidth(lines[maxLines - 1]!, Math.max(1, width - 1));
  return [...lines.slice(0, maxLines - 1), `${last}…`];
}
