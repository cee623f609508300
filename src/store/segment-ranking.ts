import type { Mirror } from './mirror.ts';
import type { Sql } from './page.ts';
import { columns, openSegments } from './segments.ts';
import { varint } from './varints.ts';

/** Records of one kind between two numbers, and what a place in each of the index's columns counts among them. */
export type Ranged = { from: number; last: number; weights: readonly number[] };

/** Where a reading of matches stands: behind one of that relevance and number. */
export type Place = { relevance: number; id: number };

/** A word, the records of it that are to be ranked, how many these are, and the statement that finds them. */
type Wanted = { token: string; ranges: readonly Ranged[]; ranked: number; matching: Sql };

/** The constants of FTS5's bm25, which this answers in the place of: https://www.sqlite.org/fts5.html#the_bm25_function */
const [saturation, lengthShare] = [1.2, 0.75];
const leastIdf = 1e-6;

/** A word is counted by FTS5 in about the time in which a record is ranked here that holds as much as that of it. */
const leastBytes = 100;

/**
 * The best matches of one word among the newest records that hold it, as FTS5's bm25 ranks them. That reads all records
 * of the word first to count them, which for a word of 400,000 takes four times as long as all else; here their number is
 * judged by how closely those stand that are ranked. Null where that saves nothing, or the segments tell other records than
 * the index.
 */
export function rankBySegments(
  mirror: Mirror,
  { token, ranges, ranked, matching }: Wanted,
  { after, limit }: { after: Place | null; limit: number },
): Place[] | null {
  const segments = openSegments(mirror, token);
  if (segments === null || segments.bytes < leastBytes * ranked) return null;
  const counted = new Map<number, number>();
  for (const { from, last, weights } of ranges)
    segments.read(from, last, (id, counts) => {
      let frequency = 0;
      for (let column = 0; column < counts.length; column += 1)
        frequency += counts[column]! * weights[column]!;
      counted.set(id, frequency);
    });
  const lengths = lengthsOf(mirror, matching);
  if (lengths.ids.some((id) => !counted.has(id))) return null;
  const [all, records] = [segments.records, Math.min(segments.records, segments.estimate())];
  const idf = Math.max(leastIdf, Math.log((all - records + 0.5) / (records + 0.5)));
  const best = createBest(limit);
  for (const [at, id] of lengths.ids.entries()) {
    const frequency = counted.get(id)!;
    const tempered = 1 - lengthShare + (lengthShare * lengths.words[at]!) / segments.averageLength;
    const score = (frequency * (saturation + 1)) / (frequency + saturation * tempered);
    const place = { relevance: -idf * score, id };
    if (after === null || byRelevance(after, place) < 0) best.offer(place);
  }
  return best.places;
}

/** The better match first; the newer of two as good. */
export function byRelevance(one: Place, other: Place): number {
  return one.relevance - other.relevance || other.id - one.id;
}

/** The records that match, by their numbers, and how many words each has, as the index keeps that. */
function lengthsOf(mirror: Mirror, { sql, parameters }: Sql): { ids: number[]; words: number[] } {
  // Two texts for all: a row for each would take as long as to rank them.
  const read = mirror
    .sql<{ ids: string; sizes: string | null }>(
      `SELECT json_group_array(rowid) AS ids,
       group_concat((SELECT hex(sz) FROM search_docsize WHERE id = search.rowid), '') AS sizes ${sql}`,
    )
    .get(...parameters)!;
  const ids: number[] = JSON.parse(read.ids);
  const sizes = { bytes: Buffer.from(read.sizes ?? '', 'hex'), at: 0 };
  const words = ids.map(() => {
    let sum = 0;
    for (let column = 0; column < columns; column += 1) sum += varint(sizes);
    return sum;
  });
  return { ids, words };
}

/** Keeps the best of what is offered, in order. */
function createBest(limit: number): { places: Place[]; offer(place: Place): void } {
  const places: Place[] = [];
  return {
    places,
    offer(place) {
      if (places.length === limit && byRelevance(places[limit - 1]!, place) < 0) return;
      let [low, high] = [0, places.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (byRelevance(places[middle]!, place) < 0) low = middle + 1;
        else high = middle;
      }
      places.splice(low, 0, place);
      if (places.length > limit) places.pop();
    },
  };
}
