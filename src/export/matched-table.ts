import { setImmediate } from 'node:timers/promises';
import { BadInputError, nearMissHint, UsageError } from '../errors.ts';
import { addCells, type CsvLine, lineError, readCsvLines } from '../format/csv-lines.ts';
import type { Sink } from '../format/sink.ts';
import type { Transcoding } from '../format/transcoding.ts';
import { fold } from '../language/fold.ts';
import { nearWords } from '../language/near-miss.ts';
import type { NamedKind } from '../names/database.ts';
import { type DeclaredFacts, matchName, type NameCandidate, type NameQuery } from '../names/match.ts';
import { readCached } from '../store/cached.ts';
import type { Mirror } from '../store/mirror.ts';
import { readSnapshot } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import headings from './name-headings.json' with { type: 'json' };

/** Added columns: slug and name of a match, its score, and the slugs of candidates, likeliest first. */
export const matchColumns = ['slug', 'full_name', 'score', 'candidates'] as const;

/** Options of matching; `file` names the input in errors, `prefix` begins the names of added columns. */
export type MatchOptions = {
  file: string;
  columns: ComparedColumns;
  kinds: readonly NamedKind[];
  /** Maximum number of candidates per name, and the lowest score of a candidate (`threshold`). */
  limit: number;
  threshold: number;
  /** True if an exact day of birth decides between namesakes. */
  birthDecides: boolean;
  /** True to write a JSON object per row instead of the table. */
  isJson: boolean;
  prefix: string;
  /** The encoding of the input, also used for the output. */
  transcoding: Omit<Transcoding, 'source'>;
  /** Applied to the output before it is encoded: escapes control characters for a terminal. */
  sanitise: (text: string) => string;
  /** Receives the headers of the compared columns, of names and of facts, if the program chose them. */
  reportColumns?: (names: string[], facts: string[]) => void;
  /** Called after each batch of rows; throws to end the run. */
  progress: (summary: MatchSummary) => void;
};

/** Row counts: all, matched, with candidates only (`ambiguous`), with neither (`none`), without a name (`empty`). */
export type MatchSummary = ReturnType<typeof newSummary>;

const newSummary = () => ({ rows: 0, matchedRows: 0, ambiguous: 0, none: 0, empty: 0 });

const maxCachedNames = 20_000;
const rowsPerBatch = 200;
/** Characters of output that are written together. */
const chunkLength = 65_536;

/**
 * Copies a CSV table byte for byte, adding the politician or party that matches each row's name (`matchColumns`).
 * Returns row counts; throws a UsageError for columns that are missing, a BadInputError for a malformed table.
 */
export async function matchTable(mirror: Mirror, source: AsyncIterable<Uint8Array>, sink: Sink, options: MatchOptions) {
  const { file, isJson, sanitise, prefix } = options;
  const { encoding } = options.transcoding;
  const { preamble, delimiter, header, records } = await readCsvLines(source, file);
  const width = header.cells.length;
  const { names, facts } = findComparedColumns(header.cells, options.columns);
  const cellsAt = (indexes: readonly number[]) => indexes.map((at) => header.cells[at]!);
  if (options.columns.name === undefined) options.reportColumns?.(cellsAt(names), cellsAt(facts.map(([, at]) => at)));
  const addedHeaders = matchColumns.map((name) => `${prefix}${name}`);
  const existingColumns = addedHeaders.filter((each) => !isJson && header.cells.includes(each));
  if (existingColumns.length > 0)
    throw new UsageError(
      say`the table already has a column ${existingColumns.join(', ')}`,
      say`use --prefix matched_ for the names of the new columns`,
    );
  const match = createMatcher(mirror, options);
  const encode = isJson ? (text: string) => text : options.transcoding.encode;
  const summary = newSummary();
  const layout = { delimiter, width };
  let chunk = isJson ? '' : preamble + sanitise(addCells({ ...header, end: header.end || '\n' }, addedHeaders, layout));
  /** The output of a line; counts it in the summary. */
  const formatLine = (line: CsvLine): string => {
    if (line.cells.length === 0) return isJson ? '' : line.text + line.end;
    if (line.cells.length > width)
      throw lineError(`${file}:${line.line}`, say`has ${line.cells.length} cells, but the header has ${width}`);
    summary.rows += 1;
    const entry = {
      name: names.map((at) => line.cells[at] ?? '').join(' '),
      ...Object.fromEntries(facts.map(([fact, at]) => [fact, line.cells[at] ?? ''])),
    };
    const candidates = match({ ...entry, kinds: options.kinds, birthDecides: options.birthDecides });
    const chosenCandidate = candidates.find((each) => each.match);
    if (entry.name.trim() === '') summary.empty += 1;
    else if (chosenCandidate) summary.matchedRows += 1;
    else if (candidates.length > 0) summary.ambiguous += 1;
    else summary.none += 1;
    const { slug = null, name = null } = chosenCandidate ?? {};
    const { score = null } = chosenCandidate ?? candidates[0] ?? {};
    if (isJson) {
      const fields = { match: chosenCandidate !== undefined, slug, full_name: name, score };
      return `${JSON.stringify({ line: line.line, ...entry, ...fields, candidates })}\n`;
    }
    const candidateSlugs = chosenCandidate ? '' : candidates.map((each) => each.slug).join(' ');
    const cells = [slug ?? '', name ?? '', String(score ?? ''), candidateSlugs];
    const unencodable = cells.find((cell) => !options.transcoding.canEncode(cell));
    if (unencodable !== undefined)
      throw new BadInputError(
        `${file}:${line.line}`,
        say`${unencodable} contains characters that ${encoding} cannot encode`,
        say`convert the list to UTF-8 first: iconv -f ${encoding.toUpperCase()} -t UTF-8 FILE`,
      );
    return addCells(line, cells, layout);
  };
  for await (const lines of batchLines(records)) {
    if (sink.closed) return summary;
    chunk += readSnapshot(mirror, () => sanitise(lines.map(formatLine).join('')));
    options.progress(summary);
    if (chunk.length >= chunkLength) {
      await sink.write(encode(chunk));
      chunk = '';
    }
    // Lookups are synchronous: yield so that signals and progress are handled.
    await setImmediate();
  }
  if (chunk !== '') await sink.write(encode(chunk));
  return summary;
}

async function* batchLines(records: AsyncIterable<CsvLine>): AsyncGenerator<CsvLine[]> {
  let lines: CsvLine[] = [];
  for await (const line of records) {
    if (lines.push(line) < rowsPerBatch) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}

/** Returns a function from a name to its candidates above the threshold, best first; caches short queries. */
function createMatcher(mirror: Mirror, { limit, threshold }: MatchOptions) {
  const cache = new Map<string, NameCandidate[]>();
  return (nameQuery: NameQuery) => {
    if (nameQuery.name.trim() === '') return [];
    const key = JSON.stringify(nameQuery);
    const compute = () => matchName(mirror, nameQuery, limit).filter(({ score }) => score >= threshold);
    return key.length < 2000 ? readCached(cache, key, { compute, maxEntries: maxCachedNames }) : compute();
  };
}

type Fact = keyof DeclaredFacts;

/** Columns to compare, by header or 1-based position: `name` is one, or two as `Prénom,Nom`; others contain facts. */
export type ComparedColumns = { name?: string | undefined } & { [Name in Fact]?: string | undefined };

/** Indexes of the columns of a name and of each fact, by usual headings if no name is given; throws a UsageError. */
export function findComparedColumns(header: readonly string[], { name, ...columns }: ComparedColumns) {
  // `headings`: for each part of a name and each fact, the usual headings, folded, letters only.
  const toIndex = ([field, words]: [string, readonly string[]]) =>
    [field, header.findIndex((each) => words.includes(fold(each).replace(/[^a-z]/g, '')))] as const;
  const { full = -1, first = -1, last = -1, ...factIndex } = Object.fromEntries(Object.entries(headings).map(toIndex));
  const chosenFacts = Object.entries(columns).flatMap(([fact, column]) =>
    column === undefined ? [] : [[fact as Fact, columnIndex(header, column)] as const],
  );
  if (name !== undefined) return { names: nameIndexes(header, name), facts: chosenFacts };
  const names = first >= 0 && last >= 0 ? [first, last] : [full >= 0 ? full : last];
  if (names.includes(-1))
    throw new UsageError(
      say`no column of names was found among ${header.slice(0, 30).join(', ')}`,
      say`name it with --column NAME, or two with --column FIRST,LAST`,
    );
  const facts = new Map([...(Object.entries(factIndex) as [Fact, number][]), ...chosenFacts]);
  return { names, facts: [...facts].filter(([, at]) => at >= 0) };
}

/** The index of the column with that header; else those of the two columns that a comma separates. */
function nameIndexes(header: readonly string[], name: string): number[] {
  const parts = name.split(',').map((each) => each.trim());
  const isOneColumn = parts.length === 1 || header.some((each) => fold(each).trim() === fold(name).trim());
  return (isOneColumn ? [name] : parts).map((each) => columnIndex(header, each));
}

/** The index of a column, by exact header, by folded header, or by 1-based position; throws a UsageError. */
function columnIndex(header: readonly string[], column: string): number {
  const foldText = (text: string) => fold(text).trim();
  const exactIndex = header.indexOf(column);
  if (exactIndex >= 0) return exactIndex;
  const foldedIndex = header.findIndex((each) => foldText(each) === foldText(column));
  if (foldedIndex >= 0) return foldedIndex;
  if (/^[1-9]\d*$/.test(column) && Number(column) <= header.length) return Number(column) - 1;
  const hint = nearMissHint(nearWords(column, header)) ?? say`it has ${header.slice(0, 30).join(', ')}`;
  throw new UsageError(say`the table has no column "${column}"`, hint);
}
