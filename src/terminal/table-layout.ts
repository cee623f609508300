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
  /** True for the first column: an overlong key gets a line above its row. */
  isHead: boolean;
};

/** Columns side by side. */
export type Layout = { shownColumns: number[]; widths: number[] };

/** A table that does not fit a terminal below this width becomes blocks. */
export const minTableWidth = 60;

/** Columns are omitted before text gets narrower than this. */
const minComfortableWidth = 24;

/** Longer keys do not widen their column. */
const maxKeyWidth = 32;

export const isOverlong = (text: string, width: number) => !text.includes(' ') && displayWidth(text) > width;

const nameColumns = ['title', 'full_name', 'name', 'text'];

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
    if (!needs.isCut) minWidths = Math.max(minWidths, longestWord(cell, screen));
  }
  return { ...needs, natural: naturalWidths, usual, least: minWidths, isEmpty };
}

/** Words longer than the screen do not count: they are broken anyway. */
function longestWord(cell: string, screen: number): number {
  const widths = cell.split(/[ \n]/).map(displayWidth);
  return Math.max(0, ...widths.filter((width) => width <= screen));
}

/** Fits columns to a screen: all, without empty ones, fewer, with wrapped text, or a block per record. */
export function fitColumns(
  columns: ColumnNeeds[],
  { screen, leftOutFirst }: { screen: number; leftOutFirst: readonly string[] | undefined },
): Layout | 'blocks' {
  const allColumns = columns.map((_, at) => at);
  const widthsOf = (columnIndexes: number[], width: (needs: ColumnNeeds) => number) =>
    columnIndexes.map((at) => width(columns[at]!));
  const natural = widthsOf(allColumns, (needs) => needs.natural);
  if (lineWidth(natural) <= screen) return { shownColumns: allColumns, widths: natural };
  if (screen < minTableWidth && !columns.some(({ isCut }) => isCut)) return 'blocks';
  let shownColumns = allColumns;
  for (const at of leftOutFirst === undefined ? [] : omissionOrder(columns, leftOutFirst)) {
    if (lineWidth(widthsOf(shownColumns, comfortableWidth)) <= screen) break;
    shownColumns = shownColumns.filter((each) => each !== at);
  }
  const least = widthsOf(shownColumns, (needs) => needs.least);
  if (lineWidth(least) > screen) return 'blocks';
  const usual = widthsOf(shownColumns, (needs) => needs.usual);
  return { shownColumns, widths: shrinkWidths(usual, least, screen) };
}

const comfortableWidth = ({ usual, least }: ColumnNeeds) => Math.max(least, Math.min(usual, minComfortableWidth));

const lineWidth = (widths: number[]) => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** Least useful columns first; excludes the first column and names. */
function omissionOrder(columns: ColumnNeeds[], leftOutFirst: readonly string[]): number[] {
  const usefulness = ({ name, isEmpty }: ColumnNeeds, at: number) => {
    const rank = leftOutFirst.indexOf(name);
    if (isEmpty) return -1;
    return rank < 0 ? leftOutFirst.length + columns.length - at : rank;
  };
  return columns
    .map((needs, at) => ({ name: needs.name, at, worth: usefulness(needs, at) }))
    .filter(({ name, at }) => at > 0 && !nameColumns.includes(name))
    .sort((a, b) => a.worth - b.worth)
    .map(({ at }) => at);
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
