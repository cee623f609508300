import type { Query } from '../../language/query.ts';
import { type Document, documentOf, textOf } from '../../model/document.ts';
import type { Mirror } from '../mirror.ts';
import { badCursor, decodeCursor, encodeCursor } from '../page.ts';
import { createCopyCounter } from './copies.ts';
import type { Match, Matched, ResultCursor, Step } from './ranking.ts';
import { totalOf } from './relaxation.ts';

/** A matched record with its document, the step that found it, and the number of its copies. */
export type Hit = Match & {
  key: string;
  document: Document;
  date: string;
  matched: Matched;
  copies: number;
  /** True if it contains the words as typed. */
  isExact: boolean;
};

/** One page of results: after a cursor, without the excluded records, with all copies or one of each text. */
type PageRequest = {
  limit: number;
  cursor?: string | undefined;
  excludedIds: ReadonlySet<number>;
  allCopies: boolean;
};

/** End of a page: a step, a window of matches after a place in it, and how many of the window were seen. */
type PagePosition = { step: number; window: number; after: ResultCursor | null; seen: number };

const smallestWindow = 60;
const largestWindow = 2000;
const order = 'search';

/** The next hits of the steps in order, and the cursor after them; null at the end. */
export function resultPage(
  mirror: Mirror,
  { steps, query, wanted }: { steps: readonly Step[]; query: Query; wanted: PageRequest },
): { hits: Hit[]; nextCursor: string | null } {
  const countCopies = createCopyCounter(mirror);
  const isExactIn = exactnessOf(query);
  const hits: Hit[] = [];
  const window = Math.min(largestWindow, Math.max(smallestWindow, wanted.limit));
  let position = wanted.cursor === undefined ? begin(0, window) : positionIn(wanted.cursor);
  // Names fill the first page: the texts begin on the next one.
  if (wanted.limit === 0 && isMore(steps, wanted)) return { hits, nextCursor: cursorAt(position) };
  while (position.step < steps.length) {
    const step = steps[position.step]!;
    const { matches, last } = rankedOf(step, { ...position, excludedIds: wanted.excludedIds });
    const read = readHits(mirror, matches, { matched: step.matched, isExactIn }).sort(byUse);
    const idsOf = new Map(step.found.map(({ kind, ids }) => [kind, ids]));
    for (const [at, hit] of read.entries()) {
      if (at < position.seen) continue;
      const copies = wanted.allCopies ? 0 : countCopies(hit, idsOf.get(hit.kind)!);
      if (copies === null) continue;
      if (hits.length === wanted.limit) return { hits, nextCursor: cursorAt({ ...position, seen: at }) };
      hits.push({ ...hit, copies });
    }
    position =
      last === null
        ? begin(position.step + 1, window)
        : { step: position.step, window, after: last, seen: 0 };
  }
  return { hits, nextCursor: null };
}

/** True if there are matches besides the excluded records. */
function isMore(steps: readonly Step[], { excludedIds }: PageRequest): boolean {
  const total = totalOf(steps.flatMap(({ found }) => found));
  return steps.length > 0 && (total === null || total > excludedIds.size);
}

function begin(step: number, window: number): PagePosition {
  return { step, window, after: null, seen: 0 };
}

function cursorAt({ step, window, after, seen }: PagePosition): string {
  return encodeCursor(order, [`${step} ${window} ${after?.relevance ?? ''}`, after?.id ?? 0, seen]);
}

function positionIn(cursor: string): PagePosition {
  const [text, id, seen] = decodeCursor(order, cursor, 2);
  const [, step, window, relevance] = /^(\d) (\d{1,4}) (-?\d[\d.e+-]*)?$/.exec(text) ?? [];
  if (step === undefined || Number.isNaN(Number(relevance ?? 0)) || seen < 0) throw badCursor();
  return {
    step: Number(step),
    window: Math.min(largestWindow, Math.max(1, Number(window))),
    after: relevance === undefined ? null : { relevance: Number(relevance), id },
    seen,
  };
}

/** The matches of a window by relevance, without excluded records; `last` is null if nothing follows. */
type Ranked = { matches: Match[]; last: ResultCursor | null };

function rankedOf(
  { best }: Step,
  { after, window, excludedIds }: PagePosition & Pick<PageRequest, 'excludedIds'>,
): Ranked {
  const matches = best({ after, limit: window + 1 });
  const hasMore = matches.length > window;
  if (hasMore) matches.pop();
  const last = matches.at(-1);
  return {
    matches: excludedIds.size === 0 ? matches : matches.filter(({ id }) => !excludedIds.has(id)),
    last: hasMore && last ? { relevance: last.relevance, id: last.id } : null,
  };
}

/** Relevances that differ by less count as equal. */
const tie = 0.05;

function tieOf({ relevance }: { relevance: number }): number {
  return Math.round(relevance / tie);
}

/** Hits that hold the words as typed first, then the more relevant, then the newest. */
function byUse(one: Hit, other: Hit): number {
  return (
    Number(other.isExact) - Number(one.isExact) ||
    tieOf(one) - tieOf(other) ||
    Number(one.date < other.date) - Number(one.date > other.date) ||
    other.id - one.id
  );
}

type HitReading = { matched: Matched; isExactIn?: (text: string) => boolean };

/** Reads the records of matches, in their order, without counting copies. */
export function readHits(mirror: Mirror, matches: readonly Match[], reading: HitReading): Hit[] {
  if (matches.length === 0) return [];
  const stored = mirror
    .sql<StoredHit>(
      'SELECT id, key, row, detail, date FROM record WHERE id IN (SELECT value FROM json_each(?))',
    )
    .all(JSON.stringify(matches.map(({ id }) => id)));
  const records = new Map(stored.map((each) => [each.id, each]));
  return matches.map((match) => hitOf(match, records.get(match.id)!, reading));
}

type StoredHit = { id: number; key: string; row: string | null; detail: string | null; date: string };

function hitOf(
  match: Match,
  { key, row, detail, date }: StoredHit,
  { matched, isExactIn = () => false }: HitReading,
): Hit {
  const document = documentOf({ row, detail });
  const { name, body } = match.kind.search;
  const own = [...name, ...body].map((field) => textOf(document, field) ?? '').join('\n');
  return { ...match, key, document, date, matched, copies: 0, isExact: isExactIn(own) };
}

/** Punctuation around a word. */
const around = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}+#%€°]+$/gu;

/** A typed word without punctuation and elision. */
function wordOf(text: string): string {
  return text.replace(around, '').replace(/^.*['’‘ʼ`´]/, '');
}

/** Creates a test whether a text contains every word of the query as typed, ignoring case. */
function exactnessOf({ terms }: Query): (text: string) => boolean {
  const tests = terms
    .map(({ text, prefix }) => ({ word: wordOf(text.normalize('NFC')), prefix }))
    .filter(({ word }) => word !== '')
    .map(({ word, prefix }) =>
      /^[\p{L}\p{N}-]+$/u.test(word) ? holdsWord(word, prefix) : holdsPhrase(word),
    );
  return (text) => {
    const composed = text.normalize('NFC');
    const lower = composed.toLowerCase();
    return tests.every((test) => test(composed, lower));
  };
}

type WordTest = (composed: string, lower: string) => boolean;

const [wordBefore, wordBehind] = [/[\p{L}\p{N}]$/u, /^[\p{L}\p{N}]/u];

/** Uses indexOf: compiling a pattern per word takes as long as reading ten texts. */
function holdsWord(text: string, prefix: boolean): WordTest {
  const word = text.toLowerCase();
  return (_, lower) => {
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
      const end = at + word.length;
      const isWithin =
        wordBefore.test(lower.slice(Math.max(0, at - 2), at)) ||
        (!prefix && wordBehind.test(lower.slice(end, end + 2)));
      if (!isWithin) return true;
    }
    return false;
  };
}

function holdsPhrase(text: string): WordTest {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, 'iu');
  return (composed) => pattern.test(composed);
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
}
