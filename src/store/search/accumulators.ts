import type { Mirror } from '../mirror.ts';
import type { PostingList, Postings } from '../word-index/postings.ts';
import { usedRanges } from '../word-index/search-index.ts';
import { createScopeTest, type Scope } from './scope.ts';

/** bm25 parameters: k1, term frequency saturation, and b, length normalisation. */
const saturation = 1.2;
const lengthNormalisation = 0.5;

/** Tokens of a text of usual length: a constant tuned on judged queries, like the weights. */
const usualLength = 100;

/** The bm25 term frequency of `count` occurrences in a text of usual length. */
const saturate = (count: number): number => count / (count + saturation);

/** One concept of a query: occurrences per record over all its wordings, its weight and its idf. */
export type Concept = { counts: ReadonlyMap<number, number>; weight: number; idf: number };

/** Posting list of one wording of a concept. */
type WordingPostings = Pick<PostingList, 'ids' | 'counts'>;

export type Accumulators = ReturnType<typeof createAccumulators>;

/** Creates empty score sums for the records of a scope, filled concept by concept (term at a time). */
export function createAccumulators(mirror: Mirror, scope: Scope) {
  const ranges = usedRanges(mirror, scope.kinds)
    .filter(({ first, last }) => last >= first)
    .sort((one, other) => one.last - one.first - (other.last - other.first));
  const rangeOf = (id: number) => ranges.findIndex(({ first, last }) => id >= first && id <= last);
  const isMember = createScopeTest(mirror, scope) ?? (() => true);
  const sums = new Map<number, number>();
  const concepts: Concept[] = [];
  return {
    ranges,
    /** Sums the occurrences of several wordings in the records of the scope, as if they were one word. */
    sumWordings(wordings: Iterable<WordingPostings>): ReadonlyMap<number, number> {
      const counts = new Map<number, number>();
      for (const { ids, counts: occurrences } of wordings)
        for (const [at, id] of ids.entries())
          if (rangeOf(id) !== -1 && isMember(id)) counts.set(id, (counts.get(id) ?? 0) + occurrences[at]!);
      return counts;
    },
    add(concept: Concept) {
      concepts.push(concept);
      for (const [id, count] of concept.counts)
        sums.set(id, (sums.get(id) ?? 0) + concept.weight * concept.idf * saturate(count));
    },
    /** The `limit` records with the highest sums (of `allowedIds`, if given), rescored by text length. */
    topRecords(limit: number, postings: Postings, allowedIds: ReadonlySet<number> | null) {
      const eligibleSums = allowedIds === null ? sums : new Map([...sums].filter(([id]) => allowedIds.has(id)));
      // Typed arrays sort without a callback: five times as fast.
      const threshold = Float64Array.from(eligibleSums.values()).sort().at(-limit) ?? 0;
      const ids = [...eligibleSums]
        .filter(([, sum]) => sum >= threshold)
        // On equal sums the kind with the most records comes first.
        .sort((one, other) => other[1] - one[1] || rangeOf(other[0]) - rangeOf(one[0]) || other[0] - one[0])
        .slice(0, limit)
        .map(([id]) => id);
      const lengths = postings.lengths(ids);
      return ids
        .map((id, at) => ({ id, score: scoreOf(concepts, id, lengths[at]! / usualLength) }))
        .sort((one, other) => other.score - one.score || other.id - one.id);
    },
  };
}

function scoreOf(concepts: readonly Concept[], id: number, length: number): number {
  const lengthTerm = saturation * (1 - lengthNormalisation + lengthNormalisation * length);
  return concepts.reduce((score, { counts, weight, idf }) => {
    const count = counts.get(id) ?? 0;
    return score + (weight * idf * count) / (count + lengthTerm);
  }, 0);
}

/** The non-negative bm25 idf of a word that occurs in this many records. */
export function idfOf({ records: total }: Pick<Postings, 'records'>, records: number): number {
  return Math.log(1 + (Math.max(0, total - records) + 0.5) / (records + 0.5));
}
