import { cellReader } from '../format/rows.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, isDocument, type Json, slugOf, textOf } from '../model/document.ts';
import { kinds } from '../model/kinds.ts';
import {
  type ColumnNeeds,
  cellLines,
  gap,
  isOverlong,
  type Layout,
  layoutOf,
  needsOf,
} from './table-layout.ts';
import { linkAddress, type Style, styleOf, type Terminal } from './terminal.ts';
import { factLines } from './view.ts';
import { cutToWidth, displayWidth, padded } from './width.ts';

const listLength = 40;

/** A value as one line for people: an object by its slug or name, a list joined if short, else its count. */
export function terminalCell(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return sanitiseLine(value);
  if (Array.isArray(value)) return listText(value);
  if (!isDocument(value)) return String(value);
  return sanitiseLine(slugOf(value) ?? textOf(value, 'full_name', 'name', 'title') ?? JSON.stringify(value));
}

/** The same at a terminal, where three decimals of a fraction say enough; files and pipes have them all. */
function shortCell(value: Json | undefined): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : terminalCell(value);
}

function listText(list: Json[]): string {
  // Where matches begin and end: a few numbers, which are no use as a count.
  if (list.length > 0 && list.every(isRange)) return list.map(([from, to]) => `${from}-${to}`).join(', ');
  const joined = list.every((item) => typeof item !== 'object') ? sanitiseLine(list.join(', ')) : null;
  return joined !== null && joined.length <= listLength ? joined : String(list.length);
}

const isRange = (item: Json): item is [number, number] =>
  Array.isArray(item) && item.length === 2 && item.every((end) => typeof end === 'number');

export type TerminalTableOptions = {
  columns: string[];
  header: boolean;
  terminal: Terminal;
  /** Columns whose values stand at the right, as counts do; at a terminal those of numbers alone do so anyway. */
  rightAligned?: string[];
  /** Columns that a narrow terminal leaves out, the one of least worth first; none goes where it is not given. */
  leftOutFirst?: readonly string[] | undefined;
  /** Columns whose texts are cut, since something stands beside each row; others are wrapped. */
  cut?: readonly string[];
};

/** Draws rows in blocks, so that a long answer need not be held whole; columns only grow between blocks. */
export type TableWriter = {
  render(rows: Document[]): Promise<string>;
  /** The columns that were left out for want of room. */
  leftOut(): string[];
};

/** In a pipe a longer cell sticks out of its column, whole; padding every other row to it would cost megabytes. */
const widestInPipe = 200;

/** Lines that a text may take in a column; a key takes as many as it needs. */
const maxLines = 12;
const keys = new Set(['slug', 'id', 'key', ...kinds.map(({ keyField }) => keyField as string)]);
const linesOf = (column: string) => (keys.has(column) ? Number.POSITIVE_INFINITY : maxLines);

/** The rows as aligned columns, each line ended; fitted to a terminal, uncut elsewhere. */
export function renderTable(rows: Document[], options: TerminalTableOptions): Promise<string> {
  return createTable(options).render(rows);
}

/** A table to be drawn block by block; the header stands above the first block. */
export function createTable(options: TerminalTableOptions): TableWriter {
  return options.terminal.isTTY ? terminalTable(options) : pipeTable(options);
}

/** Its headings are the names of fields in every language: what reads a pipe looks for them. */
function pipeTable(options: TerminalTableOptions): TableWriter {
  const { columns, terminal } = options;
  const read = cellReader(columns);
  const titles = columns.map((column) => sanitiseLine(column));
  let header = options.header;
  let widths = header ? titles.map(displayWidth) : titles.map(() => 0);
  return {
    async render(rows) {
      const cells = rows.map((row) => columns.map((column) => terminalCell(read(row, column))));
      widths = measured(cells, widths).map((width) => Math.min(width, widestInPipe));
      const lines = cells.map((row) => alignedLine(row, widths, options));
      if (header) lines.unshift(styleOf(terminal).bold(alignedLine(titles, widths, options)));
      header = false;
      return ended(lines);
    },
    leftOut: () => [],
  };
}

/** A line in a pipe: columns aligned, nothing cut. Drawing it needs no layout, and spares the start its import. */
function alignedLine(
  row: string[],
  widths: number[],
  { columns, rightAligned }: TerminalTableOptions,
): string {
  const cells = row.map((cell, at) => {
    const space = ' '.repeat(Math.max(0, widths[at]! - displayWidth(cell)));
    return rightAligned?.includes(columns[at]!) ? space + cell : cell + space;
  });
  return cells.join(gap).trimEnd();
}

const ended = (lines: string[]) => lines.map((line) => `${line}\n`).join('');

function measured(cells: string[][], widths: number[]): number[] {
  const wider = [...widths];
  for (const row of cells)
    for (const [at, cell] of row.entries()) wider[at] = Math.max(wider[at]!, displayWidth(cell));
  return wider;
}

function terminalTable(options: TerminalTableOptions): TableWriter {
  const { columns, terminal, cut = [], leftOutFirst } = options;
  const read = cellReader(columns);
  const titles = columns.map((column) => sanitiseLine(terminal.speech.field(column)));
  let { header } = options;
  let needs = titles.map((title, at): ColumnNeeds => {
    const width = header ? displayWidth(title) : 0;
    const isCut = cut.includes(columns[at]!);
    const least = { natural: width, usual: width, least: width };
    return { name: columns[at]!, ...least, isEmpty: true, isCut, isHead: at === 0 && !isCut };
  });
  let right: boolean[] | null = null;
  let layout: Layout | null = null;
  return {
    async render(rows) {
      const values = rows.map((row) => columns.map((column) => read(row, column)));
      right ??= columns.map((name, at) => isAtRight(name, { options, values: values.map((row) => row[at]) }));
      const cells = values.map((row) => row.map(shortCell));
      needs = needs.map((each, at) =>
        needsOf(
          cells.map((row) => row[at]!),
          each,
          terminal.columns,
        ),
      );
      layout = layout?.isBlocks ? layout : layoutOf(needs, { screen: terminal.columns, leftOutFirst });
      if (layout.isBlocks) return recordBlocks(cells, titles, terminal);
      const links = terminal.hyperlinks ? rows.map((row) => linksOf(row, columns)) : null;
      const drawing = { layout, right, cut, links, titles: header ? titles : null };
      header = false;
      return ended(await drawn(cells, { ...drawing, columns, style: styleOf(terminal) }));
    },
    leftOut: () => {
      const kept = layout === null || layout.isBlocks ? null : layout.kept;
      return kept === null ? [] : columns.filter((_, at) => !kept.includes(at));
    },
  };
}

function isAtRight(
  name: string,
  { options, values }: { options: TerminalTableOptions; values: (Json | undefined)[] },
): boolean {
  const stated = values.filter((value) => value !== null && value !== undefined);
  if (options.rightAligned !== undefined) return options.rightAligned.includes(name);
  return stated.length > 0 && stated.every((value) => typeof value === 'number');
}

/** A block for each record: what stands first is its head, then a line for each column that holds something. */
function recordBlocks(cells: string[][], titles: string[], terminal: Terminal): string {
  const style = styleOf(terminal);
  const labelWidth = Math.max(0, ...titles.map(displayWidth));
  return cells
    .map(([head = '', ...others]) => {
      const facts = others
        .map((value, at) => ({ label: padded(titles[at + 1]!, labelWidth), value }))
        .filter(({ value }) => value !== '');
      const lines = [...cellLines(head, terminal.columns, maxLines).map(style.bold)];
      return ended([...lines, ...factLines(facts, terminal, style, '  ')]);
    })
    .join('\n');
}

type Drawing = {
  layout: Layout & { isBlocks: false };
  columns: string[];
  titles: string[] | null;
  right: boolean[];
  cut: readonly string[];
  links: (string | null)[][] | null;
  style: Style;
};

/** One line of the table: its cells, and the row that they are of; a long key instead, where one stands alone. */
type Line = { cells: string[]; row: number | null; alone?: string };

async function drawn(rows: string[][], drawing: Drawing): Promise<string[]> {
  const { layout, style, titles, links, right } = drawing;
  const { kept, widths } = layout;
  const head: Line[] = titles
    ? [{ cells: kept.map((at, place) => cutToWidth(titles[at]!, widths[place]!)), row: null }]
    : [];
  const lines = [...head, ...rows.flatMap((texts, row) => linesOfRow(texts, row, drawing))];
  if (kept.length === 0 || lines.length === 0) return [];
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: widths,
    colAligns: kept.map((at) => (right[at] ? 'right' : 'left')),
  });
  table.push(...lines.map(({ cells }) => cells));
  const linked = (text: string, { row }: Line) =>
    text.replace(holders, (_, at: string, word: string) =>
      style.link(word, row === null ? null : links?.[row]?.[Number(at)]),
    );
  const whole = table
    .toString()
    .split('\n')
    .map((text, index) => linked(lines[index]!.alone ?? text, lines[index]!).trimEnd());
  if (titles) whole[0] = style.bold(whole[0]!);
  return whole;
}

/** The lines of one row: as many as its highest cell has, below the key where that is too long for its column. */
function linesOfRow(texts: string[], row: number, { layout, columns, cut, links }: Drawing): Line[] {
  const { kept, widths } = layout;
  const hold = (text: string, at: number) => (links?.[row]?.[at] ? holdLink(text, at) : text);
  const isAlone = kept[0] === 0 && !cut.includes(columns[0]!) && isOverlong(texts[0]!, widths[0]!);
  const cells = kept.map((at, place) => {
    const text = isAlone && at === 0 ? '' : texts[at]!;
    const width = widths[place]!;
    return cut.includes(columns[at]!)
      ? [cutToWidth(text, width)]
      : cellLines(text, width, linesOf(columns[at]!));
  });
  const height = Math.max(...cells.map(({ length }) => length));
  const lines = Array.from({ length: height }, (_, line) => ({
    cells: kept.map((at, place) => hold(cells[place]![line] ?? '', at)),
    row,
  }));
  return isAlone ? [{ cells: kept.map(() => ''), row, alone: hold(texts[0]!, 0) }, ...lines] : lines;
}

/**
 * A place held while the table is laid out, by a colour code of no meaning: cli-table3 gives such codes no width, but would
 * count the address of a link as text.
 */
function holdLink(text: string, at: number): string {
  return text === '' ? text : `\x1b[99;${at}m${text}\x1b[99m`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the holders are escape sequences
const holders = /\x1b\[99;(\d+)m(.*?)\x1b\[99m/g;

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: gap,
};

function linksOf(row: Document, columns: string[]): (string | null)[] {
  const address = linkAddress(textOf(row, 'url'));
  return columns.map((column) => (column === 'slug' || column === 'url' ? address : null));
}
