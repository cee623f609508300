import type { Mirror } from '../mirror.ts';
import type { PostingList, Postings } from '../word-index/postings.ts';
import { usedRanges } from '../word-index/search-index.ts';
import { type Scope, withinScope } from './scope.ts';

/** bm25 parameters: k1, term frequency saturation, and b, length normalisation. */
const saturation = 1.2;
const lengthShare = 0.5;

/** Tokens of a text of usual length: a constant tuned on judged queries, like the weights. */
const usualLength = 100;

/** The bm25 term frequency of `count` occurrences in a text of usual length. */
const saturated = (count: number): number => count / (count + saturation);

/** One concept of a query: weighted occurrences per record over all its wordings, its weight and its idf. */
export type Concept = { counts: ReadonlyMap<number, number>; weight: number; idf: number };

/** Posting list of one wording of a concept, with its relative weight. */
type Saying = Pick<PostingList, 'ids' | 'counts'> & { weight: number };

export type Accumulators = ReturnType<typeof createAccumulators>;

/** Creates empty score sums for the records of a scope, filled concept by concept (term at a time). */
export function createAccumulators(mirror: Mirror, scope: Scope) {
  const ranges = usedRanges(mirror, scope.kinds)
    .filter(({ first, last }) => last >= first)
    .sort((one, other) => one.last - one.first - (other.last - other.first));
  const rangeOf = (id: number) => ranges.findIndex(({ first, last }) => id >= first && id <= last);
  const isMember = withinScope(mirror, scope) ?? (() => true);
  const sums = new Map<number, number>();
  const concepts: Concept[] = [];
  return {
    ranges,
    /** Sums the occurrences of several wordings in the records of the scope, as if they were one word. */
    together(sayings: Iterable<Saying>): ReadonlyMap<number, number> {
      const counts = new Map<number, number>();
      for (const { ids, counts: each, weight } of sayings)
        for (const [at, id] of ids.entries())
          if (rangeOf(id) !== -1 && isMember(id)) counts.set(id, (counts.get(id) ?? 0) + weight * each[at]!);
      return counts;
    },
    add(concept: Concept) {
      concepts.push(concept);
      for (const [id, count] of concept.counts)
        sums.set(id, (sums.get(id) ?? 0) + concept.weight * concept.idf * saturated(count));
    },
    /** The `most` records with the highest sums (of `among`, if given), rescored by text length. */
    best(most: number, postings: Postings, among: ReadonlySet<number> | null) {
      const eligibleSums = among === null ? sums : new Map([...sums].filter(([id]) => among.has(id)));
      // Typed arrays sort without a callback: five times as fast.
      const least = Float64Array.from(eligibleSums.values()).sort().at(-most) ?? 0;
      const ids = [...eligibleSums]
        .filter(([, sum]) => sum >= least)
        // On equal sums the kind with the most records comes first.
        .sort((one, other) => other[1] - one[1] || rangeOf(other[0]) - rangeOf(one[0]) || other[0] - one[0])
        .slice(0, most)
        .map(([id]) => id);
      const lengths = postings.lengths(ids);
      return ids
        .map((id, at) => ({ id, score: scoreOf(concepts, id, lengths[at]! / usualLength) }))
        .sort((one, other) => other.score - one.score || other.id - one.id);
    },
  };
}

function scoreOf(concepts: readonly Concept[], id: number, length: number): number {
  const tempered = saturation * (1 - lengthShare + lengthShare * length);
  return concepts.reduce((score, { counts, weight, idf }) => {
    const count = counts.get(id) ?? 0;
    return score + (weight * idf * count) / (count + tempered);
  }, 0);
}

/** The non-negative bm25 idf of a word that occurs in this many records. */
export function idfOf({ records: all }: Pick<Postings, 'records'>, records: number): number {
  return Math.log(1 + (Math.max(0, all - records) + 0.5) / (records + 0.5));
}
