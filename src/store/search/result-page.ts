import { type Document, documentOf, type RecordTexts, slugOf } from '../../model/document.ts';
import { idBounds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { badCursorError, decodeCursor, encodeCursor } from '../page.ts';
import { textHash } from '../word-index/index-entry.ts';
import type { KindResult } from './counting.ts';
import { type Match, type ResultCursor, type SearchMatchKind, type Step, totalOf } from './ranking.ts';

/** A match with its record, how it matched, the number of its older copies, and their authors who did not sign it. */
export type Hit = Match & {
  key: string;
  document: Document;
  matchKind: SearchMatchKind;
  copyCount: number;
  coAuthors: string[];
};

type PageRequest = {
  limit: number;
  cursor?: string | undefined;
  /** Prefix that distinguishes the cursors of search modes. */
  cursorName?: string;
  excludedIds: ReadonlySet<number>; // listed by name, or with an excluded word
  /** True if every copy of a text is a hit; else only the newest. */
  allCopies: boolean;
};

/** Position of a page: index of a step, and the last hit before it (null: the start of the step). */
type PagePosition = { stepIndex: number; after: ResultCursor | null };

const maxCopies = 10_000;

/** The next hits of the steps in order, and the next cursor; null at the end. */
export function readResultPage(mirror: Mirror, steps: readonly Step[], request: PageRequest) {
  const { limit, cursor, cursorName = 'search', excludedIds, allCopies } = request;
  const hits: Hit[] = [];
  let position: PagePosition = cursor === undefined ? { stepIndex: 0, after: null } : parseCursor(cursorName, cursor);
  // If names fill the page, the next one begins with the first hit of the steps.
  const total = totalOf(steps);
  const hasMatches = steps.length > 0 && (total === null || total > excludedIds.size);
  if (limit === 0 && hasMatches) return { hits, nextCursor: createCursor(cursorName, position) };
  const recordStatement = mirror.sql<RecordTexts & { key: string }>('SELECT key, row, detail FROM record WHERE id = ?');
  while (position.stepIndex < steps.length) {
    const { matchKind, matchesByKind, rankAfter } = steps[position.stepIndex]!;
    const olderCopies = new Set<number>(); // of the texts read so far
    for (const match of rankAfter(position.after)) {
      if (excludedIds.has(match.id) || olderCopies.has(match.id)) continue;
      const { key, ...texts } = recordStatement.get(match.id)!;
      const hit: Hit = { ...match, key, document: documentOf(texts), matchKind, copyCount: 0, coAuthors: [] };
      const [newestId, ...olderIds] = allCopies ? [hit.id] : copyIdsOf(mirror, hit, matchesByKind);
      for (const each of olderIds) olderCopies.add(each);
      if (newestId !== hit.id) continue;
      if (hits.length === limit) return { hits, nextCursor: createCursor(cursorName, position) };
      hits.push(withCopies(mirror, hit, olderIds));
      position = { ...position, after: { relevance: hit.relevance, id: hit.id } };
    }
    position = { stepIndex: position.stepIndex + 1, after: null };
  }
  return { hits, nextCursor: null };
}

function createCursor(cursorName: string, { stepIndex, after }: PagePosition): string {
  return encodeCursor(cursorName, [`${stepIndex} ${after?.relevance ?? ''}`, after?.id ?? 0]);
}

function parseCursor(cursorName: string, cursor: string): PagePosition {
  const [text, id] = decodeCursor(cursorName, cursor);
  const { step, relevance } = /^(?<step>\d) (?<relevance>-?\d[\d.e+-]*)?$/.exec(text)?.groups ?? {};
  if (step === undefined || Number.isNaN(Number(relevance ?? 0))) throw badCursorError();
  return { stepIndex: Number(step), after: relevance === undefined ? null : { relevance: Number(relevance), id } };
}

/** The hit with the number of its older copies and at most 10 politicians who signed a copy, but not the hit. */
function withCopies(mirror: Mirror, hit: Hit, ids: readonly number[]): Hit {
  if (ids.length === 0) return hit;
  const sql = `SELECT DISTINCT politician FROM record WHERE id IN (SELECT value FROM json_each(?))
    AND politician IS NOT ? AND politician IS NOT NULL ORDER BY 1 LIMIT 10`;
  const coAuthors = mirror.column<string>(sql).all(JSON.stringify(ids), slugOf(hit.document.politician));
  return { ...hit, copyCount: ids.length, coAuthors };
}

/** Ids of a step's matches with the same text, newest first; for a match without a text, its id alone. */
function copyIdsOf(mirror: Mirror, { id, kind, document }: Hit, matchesByKind: readonly KindResult[]): number[] {
  const hash = textHash(kind, document);
  // Copies are of one kind, so that a quotation never hides the speech that contains it.
  const sameTextIds = hash === null ? [] : mirror.column<number>(sameTextSql).all(hash, ...idBounds(kind));
  if (sameTextIds.every((each) => each === id)) return [id];
  const matches = matchesByKind.find((each) => each.kind === kind)!;
  const copyIds = sameTextIds.filter((each) => matches.ids().has(each));
  return copyIds.length > 0 ? copyIds : [id];
}

/** Selects the ids of records with a text hash between two ids, newest first. */
export const sameTextSql = `SELECT id FROM record WHERE text_hash = ? AND id BETWEEN ? AND ? AND withdrawn IS NULL
  ORDER BY id DESC LIMIT ${maxCopies}`;
