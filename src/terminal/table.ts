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
import { ended, factLines } from './view.ts';
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

/** A value at a terminal: fractions have three decimals, unlike in files and pipes. */
function shortCell(value: Json | undefined): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : terminalCell(value);
}

function listText(list: Json[]): string {
  // Offsets of matches are shown, not counted.
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
  /** Right-aligned columns; at a terminal, columns of numbers by default. */
  rightAligned?: string[];
  /** Columns that a narrow terminal omits, the least useful first; none if undefined. */
  leftOutFirst?: readonly string[] | undefined;
  /** Columns whose texts are cut to one line; others are wrapped. */
  cut?: readonly string[];
};

/** Renders rows block by block, so that long answers need little memory; columns only grow between blocks. */
export type TableWriter = {
  render(rows: Document[]): string;
  /** Columns omitted for lack of space. */
  leftOut(): string[];
};

/** Longer cells in a pipe overflow their column: padding every row to them would cost megabytes. */
const widestInPipe = 200;

/** Most lines of a wrapped text; keys take as many as they need. */
const maxLines = 12;
const keys = new Set(['slug', 'id', 'key', ...kinds.map(({ keyField }) => keyField as string)]);
const maxLinesOf = (column: string) => (keys.has(column) ? Number.POSITIVE_INFINITY : maxLines);

/** Renders rows as aligned columns, each line ended: fitted to a terminal, uncut in a pipe. */
export function renderTable(rows: Document[], options: TerminalTableOptions): string {
  return createTable(options).render(rows);
}

/** Creates a table that is rendered block by block; the first block begins with the header. */
export function createTable(options: TerminalTableOptions): TableWriter {
  return options.terminal.isTTY ? terminalTable(options) : pipeTable(options);
}

/** Headings in a pipe are field names in every language, since scripts look for them. */
function pipeTable({ columns, terminal, header, rightAligned = [] }: TerminalTableOptions): TableWriter {
  const read = cellReader(columns);
  const right = columns.map((column) => rightAligned.includes(column));
  let head = header ? [columns.map((column) => sanitiseLine(column))] : [];
  let widths = columns.map((_, at) => displayWidth(head[0]?.[at] ?? ''));
  return {
    render(rows) {
      const cells = rows.map((row) => columns.map((column) => terminalCell(read(row, column))));
      for (const row of cells)
        for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at]!, displayWidth(cell));
      widths = widths.map((width) => Math.min(width, widestInPipe));
      const titles = head.map((titles) => styleOf(terminal).bold(alignedLine(titles, { widths, right })));
      head = [];
      return ended([...titles, ...cells.map((row) => alignedLine(row, { widths, right }))]);
    },
    leftOut: () => [],
  };
}

type Alignment = {
  widths: number[];
  right: boolean[];
  /** Styles a cell without changing its width. */
  draw?: (cell: string, place: number) => string;
};

/** A line of cells padded to their columns. */
function alignedLine(cells: string[], { widths, right, draw = (cell) => cell }: Alignment): string {
  const aligned = cells.map((cell, place) => {
    const space = ' '.repeat(Math.max(0, widths[place]! - displayWidth(cell)));
    return right[place] ? space + draw(cell, place) : draw(cell, place) + space;
  });
  return aligned.join(gap).trimEnd();
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
    render(rows) {
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
      const drawing = { layout, right, cut, links, columns, style: styleOf(terminal) };
      const head = header ? headLines(titles, drawing) : [];
      header = false;
      return ended([...head, ...cells.flatMap((texts, row) => rowLines(texts, row, drawing))]);
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

/** A block for each record: its first cell as heading, then a line for each column with a value. */
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
  right: boolean[];
  cut: readonly string[];
  links: (string | null)[][] | null;
  style: Style;
};

function headLines(titles: string[], { layout: { kept, widths }, right, style }: Drawing): string[] {
  if (kept.length === 0) return [];
  const cells = kept.map((at, place) => cutToWidth(titles[at]!, widths[place]!));
  return [style.bold(alignedLine(cells, { widths, right: kept.map((at) => right[at]!) }))];
}

/** As many lines as the highest cell has; a key that is too long for its column gets a line above them. */
function rowLines(texts: string[], row: number, { layout, columns, right, cut, links, style }: Drawing) {
  const { kept, widths } = layout;
  const linked = (text: string, at: number) => (text === '' ? '' : style.link(text, links?.[row]?.[at]));
  const isAlone = kept[0] === 0 && !cut.includes(columns[0]!) && isOverlong(texts[0]!, widths[0]!);
  const cells = kept.map((at, place) => {
    const text = isAlone && at === 0 ? '' : texts[at]!;
    const width = widths[place]!;
    return cut.includes(columns[at]!)
      ? [cutToWidth(text, width)]
      : cellLines(text, width, maxLinesOf(columns[at]!));
  });
  const alignment = {
    widths,
    right: kept.map((at) => right[at]!),
    draw: (cell: string, place: number) => linked(cell, kept[place]!),
  };
  const height = Math.max(0, ...cells.map(({ length }) => length));
  const lines = Array.from({ length: height }, (_, line) =>
    alignedLine(
      cells.map((cell) => cell[line] ?? ''),
      alignment,
    ),
  );
  return isAlone ? [linked(texts[0]!, 0), ...lines] : lines;
}

function linksOf(row: Document, columns: string[]): (string | null)[] {
  const address = linkAddress(textOf(row, 'url'));
  return columns.map((column) => (column === 'slug' || column === 'url' ? address : null));
}
