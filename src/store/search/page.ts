import { type Document, documentOf, type RecordTexts } from '../../model/document.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { badCursor, decodeCursor, encodeCursor } from '../page.ts';
import { textHash } from '../word-index/index-entry.ts';
import type { Match, Matched, ResultCursor, Step } from './ranking.ts';
import { totalOf } from './relaxation.ts';

/** A matched record with its document, the step that found it, and the number of its copies. */
export type Hit = Match & {
  key: string;
  document: Document;
  matched: Matched;
  copies: number;
};

/** One page of results: after a cursor, without the excluded records, with all copies or one of each text. */
type PageRequest = {
  limit: number;
  cursor?: string | undefined;
  excludedIds: ReadonlySet<number>;
  allCopies: boolean;
};

/** End of a page: a step, and a place in it. */
type PagePosition = { step: number; after: ResultCursor | null };

/** Matches read at a time: copies and excluded records are not shown. */
const fewestRead = 60;
const mostCopies = 10_000;
const order = 'search';

/** The next hits of the steps in order, and the cursor after them; null at the end. */
export function resultPage(
  mirror: Mirror,
  steps: readonly Step[],
  { limit, cursor, excludedIds, allCopies }: PageRequest,
): { hits: Hit[]; nextCursor: string | null } {
  const countCopies = createCopyCounter(mirror);
  const hits: Hit[] = [];
  const window = Math.max(fewestRead, limit);
  let position: PagePosition = cursor === undefined ? { step: 0, after: null } : positionIn(cursor);
  // Names fill the first page: the texts begin on the next one.
  const total = totalOf(steps.flatMap(({ found }) => found));
  const isMore = steps.length > 0 && (total === null || total > excludedIds.size);
  if (limit === 0 && isMore) return { hits, nextCursor: cursorAt(position) };
  while (position.step < steps.length) {
    const { matched, found, best } = steps[position.step]!;
    const matches = best({ after: position.after, limit: window });
    const idsOf = new Map(found.map(({ kind, ids }) => [kind, ids]));
    for (const match of matches) {
      if (excludedIds.has(match.id)) continue;
      const hit = readHit(mirror, match, matched);
      const copies = allCopies ? 0 : countCopies(hit, idsOf.get(hit.kind)!);
      if (copies === null) continue;
      if (hits.length === limit) return { hits, nextCursor: cursorAt(position) };
      hits.push({ ...hit, copies });
      position = { ...position, after: { relevance: hit.relevance, id: hit.id } };
    }
    const last = matches.at(-1);
    const isEnd = matches.length < window || last === undefined;
    position = isEnd ? { step: position.step + 1, after: null } : { ...position, after: last };
  }
  return { hits, nextCursor: null };
}

function cursorAt({ step, after }: PagePosition): string {
  return encodeCursor(order, [`${step} ${after?.relevance ?? ''}`, after?.id ?? 0]);
}

function positionIn(cursor: string): PagePosition {
  const [text, id] = decodeCursor(order, cursor);
  const [, step, relevance] = /^(\d) (-?\d[\d.e+-]*)?$/.exec(text) ?? [];
  if (step === undefined || Number.isNaN(Number(relevance ?? 0))) throw badCursor();
  return {
    step: Number(step),
    after: relevance === undefined ? null : { relevance: Number(relevance), id },
  };
}

/** Reads the record of a match, without counting copies. */
export function readHit(mirror: Mirror, match: Match, matched: Matched): Hit {
  const stored = mirror
    .sql<RecordTexts & { key: string }>('SELECT key, row, detail FROM record WHERE id = ?')
    .get(match.id)!;
  return { ...match, key: stored.key, document: documentOf(stored), matched, copies: 0 };
}

/**
 * Creates a counter of the copies of a record among some of its kind, so that a text is shown once; null if a newer copy is
 * shown in its place. It caches its lookups.
 */
function createCopyCounter(mirror: Mirror) {
  const known = new Map<string, number[]>();
  return ({ id, kind, document }: Hit, among: ReadonlySet<number>): number | null => {
    const hash = textHash(kind, document);
    if (hash === null) return 0;
    // Copies are counted per kind: a quote never hides the speech it comes from.
    const name = `${kind.name} ${hash}`;
    const same = known.get(name) ?? sameText(mirror, kind, hash);
    known.set(name, same);
    const copies = same.filter((each) => among.has(each));
    return copies.length === 0 || copies[0] === id ? Math.max(0, copies.length - 1) : null;
  };
}

/** SQL of the ids of records with a text between two ids, newest first. */
export const sameTextSql = `SELECT id FROM record WHERE text_hash = ? AND id BETWEEN ? AND ? AND withdrawn IS NULL
  ORDER BY id DESC LIMIT ${mostCopies}`;

/** Ids of the records of a kind with a text, newest first. */
export function sameText(mirror: Mirror, kind: Kind, hash: number): number[] {
  const { first, last } = recordRange(kind);
  return mirror.column<number>(sameTextSql).all(hash, first, last);
}
