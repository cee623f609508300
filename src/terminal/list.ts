import { UsageError } from '../errors.ts';
import type { Article } from '../format/article.ts';
import { type FormatName, formatByName, formats, rowFormats } from '../format/formats.ts';
import { type ListMeta, resolveLazy, writeJsonList } from '../format/json.ts';
import { peek, pickColumns, type Rows, visitRows, writeRows } from '../format/rows.ts';
import { sanitiseLine, sanitiseProse } from '../format/sanitise.ts';
import type { OutputSinks } from '../format/sink.ts';
import { type Attribution, attributionPhrase } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import { figure, instant, type Phrase, type Speech, say } from '../words/speech.ts';
import type { NameLookup } from './feed-view.ts';
import { createTable, rowsPerBlock } from './table.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { joinLines, renderView, wrap, wrapProse } from './view.ts';

/** Output formats of `--format`: a table, a JSON list, or a row format such as CSV. */
export const outputFormats = ['table', 'json', ...rowFormats] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Formats in which an answer of one sentence or URL is printed without structure. */
export const proseFormats: readonly OutputFormat[] = ['table', 'markdown'];

/** How to write an answer: format, columns, terminal. */
export type OutputOptions = {
  format: OutputFormat;
  columns?: string[] | undefined;
  header: boolean;
  terminal: Terminal;
  quiet?: boolean | undefined;
  /** Returns the title of a page (HTML, Markdown). */
  title?: () => string | undefined;
  command?: string | undefined; // the command line that produces this output, for pages
};

/** The answer of a list command. */
export type Answer = Omit<ListMeta, 'pretty'> & {
  items: Rows;
  columns: string[];
  /** Columns that a narrow terminal omits first, in this order. */
  omittedFirst?: readonly string[] | undefined;
  /** Columns whose values are words of the program, which tables and pages translate. */
  wordColumns?: readonly string[] | undefined;
  /** Looks up the names that a table at a terminal shows for slugs. */
  nameOf?: NameLookup | undefined;
  /** Columns of a file; by default those of the table and of the first item. */
  allColumns?: string[] | undefined;
  /** Notes for people, such as which search answered. */
  notes?: Phrase[] | undefined;
  /** Message for an empty answer, such as which kinds the mirror lacks. */
  emptyMessage?: (() => Phrase) | undefined;
  /** Suggestions, which follow the results at a terminal. */
  near?: { heading: Phrase; items: Document[] } | null | undefined;
  /** Renders one item as a block instead of a table row; ends with a newline. */
  block?: ((item: Document, terminal: Terminal) => string) | undefined;
  /** Returns lines to print above the blocks at a terminal. */
  linesAbove?: (() => string[]) | undefined;
  /** Renders all items as paragraphs instead of rows. */
  paragraphs?: ((items: Document[], speech: Speech) => Article['paragraphs']) | undefined;
  /** Returns the command that lists a truncated list in full; `total` is null if unknown. */
  fullListCommand?: ((total: number | null) => string) | undefined;
};

/** Writes an answer to stdout in its format; notes and attribution go to stderr if the format has no place for them. */
export async function writeAnswer(answer: Answer, options: OutputOptions, sinks: OutputSinks): Promise<void> {
  await using answerRows = await peek(answer.items);
  const { first, rows } = answerRows;
  const knownColumns = [...new Set([...answer.columns, ...(answer.allColumns ?? []), ...Object.keys(first ?? {})])];
  if (first || answer.allColumns) checkColumns(options.columns, knownColumns);
  const { format } = options;
  if (!hasNotesBelow(options)) for (const note of noteLines(answer, options)) sinks.stderr(note);
  const fileColumns = answer.allColumns ?? knownColumns;
  // Blocks and paragraphs translate their words themselves.
  const hasProse = options.columns === undefined && (answer.paragraphs ?? (format === 'table' && answer.block));
  const isTranslated = !hasProse && (format === 'table' ? options.terminal.isTTY : isPage(format));
  const items = isTranslated ? readableRows(rows, answer, options) : rows;
  const write = format === 'table' ? writeTable : format === 'json' ? writeJson : writeFormat;
  await write({ ...answer, items, isEmpty: first === null, fileColumns }, options, sinks);
}

/** An answer whose first row was read: `fileColumns` for files; `article` precedes the rows in a document. */
type WritableAnswer = Answer & { isEmpty: boolean; fileColumns: string[]; article?: Article | null };

/** Throws a UsageError that lists the known columns if a chosen column is unknown. */
export function checkColumns(columns: string[] | undefined, knownColumns: string[]): void {
  const unknown = columns?.filter((column) => !knownColumns.includes(column)) ?? [];
  if (unknown.length === 0) return;
  throw new UsageError(say`unknown column: ${unknown.join(', ')}`, say`known columns: ${knownColumns.join(', ')}`);
}

/** True for a table at a terminal, where notes are printed below the rows instead of to stderr. */
export const hasNotesBelow = ({ format, terminal }: OutputOptions) => format === 'table' && terminal.isTTY;

/** Returns the notes of an answer, then its origin unless `quiet`, as lines for people. */
export function noteLines(
  { notes = [], origin }: Pick<Answer, 'notes' | 'origin'>,
  { terminal: { speech }, quiet }: Pick<OutputOptions, 'terminal' | 'quiet'>,
): string[] {
  const lines = notes.map((note) => sanitiseProse(speech.render(note)));
  if (quiet) return lines;
  const asOf = origin.as_of ? say`, as of ${instant(sanitiseLine(origin.as_of))}` : '';
  const source = origin.from === 'mirror' ? say`from the mirror${asOf}` : say`from the service${asOf}`;
  return [...lines, speech.render(source)];
}

async function writeJson(answer: WritableAnswer, { columns, terminal }: OutputOptions, { stdout }: OutputSinks) {
  const items = columns ? pickedRows(answer.items, columns) : answer.items;
  await writeJsonList(items, { ...answer, pretty: terminal.isTTY }, stdout);
}

async function writeTable(answer: WritableAnswer, options: OutputOptions, { stdout, stderr }: OutputSinks) {
  const { terminal, header } = options;
  const table = createTable({
    columns: options.columns ?? answer.columns,
    header,
    terminal,
    omittedFirst: options.columns ? undefined : (answer.omittedFirst ?? []),
    movesConstantsAbove: true,
  });
  // Chosen columns always make a table.
  const renderBlock = options.columns ? undefined : answer.block;
  const renderParagraphs = options.columns ? undefined : answer.paragraphs;
  const render = (rows: Document[]): string => {
    if (renderBlock) return rows.map((row) => renderBlock(row, terminal)).join('');
    if (!renderParagraphs) return table.render(rows);
    return `${renderView({ paragraphs: renderParagraphs(rows, terminal.speech) }, terminal)}\n`;
  };
  const linesAbove = terminal.isTTY && renderBlock && !answer.isEmpty ? (answer.linesAbove?.() ?? []) : [];
  if (linesAbove.length > 0) await stdout.write(`${linesAbove.join('\n')}\n\n`);
  let pendingRows: Document[] = [];
  let shownCount = 0;
  const flush = async () => {
    // A row with `copies` represents that many further records.
    shownCount += pendingRows.reduce((sum, { copies }) => sum + 1 + (typeof copies === 'number' ? copies : 0), 0);
    await stdout.write(render(pendingRows));
    pendingRows = [];
    return !stdout.closed;
  };
  await visitRows(answer.items, stdout, (row) => {
    pendingRows.push(row);
    return pendingRows.length < rowsPerBlock ? true : flush();
  });
  if (pendingRows.length > 0) await flush();
  if (answer.isEmpty) stderr(answer.emptyMessage?.() ?? say`nothing found`);
  const { speech } = terminal;
  if (answer.near && terminal.isTTY) {
    const heading = wrap(speech.render(answer.near.heading), terminal.columns).map(styleOf(terminal).bold);
    await stdout.write(`${heading.join('\n')}\n\n${render(answer.near.items)}`);
  }
  const truncation = truncationNote(answer, shownCount);
  const omittedColumns = table.omittedColumns().join(', ');
  const remarks = [
    omittedColumns && speech.say`hidden for lack of space: ${omittedColumns} (select columns with --columns NAME,…)`,
    truncation && speech.render(truncation),
    ...(terminal.isTTY ? [...fullListLines(answer, terminal), ...noteLines(answer, options)] : []),
    attributionLine(answer.attribution, speech),
  ];
  const lines = remarks.flatMap((line) => (line ? wrapProse(line, terminal) : []));
  await stdout.write(joinLines(lines.map(styleOf(terminal).dim)));
  if (!terminal.isTTY) fullListLines(answer, terminal, options).map(stderr);
}

/** Writes rows in a row format; notes and attribution go below them in a document, else to stderr. */
export async function writeFormat(answer: WritableAnswer, options: OutputOptions, { stdout, stderr }: OutputSinks) {
  const { speech } = options.terminal;
  const { rowFormat, document } = formatByName(options.format as FormatName);
  const isForPage = isPage(options.format);
  const columns = options.columns ?? (isForPage ? answer.columns : answer.fileColumns);
  // Paragraphs need all items; they are part of the article, and no rows follow.
  const proseItems = document && answer.paragraphs && !options.columns ? await Array.fromAsync(answer.items) : null;
  const article =
    answer.article ?? (isForPage || proseItems?.length ? listArticle(answer, options, proseItems ?? []) : null);
  if (document && article) await stdout.write(document.open(article, speech));
  // Records stay whole unless columns were chosen.
  const format = rowFormat!(columns, { picksColumns: options.columns !== undefined, speech });
  const shownCount = proseItems?.length ?? (await writeRows(answer.items, format, stdout, { ...options, columns }));
  if (stdout.closed) return;
  const emptyNote = answer.isEmpty ? (answer.emptyMessage?.() ?? say`nothing found`) : null;
  if (emptyNote && !isForPage) stderr(emptyNote);
  const notes = [isForPage ? emptyNote : null, truncationNote(answer, shownCount)].filter((note) => note !== null);
  const lines = notes.map((note) => sanitiseProse(speech.render(note)));
  if (!document) lines.map(stderr);
  fullListLines(answer, options.terminal, options).map(stderr);
  const attribution = attributionLine(answer.attribution, speech);
  if (!document) return stderr(attribution);
  const foot = document.close([...lines, attribution]);
  const hasNothingAbove = proseItems !== null && !article; // then no empty line precedes the foot
  return stdout.write(hasNothingAbove ? foot.trimStart() : foot);
}

/** Returns what precedes the rows of a list in a document: title, command, notes and paragraphs. */
function listArticle(answer: Answer, { title, command = '', ...options }: OutputOptions, items: Document[]): Article {
  const { word, say } = options.terminal.speech;
  const facts = [{ label: say`command`, value: sanitiseLine(command) }];
  const notes = noteLines(answer, options).map((text) => ({ label: '', text }));
  const paragraphs = [...notes, ...(answer.paragraphs?.(items, options.terminal.speech) ?? [])];
  return { title: sanitiseLine(word(title?.() ?? 'Hemicycle')), url: null, facts, paragraphs, sections: [] };
}

/** Returns the attribution as one line for people. */
export function attributionLine(attribution: Attribution, speech: Speech): string {
  return sanitiseProse(speech.render(attributionPhrase(attribution)));
}

function fullListLines({ nextCursor, total, fullListCommand }: Answer, { speech }: Terminal, { quiet = false } = {}) {
  if (!fullListCommand || quiet || resolveLazy(nextCursor) === null) return [];
  return [speech.say`full list: ${fullListCommand(resolveLazy(total))}`];
}

function truncationNote({ total, nextCursor }: Answer, shownCount: number): Phrase | null {
  const all = resolveLazy(total);
  if (resolveLazy(nextCursor) === null && (all === null || shownCount >= all)) return null;
  return all === null ? say`shown ${figure(shownCount)} of more` : say`shown ${figure(shownCount)} of ${figure(all)}`;
}

/** True for a format whose document is a page, which shows readable columns. */
export const isPage = (format: OutputFormat) =>
  formats.some(({ name, document }) => name === format && document?.isPage);

/** Yields rows with translated words; a table without chosen columns shows names for slugs without a name column. */
async function* readableRows(rows: Rows, { wordColumns = [], columns, nameOf }: Answer, options: OutputOptions) {
  const { word, field } = options.terminal.speech;
  const nameIn = options.format === 'table' && options.columns === undefined ? nameOf : undefined;
  const slugColumns = (['politician', 'party'] as const).filter(
    (name) => columns.includes(name) && !columns.includes(name === 'politician' ? 'full_name' : `${name}_name`),
  );
  for await (const row of rows) {
    const readable = { ...row };
    for (const name of [...wordColumns, 'party_link', 'one_of', 'other_of'])
      if (typeof row[name] === 'string') readable[name] = word(row[name]);
    if (typeof row.about === 'string') readable.about = field(row.about);
    for (const name of slugColumns)
      if (typeof row[name] === 'string') readable[name] = nameIn?.(name, row[name]) ?? row[name];
    yield readable;
  }
}

async function* pickedRows(rows: Rows, columns: string[]): AsyncGenerator<Document> {
  for await (const row of rows) yield pickColumns(row, columns);
}
