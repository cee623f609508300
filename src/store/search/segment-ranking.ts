import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { openSegments, type Segments } from '../word-index/segments.ts';
import { statisticsOf } from '../word-index/statistics.ts';

/** Records of one kind between two numbers, and what a place in each of the index's columns counts among them. */
export type Ranged = { from: number; last: number; weights: readonly number[] };

/** Where a reading of matches stands: behind one of that relevance and number. */
export type Place = { relevance: number; id: number };

/** A token that is looked for, in some columns of the index or in all of them, and the expression that finds it there. */
export type Word = { token: string; columns: readonly boolean[]; match: string };

/**
 * What is looked for, one word or the other, the records that are to be ranked, how many these are, and the statement that
 * finds them. `isPart` where they are not all that match, `isScoped` where they are not all between the numbers of the ranges.
 */
type Wanted = {
  words: readonly Word[];
  ranges: readonly Ranged[];
  ranked: number;
  isPart: boolean;
  isScoped: boolean;
  matching: Sql;
};

/** The constants of FTS5's bm25, which this answers in the place of: https://www.sqlite.org/fts5.html#the_bm25_function */
const [saturation, lengthShare] = [1.2, 0.75];
const leastIdf = 1e-6;

/** A word is counted by FTS5 in about the time in which a record is ranked here that holds as much as that of it. */
const leastBytes = 100;

/**
 * The best matches of a word, or of what it is in texts and in names, among the newest records that hold it, ranked as FTS5's bm25 does, in half its time: it asks
 * for what it needs of a record one by one. It also reads all records of the word first to count them, which for a word of
 * 400,000 takes four times as long as all else; where part of such a word is ranked, their number is judged by how closely
 * those stand that are. Null where the segments tell other records than the index.
 */
export function rankBySegments(
  mirror: Mirror,
  { words, ranges, ranked, isPart, isScoped, matching }: Wanted,
  { after, limit }: { after: Place | null; limit: number },
): Place[] | null {
  const reads = words.map((word) => readWord(mirror, word, ranges)).filter((read) => read !== null);
  if (reads.length < words.length) return null;
  const ids = (isScoped ? null : heldBy(reads, ranked)) ?? idsMatching(mirror, matching);
  const lengths = statisticsOf(mirror).lengths(ids);
  const found = reads.map((read) => ({ ...read, idf: idfOf(mirror, read, { ranked, isPart }), next: 0 }));
  const { averageLength } = found[0]!.segments;
  const best = createBest(limit);
  for (const [at, id] of ids.entries()) {
    const tempered = 1 - lengthShare + (lengthShare * lengths[at]!) / averageLength;
    const newest = newestSegment(found, id);
    let relevance = 0;
    for (const { read, next, idf } of found) {
      const entry = read[next];
      if (entry?.id !== id || entry.segment < newest || entry.frequency === 0) continue;
      const { frequency } = entry;
      relevance -= idf * ((frequency * (saturation + 1)) / (frequency + saturation * tempered));
    }
    if (relevance === 0) return null;
    const place = { relevance, id };
    if (after === null || byRelevance(after, place) < 0) best.offer(place);
  }
  return best.places;
}

type Entry = { id: number; frequency: number; segment: number };
type WordRead = { word: Word; segments: Segments; read: Entry[]; held: number };

/** The records of some ranges that hold a token, in their order, those of the newest segment last. */
function readWord(mirror: Mirror, word: Word, ranges: readonly Ranged[]): WordRead | null {
  const segments = openSegments(mirror, word.token);
  if (segments === null) return null;
  const read: Entry[] = [];
  let held = 0;
  let isInOrder = true;
  for (const { from, last, weights } of ranges) {
    const counted = weights.map((weight, column) => (word.columns[column] ? weight : 0));
    segments.read(from, last, (id, counts, segment) => {
      const frequency = frequencyOf(counts, counted);
      if (frequency > 0) held += 1;
      if (read.length > 0 && id <= read.at(-1)!.id) isInOrder = false;
      read.push({ id, frequency, segment });
    });
  }
  if (!isInOrder) read.sort((one, other) => one.id - other.id || one.segment - other.segment);
  return { word, segments, read, held };
}

/**
 * The records that hold any of some words, in their order, where they are as many as the index says: its segments also tell
 * what a record said before, so that others would be more. Null where they are.
 */
function heldBy(reads: readonly WordRead[], expected: number): number[] | null {
  const held = reads.map(({ read }) => read.filter(({ frequency }) => frequency > 0).map(({ id }) => id));
  const several = held.filter((ids) => ids.length > 0);
  const all = several.length < 2 ? (several[0] ?? []) : several.flat().sort((one, other) => one - other);
  const ids = all.filter((id, at) => id !== all[at - 1]);
  return ids.length === expected ? ids : null;
}

function idsMatching(mirror: Mirror, { sql, parameters }: Sql): number[] {
  return JSON.parse(mirror.column<string>(`SELECT json_group_array(rowid) ${sql}`).get(...parameters)!);
}

/** Moves each reading to the newest entry of a record, where it has one; the newest segment among these. */
function newestSegment(found: { read: Entry[]; next: number }[], id: number): number {
  let newest = -1;
  for (const each of found) {
    const { read } = each;
    while (each.next < read.length && (read[each.next]!.id < id || read[each.next + 1]?.id === id))
      each.next += 1;
    const entry = read[each.next];
    if (entry?.id === id) newest = Math.max(newest, entry.segment);
  }
  return newest;
}

/** How much a word tells, by how many records hold it, as bm25 of FTS5 has it. */
function idfOf(
  mirror: Mirror,
  { word, segments, read, held }: WordRead,
  { ranked, isPart }: Pick<Wanted, 'ranked' | 'isPart'>,
): number {
  const isJudged = isPart && segments.bytes >= leastBytes * ranked;
  const share = held / Math.max(1, read.length);
  const records = isJudged
    ? Math.min(segments.records, segments.estimate()) * share
    : statisticsOf(mirror).counted(`records with ${word.match}`, () => recordsWith(mirror, word.match));
  return Math.max(leastIdf, Math.log((segments.records - records + 0.5) / (records + 0.5)));
}

/** What the places of a word in a record count, added one by one as FTS5 does: the sum is the same to the last bit. */
function frequencyOf(counts: Uint32Array, weights: readonly number[]): number {
  let frequency = 0;
  for (let column = 0; column < counts.length; column += 1)
    for (let place = counts[column]!; place > 0; place -= 1) frequency += weights[column]!;
  return frequency;
}

function recordsWith(mirror: Mirror, match: string): number {
  return mirror.column<number>('SELECT count(*) FROM search WHERE search MATCH ?').get(match)!;
}

/** The better match first; the newer of two as good. */
export function byRelevance(one: Place, other: Place): number {
  return one.relevance - other.relevance || other.id - one.id;
}

/** Keeps the best of what is offered, in order; `takes` tells whether one of that relevance may be among them. */
export function createBest(limit: number): {
  places: Place[];
  takes(relevance: number): boolean;
  offer(place: Place): void;
} {
  const places: Place[] = [];
  return {
    places,
    takes: (relevance) => places.length < limit || relevance <= places[limit - 1]!.relevance,
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
