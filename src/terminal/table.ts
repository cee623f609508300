import { createRequire } from 'node:module';
import { cellReader } from '../format/rows.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, isDocument, type Json, slugOf, textOf } from '../model/document.ts';
import { kinds } from '../model/kinds.ts';
import { type ColumnNeeds, cellLines, fitColumns, gap, isOverlong, type Layout, updateNeeds } from './table-layout.ts';
import { linkAddress, type Style, styleOf, type Terminal } from './terminal.ts';
import { factLines, joinLines, wrap } from './view.ts';
import { displayWidth, padText, truncateToWidth } from './width.ts';

const maxListLength = 40; // characters

/** Returns a value as one line: an object as slug or name, a short list joined, a long one as its length. */
export function terminalCell(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return sanitiseLine(value);
  if (Array.isArray(value)) return listText(value);
  if (!isDocument(value)) return String(value);
  return sanitiseLine(slugOf(value) ?? textOf(value, 'full_name', 'name', 'title') ?? JSON.stringify(value));
}

/** As `terminalCell`, with fractions rounded to three decimals. */
function roundedCell(value: Json | undefined, { speech }: Terminal): string {
  return typeof value === 'number' && !Number.isInteger(value) ? speech.number(value, 3) : terminalCell(value);
}

function listText(list: Json[]): string {
  if (list.length > 0 && list.every(isRange)) return list.map(([from, to]) => `${from}-${to}`).join(', ');
  const joinedText = list.every((item) => typeof item !== 'object') ? sanitiseLine(list.join(', ')) : null;
  return joinedText !== null && joinedText.length <= maxListLength ? joinedText : String(list.length);
}

const isRange = (item: Json): item is [number, number] =>
  Array.isArray(item) && item.length === 2 && item.every((end) => typeof end === 'number');

export type TerminalTableOptions = {
  columns: string[];
  header?: boolean;
  terminal: Terminal;
  /** Right-aligned columns; by default numeric ones at a terminal, none in a pipe. */
  rightAligned?: string[];
  /** Columns that a narrow terminal omits, the least useful first; none if undefined. */
  omittedFirst?: readonly string[] | undefined;
  /** True if a column with one value for all rows may be replaced by a line above the table. */
  movesConstantsAbove?: boolean;
  /** Columns truncated to one line; other columns are wrapped. */
  cutColumns?: readonly string[];
};

/** Renders rows in blocks to limit memory; later blocks may widen columns. `omittedColumns`: those without room. */
export type TableRenderer = { render(rows: Document[]): string; omittedColumns(): string[] };

/** Width limit of a column in a pipe; longer cells overflow, since padding every row would cost megabytes. */
const maxPipeWidth = 200;

/** Rows that are rendered together. */
export const rowsPerBlock = 500;

/** Line limit of a wrapped text; keys are exempt. */
const maxLines = 12;
const keyColumns = new Set(['slug', 'id', 'key', ...kinds.map(({ keyField }) => keyField as string)]);
const maxLinesOf = (column: string) => (keyColumns.has(column) ? Number.POSITIVE_INFINITY : maxLines);

/** Returns rows as aligned columns, each with a line break: fitted to a terminal, uncut in a pipe. */
export function renderTable(rows: Document[], options: TerminalTableOptions): string {
  return createTable(options).render(rows);
}

/** Creates a table that is rendered in blocks; the first block starts with the header. */
export function createTable(options: TerminalTableOptions): TableRenderer {
  return options.terminal.isTTY ? terminalTable(options) : pipeTable(options);
}

/** Creates a table for a pipe; its headings are field names in every language, since scripts look for them. */
function pipeTable({ columns, terminal, header = true, rightAligned = [] }: TerminalTableOptions): TableRenderer {
  const read = cellReader(columns);
  const alignsRight = columns.map((column) => rightAligned.includes(column));
  let head = header ? [columns.map((column) => sanitiseLine(column))] : [];
  let widths = columns.map((_, at) => displayWidth(head[0]?.[at] ?? ''));
  return {
    render(rows) {
      const cells = rows.map((row) => columns.map((column) => terminalCell(read(row, column))));
      for (const row of cells)
        for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at]!, displayWidth(cell));
      widths = widths.map((width) => Math.min(width, maxPipeWidth));
      const headLines = head.map((titles) => styleOf(terminal).bold(alignedLine(titles, { widths, alignsRight })));
      head = [];
      return joinLines([...headLines, ...cells.map((row) => alignedLine(row, { widths, alignsRight }))]);
    },
    omittedColumns: () => [],
  };
}

/** Returns a line of padded cells; a cell wider than its column overflows, which cli-table3 would truncate. */
function alignedLine(cells: string[], { widths, alignsRight }: { widths: number[]; alignsRight: boolean[] }): string {
  const alignedCells = cells.map((cell, index) => {
    const space = ' '.repeat(Math.max(0, widths[index]! - displayWidth(cell)));
    return alignsRight[index] ? space + cell : cell + space;
  });
  return alignedCells.join(gap).trimEnd();
}

function terminalTable(options: TerminalTableOptions): TableRenderer {
  const { columns, terminal, rightAligned, cutColumns = [], omittedFirst, movesConstantsAbove = false } = options;
  const read = cellReader(columns);
  const titles = columns.map((column) => sanitiseLine(terminal.speech.field(column)));
  let { header = true } = options; // false once printed
  let needs = titles.map((title, at): ColumnNeeds => {
    const width = header ? displayWidth(title) : 0;
    const isTruncatable = cutColumns.includes(columns[at]!);
    const headingWidths = { natural: width, usual: width, least: width };
    const initialFacts = { isEmpty: true, isMeasure: false, constant: null };
    return { name: columns[at]!, ...headingWidths, ...initialFacts, isTruncatable, isHead: at === 0 && !isTruncatable };
  });
  let alignsRight: boolean[] | null = null; // decided by the first block
  let layout: Layout | 'records' | null = null; // null before the first block; 'records' once columns do not fit
  return {
    render(rows) {
      const values = rows.map((row) => columns.map((column) => read(row, column)));
      alignsRight ??= columns.map((name, at) => {
        const columnValues = values.map((row) => row[at] ?? null).filter((value) => value !== null);
        const isNumeric = columnValues.length > 0 && columnValues.every((value) => typeof value === 'number');
        return rightAligned?.includes(name) ?? isNumeric;
      });
      const cells = values.map((row) => row.map((value) => roundedCell(value, terminal)));
      const cellsOf = (at: number) => cells.map((row) => row[at]!);
      const isOnlyBlock = layout === null && rows.length < rowsPerBlock; // only the last block is not full
      const findsConstants = movesConstantsAbove && isOnlyBlock && rows.length > 1;
      const isConstant = (at: number) => cells[0]![at] !== '' && new Set(cellsOf(at)).size === 1;
      needs = needs.map((each, at) => {
        const constant = findsConstants && isConstant(at) ? cells[0]![at]! : null;
        return { ...updateNeeds(cellsOf(at), each, terminal.columns), isMeasure: alignsRight![at]!, constant };
      });
      if (layout !== 'records') layout = fitColumns(needs, { screen: terminal.columns, omittedFirst });
      if (layout === 'records') return recordBlocks(cells, titles, terminal);
      const links = terminal.hyperlinks ? rows.map((row) => linkAddress(textOf(row, 'url'))) : null;
      const drawing = { layout, alignsRight, cutColumns, links, columns, style: styleOf(terminal) };
      const head = header ? titles : null;
      header = false;
      return joinLines([...constantLines(layout, { needs, titles, terminal }), ...renderLines(cells, head, drawing)]);
    },
    omittedColumns: () => {
      if (layout === null || layout === 'records') return [];
      const visibleColumns = [...layout.shownColumns, ...layout.captionColumns];
      return columns.filter((_, at) => !visibleColumns.includes(at));
    },
  };
}

/** Returns lines above a table with the values that all its rows share. */
function constantLines(
  { captionColumns }: Layout,
  { needs, titles, terminal }: { needs: ColumnNeeds[]; titles: string[]; terminal: Terminal },
): string[] {
  const values = captionColumns.flatMap((at) =>
    needs[at]!.constant ? [terminal.speech.say`${titles[at]!}: ${terminal.speech.word(needs[at]!.constant!)}`] : [],
  );
  return values.length === 0 ? [] : wrap(values.join(' · '), terminal.columns).map(styleOf(terminal).dim);
}

/** Renders each row as a block: its first cell in bold, then a line per filled cell. */
function recordBlocks(cells: string[][], titles: string[], terminal: Terminal): string {
  const style = styleOf(terminal);
  const labelWidth = Math.max(0, ...titles.map(displayWidth));
  return cells
    .map(([head = '', ...otherCells]) => {
      const facts = otherCells
        .map((value, at) => ({ label: padText(titles[at + 1]!, labelWidth), value }))
        .filter(({ value }) => value !== '');
      const heads = cellLines(head, terminal.columns, maxLines).map(style.bold);
      return joinLines([...heads, ...factLines(facts, terminal, '  ')]);
    })
    .join('\n');
}

/** How to draw the rows of a block; `links` has the URL of each row. */
type TableDrawing = {
  layout: Layout;
  columns: string[];
  alignsRight: boolean[];
  cutColumns: readonly string[];
  links: (string | null)[] | null;
  style: Style;
};

/** A table line: `keyText` is printed in place of the cells (an overlong key), `address` is the target of its links. */
type Line = { cells: string[]; address: string | null; keyText?: string };

function renderLines(rows: string[][], titles: string[] | null, drawing: TableDrawing): string[] {
  const { layout, alignsRight, style } = drawing;
  const { shownColumns, widths } = layout;
  const head = titles && {
    cells: shownColumns.map((at, index) => truncateToWidth(titles[at]!, widths[index]!)),
    address: null,
  };
  const lines: Line[] = [...(head ? [head] : []), ...rows.flatMap((texts, row) => rowLines(texts, row, drawing))];
  if (shownColumns.length === 0 || lines.length === 0) return [];
  // Loaded on demand: pipes do not need it.
  const Table = createRequire(import.meta.url)('cli-table3') as typeof import('cli-table3');
  const table = new Table({
    chars: borderlessChars,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: widths,
    colAligns: shownColumns.map((at) => (alignsRight[at] ? 'right' : 'left')),
  });
  table.push(...lines.map(({ cells }) => cells));
  const renderedLines = table
    .toString()
    .split('\n')
    .map((text, at) => {
      const { keyText, address } = lines[at]!;
      return (keyText ?? text)
        .split(linkMark) // odd parts are link texts between two marks
        .map((part, partIndex) => (partIndex % 2 === 1 ? style.link(part, address) : part))
        .join('')
        .trimEnd();
    });
  return head ? [style.bold(renderedLines[0]!), ...renderedLines.slice(1)] : renderedLines;
}

/** Returns the lines of a row; an overlong key gets its own line above the cells. */
function rowLines(texts: string[], row: number, { layout, columns, cutColumns, links }: TableDrawing): Line[] {
  const { shownColumns, widths } = layout;
  const address = links?.[row] ?? null;
  const isLink = (at: number) => address !== null && (columns[at] === 'slug' || columns[at] === 'url');
  const hasKeyLine = shownColumns[0] === 0 && !cutColumns.includes(columns[0]!) && isOverlong(texts[0]!, widths[0]!);
  const cells = shownColumns.map((at, index) => {
    const text = hasKeyLine && at === 0 ? '' : texts[at]!;
    const width = widths[index]!;
    return cutColumns.includes(columns[at]!)
      ? [truncateToWidth(text, width)]
      : cellLines(text, width, maxLinesOf(columns[at]!));
  });
  const withLinkMarks = (text = '', at: number) => (text !== '' && isLink(at) ? `${linkMark}${text}${linkMark}` : text);
  const height = Math.max(...cells.map(({ length }) => length));
  const lines = Array.from({ length: height }, (_, line): Line => {
    return { cells: shownColumns.map((at, index) => withLinkMarks(cells[index]![line], at)), address };
  });
  const keyLine = { cells: shownColumns.map(() => ''), address, keyText: withLinkMarks(texts[0], 0) };
  return hasKeyLine ? [keyLine, ...lines] : lines;
}

/** Marks link text with an unused colour code, which cli-table3 does not count as width, unlike a URL. */
const linkMark = '\x1b[99m';

const borderSuffixes = ['', '-mid', '-left', '-right'];
const borderSides = ['top', 'bottom', 'left', 'mid', 'right'];
const borderlessChars = {
  ...Object.fromEntries(borderSides.flatMap((side) => borderSuffixes.map((suffix) => [side + suffix, '']))),
  middle: gap,
};
