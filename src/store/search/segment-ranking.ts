import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { openSegments } from './segments.ts';
import { statisticsOf } from './statistics.ts';

/** Records of one kind between two numbers, and what a place in each of the index's columns counts among them. */
export type Ranged = { from: number; last: number; weights: readonly number[] };

/** Where a reading of matches stands: behind one of that relevance and number. */
export type Place = { relevance: number; id: number };

/** A match, and whether the places of the word and the length tell that no other one has the same text. */
type Ranked = Place & { isAlone: boolean };

/**
 * A word, the records of it that are to be ranked, how many these are, and the statement that finds them. `isPart` where they
 * are not all that match.
 */
type Wanted = { token: string; ranges: readonly Ranged[]; ranked: number; isPart: boolean; matching: Sql };

/** The constants of FTS5's bm25, which this answers in the place of: https://www.sqlite.org/fts5.html#the_bm25_function */
const [saturation, lengthShare] = [1.2, 0.75];
const leastIdf = 1e-6;

/** A word is counted by FTS5 in about the time in which a record is ranked here that holds as much as that of it. */
const leastBytes = 100;

/**
 * The best matches of one word among the newest records that hold it, ranked as FTS5's bm25 does, in half its time: it asks
 * for what it needs of a record one by one. It also reads all records of the word first to count them, which for a word of
 * 400,000 takes four times as long as all else; where part of such a word is ranked, their number is judged by how closely
 * those stand that are. Null where the segments tell other records than the index.
 */
export function rankBySegments(
  mirror: Mirror,
  { token, ranges, ranked, isPart, matching }: Wanted,
  { after, limit }: { after: Place | null; limit: number },
): Ranked[] | null {
  const segments = openSegments(mirror, token);
  if (segments === null) return null;
  const read: { id: number; frequency: number; places: number }[] = [];
  for (const { from, last, weights } of ranges)
    segments.read(from, last, (id, counts, places) => {
      read.push({ id, frequency: frequencyOf(counts, weights), places });
    });
  // Those of the newest segment stay the last of equals.
  read.sort((one, other) => one.id - other.id);
  const ids: number[] = JSON.parse(
    mirror.column<string>(`SELECT json_group_array(rowid) ${matching.sql}`).get(...matching.parameters)!,
  );
  const { lengths, counted } = statisticsOf(mirror);
  const { all, texts } = lengths(ids);
  const isJudged = isPart && segments.bytes >= leastBytes * ranked;
  const records = isJudged
    ? Math.min(segments.records, segments.estimate())
    : counted(`records with ${token}`, () => recordsWith(mirror, token));
  const idf = Math.max(leastIdf, Math.log((segments.records - records + 0.5) / (records + 0.5)));
  const best = createBest<Place & { text: number }>(limit);
  const textsOf = new Float64Array(ids.length);
  let next = 0;
  for (const [at, id] of ids.entries()) {
    while (next < read.length && (read[next]!.id < id || read[next + 1]?.id === id)) next += 1;
    const found = read[next];
    if (found?.id !== id) return null;
    const { frequency, places } = found;
    const tempered = 1 - lengthShare + (lengthShare * all[at]!) / segments.averageLength;
    const score = (frequency * (saturation + 1)) / (frequency + saturation * tempered);
    const text = texts[at]! * 2 ** 32 + places;
    textsOf[at] = text;
    const place = { relevance: -idf * score, id, text };
    if (after === null || byRelevance(after, place) < 0) best.offer(place);
  }
  return markedAlone(best.places, textsOf);
}

function markedAlone(places: (Place & { text: number })[], textsOf: Float64Array): Ranked[] {
  const counts = new Map(places.map(({ text }) => [text, 0]));
  for (const text of textsOf) {
    const count = counts.get(text);
    if (count !== undefined) counts.set(text, count + 1);
  }
  return places.map(({ relevance, id, text }) => ({ relevance, id, isAlone: counts.get(text) === 1 }));
}

/** What the places of a word in a record count, added one by one as FTS5 does: the sum is the same to the last bit. */
function frequencyOf(counts: Uint32Array, weights: readonly number[]): number {
  let frequency = 0;
  for (let column = 0; column < counts.length; column += 1)
    for (let place = counts[column]!; place > 0; place -= 1) frequency += weights[column]!;
  return frequency;
}

function recordsWith(mirror: Mirror, token: string): number {
  return mirror.column<number>('SELECT count(*) FROM search WHERE search MATCH ?').get(`"${token}"`)!;
}

/** The better match first; the newer of two as good. */
export function byRelevance(one: Place, other: Place): number {
  return one.relevance - other.relevance || other.id - one.id;
}

/** Keeps the best of what is offered, in order. */
function createBest<Found extends Place>(limit: number): { places: Found[]; offer(place: Found): void } {
  const places: Found[] = [];
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
