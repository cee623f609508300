import { cellReader } from '../format/rows.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, isDocument, type Json, slugOf, textOf } from '../model/document.ts';
import { type Style, styleOf, type Terminal, webAddress } from './terminal.ts';
import { displayWidth, shorten } from './width.ts';

const listLength = 40;

/** A value as one line for people: an object by its slug or name, a list joined if short, else its count. */
export function cellText(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return sanitiseLine(value);
  if (Array.isArray(value)) return listText(value);
  if (!isDocument(value)) return String(value);
  return sanitiseLine(slugOf(value) ?? textOf(value, 'full_name', 'name', 'title') ?? JSON.stringify(value));
}

/** The same at a terminal, where three decimals of a fraction say enough; files and pipes have them all. */
function shortCell(value: Json | undefined): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : cellText(value);
}

function listText(list: Json[]): string {
  // Where matches begin and end: a few numbers, which are no use as a count.
  if (list.length > 0 && list.every(isRange)) return list.map(([from, to]) => `${from}-${to}`).join(', ');
  const joined = list.every((item) => typeof item !== 'object') ? sanitiseLine(list.join(', ')) : null;
  return joined !== null && joined.length <= listLength ? joined : String(list.length);
}

const isRange = (item: Json): item is [number, number] =>
  Array.isArray(item) && item.length === 2 && item.every((end) => typeof end === 'number');

export type TableOptions = {
  columns: string[];
  header: boolean;
  terminal: Terminal;
  /** Columns whose values stand at the right, as counts do. */
  rightAligned?: string[];
};

/** Draws rows in blocks, so that a long answer need not be held whole; columns only grow between blocks. */
export type TableWriter = { render(rows: Document[]): Promise<string> };

const gap = '  ';

/** In a pipe a longer cell sticks out of its column, whole; padding every other row to it would cost megabytes. */
const widestInPipe = 200;

/** The rows as aligned columns, each line ended; fitted to a terminal, uncut elsewhere. */
export function renderTable(rows: Document[], options: TableOptions): Promise<string> {
  return createTable(options).render(rows);
}

/** A table to be drawn block by block; the header stands above the first block. */
export function createTable(options: TableOptions): TableWriter {
  const { columns, terminal } = options;
  const read = cellReader(columns);
  const style = styleOf(terminal);
  const titles = columns.map((column) => sanitiseLine(column));
  let header = options.header;
  let widths = header ? titles.map(displayWidth) : titles.map(() => 0);
  return {
    async render(rows) {
      const text = terminal.isTTY ? shortCell : cellText;
      const cells = rows.map((row) => columns.map((column) => text(read(row, column))));
      widths = fitted(measured(cells, widths), terminal);
      const block = header ? [titles, ...cells] : cells;
      const links = terminal.hyperlinks ? rows.map((row) => linksOf(row, columns)) : null;
      const lines = terminal.isTTY
        ? await drawn(block, { widths, options, links: header && links ? [[], ...links] : links, style })
        : block.map((row) => alignedLine(row, widths, options));
      if (header && lines[0] !== undefined) lines[0] = style.bold(lines[0]);
      header = false;
      return lines.map((line) => `${line}\n`).join('');
    },
  };
}

/** A line in a pipe: columns aligned, nothing cut. Drawing it needs no layout, and spares the start its import. */
function alignedLine(row: string[], widths: number[], { columns, rightAligned }: TableOptions): string {
  const cells = row.map((cell, at) => {
    const space = ' '.repeat(Math.max(0, widths[at]! - displayWidth(cell)));
    return rightAligned?.includes(columns[at]!) ? space + cell : cell + space;
  });
  return cells.join(gap).trimEnd();
}

type Drawing = { widths: number[]; options: TableOptions; links: (string | null)[][] | null; style: Style };

async function drawn(block: string[][], { widths, options, links, style }: Drawing): Promise<string[]> {
  if (block.length === 0 || widths.length === 0) return [];
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: widths,
    colAligns: options.columns.map((column) => (options.rightAligned?.includes(column) ? 'right' : 'left')),
  });
  for (const [index, cells] of block.entries()) {
    table.push(
      cells.map((cell, at) => {
        const text = shorten(cell, widths[at]!);
        return links?.[index]?.[at] ? held(text, at) : text;
      }),
    );
  }
  const lines = table.toString().split('\n');
  return lines.map((line, index) => {
    const whole = line.replace(holders, (_, column: string, text: string) =>
      style.link(text, links?.[index]?.[Number(column)]),
    );
    return whole.trimEnd();
  });
}

/**
 * A place held while the table is laid out, by a colour code of no meaning: cli-table3 gives such codes no
 * width, but would count the address of a link as text.
 */
function held(text: string, at: number): string {
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
  const address = webAddress(textOf(row, 'url'));
  return columns.map((column) => (column === 'slug' || column === 'url' ? address : null));
}

function measured(cells: string[][], widths: number[]): number[] {
  const wider = [...widths];
  for (const row of cells)
    for (const [at, cell] of row.entries()) wider[at] = Math.max(wider[at]!, displayWidth(cell));
  return wider;
}

/** The widths with the widest lowered, evenly, until the line fits the terminal. */
function fitted(widths: number[], { isTTY, columns }: Terminal): number[] {
  if (!isTTY) return widths.map((width) => Math.min(width, widestInPipe));
  const room = columns - gap.length * (widths.length - 1);
  const total = (cap: number) => widths.reduce((sum, width) => sum + Math.min(width, cap), 0);
  let cap = Math.max(1, ...widths);
  while (cap > 1 && total(cap) > room) cap--;
  let spare = Math.max(0, room - total(cap));
  return widths.map((width) => {
    if (width <= cap || spare === 0) return Math.min(width, cap);
    spare--;
    return cap + 1;
  });
}
