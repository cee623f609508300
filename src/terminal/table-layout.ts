import { wrap } from './view.ts';
import { displayWidth, splitAtWidth } from './width.ts';

/** Width needs of a column: widest cell, widest without overlong keys, longest word. */
export type ColumnNeeds = {
  name: string;
  natural: number;
  usual: number;
  least: number;
  isEmpty: boolean;
  isCut: boolean;
  /** True for a column of figures: other columns are omitted before it. */
  isMeasure: boolean;
  /** The value of all rows; null if they differ, or if further rows may. */
  constant: string | null;
  /** True for the first column: an overlong key gets a line above its row. */
  isHead: boolean;
};

/** Columns side by side, and columns whose constant value is stated above them for lack of space. */
export type Layout = { shownColumns: number[]; widths: number[]; statedColumns: number[] };

/** A table that does not fit a terminal below this width becomes blocks. */
export const minTableWidth = 60;

/** Columns are omitted before text gets narrower than this. */
const minComfortableWidth = 24;

/** Longer keys do not widen their column. */
const maxKeyWidth = 32;

export const isOverlong = (text: string, width: number) => !text.includes(' ') && displayWidth(text) > width;

const nameColumns = ['title', 'full_name', 'name', 'text'];

/** Columns that tell rows of figures from each other. */
const figureKeys = ['part', 'group', 'other', 'chamber'];

/** Columns that a row about a person needs to be useful, and columns that it needs not to be misread. */
const lateOmitted = ['current_role', 'party'];
const lastOmitted = ['event', 'party_link'];

export const gap = '  ';

/** Returns the needs of a column updated with more cells. */
export function updateNeeds(cells: string[], needs: ColumnNeeds, screen: number): ColumnNeeds {
  let { natural: naturalWidths, usual, least: minWidths, isEmpty } = needs;
  for (const cell of cells) {
    if (cell === '') continue;
    const width = displayWidth(cell);
    isEmpty = false;
    naturalWidths = Math.max(naturalWidths, width);
    if (needs.isHead && isOverlong(cell, maxKeyWidth)) continue;
    usual = Math.max(usual, width);
    // Words longer than the screen do not count: they are broken anyway.
    const wordWidths = cell.split(/[ \n]/).map(displayWidth);
    if (!needs.isCut) minWidths = Math.max(minWidths, ...wordWidths.filter((each) => each <= screen));
  }
  return { ...needs, natural: naturalWidths, usual, least: minWidths, isEmpty };
}

/** Fits columns to a screen: all, without empty ones, fewer, with wrapped text, or a block per record. */
export function fitColumns(
  columns: ColumnNeeds[],
  { screen, omittedFirst }: { screen: number; omittedFirst: readonly string[] | undefined },
): Layout | 'blocks' {
  const allColumns = columns.map((_, at) => at);
  const widthsOf = (columnIndexes: number[], width: (needs: ColumnNeeds) => number) =>
    columnIndexes.map((at) => width(columns[at]!));
  const natural = widthsOf(allColumns, (needs) => needs.natural);
  if (lineWidth(natural) <= screen) return { shownColumns: allColumns, widths: natural, statedColumns: [] };
  if (screen < minTableWidth && !columns.some(({ isCut }) => isCut)) return 'blocks';
  let shownColumns = allColumns;
  for (const { at, isLast } of omittedFirst === undefined ? [] : omissionOrder(columns, omittedFirst)) {
    if (lineWidth(widthsOf(shownColumns, isLast ? ({ least }) => least : comfortableWidth)) <= screen) break;
    shownColumns = shownColumns.filter((each) => each !== at);
  }
  const least = widthsOf(shownColumns, (needs) => needs.least);
  if (lineWidth(least) > screen) return 'blocks';
  const usual = widthsOf(shownColumns, (needs) => needs.usual);
  const statedColumns = allColumns.filter((at) => columns[at]!.constant !== null && !shownColumns.includes(at));
  return { shownColumns, widths: shrinkWidths(usual, least, screen), statedColumns };
}

const comfortableWidth = ({ usual, least }: ColumnNeeds) => Math.max(least, Math.min(usual, minComfortableWidth));

const lineWidth = (widths: number[]) => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** Columns to omit, least useful first: empty, constant, `omittedFirst`, names beside a key, others from the right. */
function omissionOrder(columns: ColumnNeeds[], omittedFirst: readonly string[]) {
  const rankOf = ({ name, isEmpty, isMeasure, constant }: ColumnNeeds) => {
    if (isEmpty) return 0;
    if (constant !== null) return isMeasure ? 2 : 1;
    if (omittedFirst.includes(name)) return 3;
    if (lastOmitted.includes(name)) return 7;
    if (isMeasure || lateOmitted.includes(name) || omittedFirst.includes(name.replace(/_name$/, ''))) return 6;
    return isLabel(name) ? 4 : 5;
  };
  const hasGroups = columns.some(({ name }) => name === 'group');
  const hasKey = (key: string) => columns.some(({ name }) => name === key) && !omittedFirst.includes(key);
  const isLabel = (name: string) =>
    name !== 'full_name' && (name === 'name' ? hasGroups : name.endsWith('_name') && hasKey(name.slice(0, -5)));
  const isKept = (name: string) =>
    (hasGroups && figureKeys.includes(name)) || (nameColumns.includes(name) && !isLabel(name));
  return columns
    .map((needs, at) => ({ needs, at, rank: rankOf(needs), order: omittedFirst.indexOf(needs.name) }))
    .filter(({ needs, at, rank }) => (at > 0 || omittedFirst.includes(needs.name)) && (rank < 3 || !isKept(needs.name)))
    .sort((a, b) => a.rank - b.rank || a.order - b.order || b.at - a.at)
    .map(({ at, rank }) => ({ at, isLast: rank >= 6 }));
}

/** Lowers the widest columns evenly, none below its least width, until the line fits. */
function shrinkWidths(widths: number[], least: number[], screen: number): number[] {
  const capWidths = (cap: number) => widths.map((width, at) => Math.max(least[at]!, Math.min(width, cap)));
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
