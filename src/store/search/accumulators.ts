import type { Mirror } from '../mirror.ts';
import { recordRange } from '../record.ts';
import type { PostingList, Postings, RecordRange } from '../word-index/postings.ts';
import { byRelevance, type ResultCursor } from './ranking.ts';
import { type Scope, withinScope } from './scope.ts';

/** How much the first and the next places of a word in one text count, and how much the length of the text does (bm25). */
const [saturation, lengthShare] = [1.2, 0.5];

/** Words of a text of usual length: a fixed number, measured on judged queries as the weights are. */
const usualLength = 100;

/** How often a thing is said `count` times counts, beside once, in a text of usual length. */
export function saturated(count: number): number {
  return count / (count + saturation);
}

/** One thing that is looked for: where it is said, how often in whatever words, and how much it counts. */
export type Concept = { slots: number[]; counts: number[]; weight: number; idf: number };

/** One way to say it, and how much that counts beside the others. */
export type Saying = Pick<PostingList, 'ids' | 'counts'> & { weight: number };

/**
 * Sums of scores, one for each record of a scope, as things are looked for one after the other (term at a time). Arrays with
 * a slot for each record: maps of numbers take ten times as long.
 */
export type Accumulators = {
  /** Where the records of each kind are, the fewest first. */
  ranges: readonly RecordRange[];
  /** Where something is said among the records of the scope, as one word in all its forms. */
  together(sayings: Iterable<Saying>): Pick<Concept, 'slots' | 'counts'>;
  /** Adds what a concept counts to the sums. */
  add(concept: Concept): void;
  /** So many records with the highest sums, then put in order with the lengths of their texts. */
  best(most: number, postings: Postings): { id: number; score: number }[];
};

/** Accumulators for the records of a scope, all of them zero. */
export function createAccumulators(mirror: Mirror, scope: Scope): Accumulators {
  const spans = spansOf(mirror, scope);
  const slotOf = slotsIn(mirror, scope, spans);
  const size = spans.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const [sums, counted, marks] = [new Float64Array(size), new Float64Array(size), new Uint16Array(size)];
  const reached: number[] = [];
  const concepts: Concept[] = [];
  return {
    ranges: spans,
    together(sayings) {
      const slots: number[] = [];
      for (const { ids, counts, weight } of sayings)
        for (let at = 0; at < ids.length; at += 1) {
          const slot = slotOf(ids[at]!);
          if (slot === -1) continue;
          if (counted[slot] === 0) slots.push(slot);
          counted[slot]! += weight * counts[at]!;
        }
      const counts = slots.map((slot) => counted[slot]!);
      for (const slot of slots) counted[slot] = 0;
      return { slots, counts };
    },
    add(concept) {
      const { slots, counts, weight, idf } = concept;
      concepts.push(concept);
      for (let at = 0; at < slots.length; at += 1) {
        const slot = slots[at]!;
        if (sums[slot] === 0) reached.push(slot);
        sums[slot]! += weight * idf * saturated(counts[at]!);
      }
    },
    best(most, postings) {
      const best = createBest(most);
      for (const slot of reached)
        if (best.takes(-sums[slot]!)) best.offer({ relevance: -sums[slot]!, id: slot });
      const slots = best.places.map(({ id: slot }) => slot);
      const ids = slots.map((slot) => idOf(spans, slot));
      const words = postings.lengths(ids);
      const lengths = words.map((each) => each / usualLength);
      for (const [at, slot] of slots.entries()) marks[slot] = at + 1;
      const scores = scoresOf(concepts, marks, lengths);
      for (const slot of slots) marks[slot] = 0;
      return ids
        .map((id, at) => ({ id, score: scores[at]! }))
        .sort((one, other) => other.score - one.score || other.id - one.id);
    },
  };
}

/** Records of one kind, as slots from a number on. */
type Span = RecordRange & { base: number };

function spansOf(mirror: Mirror, { kinds }: Scope): Span[] {
  const newest = mirror.column<number | null>('SELECT max(id) FROM main.record WHERE id BETWEEN ? AND ?');
  const held = kinds.flatMap((kind) => {
    const { first, last } = recordRange(kind);
    const end = newest.get(first, last);
    return end === undefined || end === null ? [] : [{ first, last: end }];
  });
  held.sort((one, other) => one.last - one.first - (other.last - other.first));
  let base = 0;
  return held.map(({ first, last }) => {
    base += last - first + 1;
    return { first, last, base: base - (last - first + 1) };
  });
}

/** Tells of a record's number its slot; -1 where it is not asked for. Records of a kind come one after the other. */
function slotsIn(mirror: Mirror, scope: Scope, spans: readonly Span[]): (id: number) => number {
  const isWithin = withinScope(mirror, scope);
  let span: Span = { first: 0, last: -1, base: 0 };
  return (id) => {
    if (id < span.first || id > span.last) {
      const other = spans.find(({ first, last }) => id >= first && id <= last);
      if (other === undefined) return -1;
      span = other;
    }
    return isWithin === null || isWithin(id) ? span.base + id - span.first : -1;
  };
}

function idOf(spans: readonly Span[], slot: number): number {
  const { first, base } = spans.findLast((span) => slot >= span.base)!;
  return first + slot - base;
}

/** What concepts count in the marked records, those of some lengths. */
function scoresOf(concepts: readonly Concept[], marks: Uint16Array, lengths: readonly number[]): number[] {
  const tempered = lengths.map((length) => saturation * (1 - lengthShare + lengthShare * length));
  const scores = lengths.map(() => 0);
  for (const { slots, counts, weight, idf } of concepts)
    for (let at = 0; at < slots.length; at += 1) {
      const mark = marks[slots[at]!]!;
      if (mark === 0) continue;
      const count = counts[at]!;
      scores[mark - 1]! += (weight * idf * count) / (count + tempered[mark - 1]!);
    }
  return scores;
}

/** Keeps the best of what is offered, in order; `takes` tells whether one of that relevance may be among them. */
function createBest(limit: number) {
  const places: ResultCursor[] = [];
  return {
    places,
    takes: (relevance: number) => places.length < limit || relevance <= places[limit - 1]!.relevance,
    offer(place: ResultCursor) {
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
