import { wrap } from './view.ts';
import { displayWidth, splitAtWidth } from './width.ts';

/**
 * What one column of a table needs: its widest cell, and the widest that does not stand on a line of its own; the longest
 * word, which must not be broken; whether it holds anything, and may be cut.
 */
export type ColumnNeeds = {
  name: string;
  natural: number;
  usual: number;
  least: number;
  isEmpty: boolean;
  isCut: boolean;
  /** True for the first column: a long key stands on a line above the rest of its row. */
  isHead: boolean;
};

/** Columns side by side, by their places and widths; or a block for each record, where they do not fit. */
export type Layout = { isBlocks: false; kept: number[]; widths: number[] } | { isBlocks: true };

/** Below this a table that does not fit is a block for each record. */
export const narrowest = 60;

/** Narrower than this no text is made, as long as a column can be left out instead. */
const comfortable = 24;

/** A key that is longer than this makes no column wider. */
const widestHead = 32;

/** True for a key that stands on a line of its own, above the rest of its row. */
export const isOverlong = (text: string, width: number) => !text.includes(' ') && displayWidth(text) > width;

/** What a record is called: left out by no terminal. */
const names = ['title', 'full_name', 'name', 'text'];

export const gap = '  ';

/** The needs of a column that holds these cells, beside what it needed so far. */
export function needsOf(cells: string[], needs: ColumnNeeds, screen: number): ColumnNeeds {
  let { natural, usual, least, isEmpty } = needs;
  for (const cell of cells) {
    if (cell === '') continue;
    const width = displayWidth(cell);
    isEmpty = false;
    natural = Math.max(natural, width);
    if (needs.isHead && isOverlong(cell, widestHead)) continue;
    usual = Math.max(usual, width);
    if (!needs.isCut) least = Math.max(least, longestWord(cell, screen));
  }
  return { ...needs, natural, usual, least, isEmpty };
}

/** The longest word that a screen can hold: longer ones are broken wherever they stand. */
function longestWord(cell: string, screen: number): number {
  const fitting = cell
    .split(/[ \n]/)
    .map(displayWidth)
    .filter((width) => width <= screen);
  return Math.max(0, ...fitting);
}

/**
 * How columns fit a screen: all of them, or without those that `leftOutFirst` names (then those that hold nothing come
 * before all, and what it does not name goes from the right), or with text wrapped, or not at all.
 */
export function layoutOf(
  columns: ColumnNeeds[],
  { screen, leftOutFirst }: { screen: number; leftOutFirst: readonly string[] | undefined },
): Layout {
  const all = columns.map((_, at) => at);
  const widthsOf = (kept: number[], width: (needs: ColumnNeeds) => number) =>
    kept.map((at) => width(columns[at]!));
  const natural = widthsOf(all, (needs) => needs.natural);
  if (lineWidth(natural) <= screen) return { isBlocks: false, kept: all, widths: natural };
  if (screen < narrowest && !columns.some(({ isCut }) => isCut)) return { isBlocks: true };
  let kept = all;
  for (const at of leftOutFirst === undefined ? [] : orderOfLeaving(columns, leftOutFirst)) {
    if (lineWidth(widthsOf(kept, atEase)) <= screen) break;
    kept = kept.filter((each) => each !== at);
  }
  const least = widthsOf(kept, (needs) => needs.least);
  if (lineWidth(least) > screen) return { isBlocks: true };
  const wanted = widthsOf(kept, (needs) => needs.usual);
  return { isBlocks: false, kept, widths: fitted(wanted, least, screen) };
}

const atEase = ({ usual, least }: ColumnNeeds) => Math.max(least, Math.min(usual, comfortable));

const lineWidth = (widths: number[]) =>
  widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** The places of the columns that may go, the one of least worth first; the first column and names never do. */
function orderOfLeaving(columns: ColumnNeeds[], leftOutFirst: readonly string[]): number[] {
  const worth = ({ name, isEmpty }: ColumnNeeds, at: number) => {
    const place = leftOutFirst.indexOf(name);
    if (isEmpty) return -1;
    return place < 0 ? leftOutFirst.length + columns.length - at : place;
  };
  return columns
    .map((needs, at) => ({ name: needs.name, at, worth: worth(needs, at) }))
    .filter(({ name, at }) => at > 0 && !names.includes(name))
    .sort((a, b) => a.worth - b.worth)
    .map(({ at }) => at);
}

/** The widths with the widest lowered, evenly and none below its least, until the line fits the screen. */
function fitted(widths: number[], least: number[], screen: number): number[] {
  const capped = (cap: number) => widths.map((width, at) => Math.max(least[at]!, Math.min(width, cap)));
  let cap = Math.max(0, ...widths);
  while (cap > 1 && lineWidth(capped(cap)) > screen) cap--;
  const found = capped(cap);
  let spare = screen - lineWidth(found);
  return found.map((width, at) => {
    if (spare <= 0 || width !== cap || widths[at]! <= cap) return width;
    spare--;
    return width + 1;
  });
}

/** The lines of a cell, broken between words; a word is broken only if it is longer than the column. */
export function cellLines(text: string, width: number, mostLines: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines = wrap(text, width).flatMap((line) =>
    displayWidth(line) <= width ? [line] : splitAtWidth(line, width),
  );
  if (lines.length <= mostLines) return lines;
  return [
    ...lines.slice(0, mostLines - 1),
    `${splitAtWidth(lines[mostLines - 1]!, Math.max(1, width - 1))[0]}…`,
  ];
}
