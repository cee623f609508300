import type { Query } from '../../language/query.ts';
import type { Kind, KindName } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { readEmbedded, whyNotEmbedded } from './embeddings.ts';
import { withLongForms } from './expression.ts';
import { askedKinds } from './filters.ts';
import { nearestRecords } from './nearest-records.ts';
import type { Scope } from './scope.ts';
import { rankByAnyWord } from './word-ranking.ts';

/** Settings of a semantic search: plain values that another process can receive. */
export type MeaningSettings = {
  /** The query as a vector if a model is used, or why there is none. */
  vector?: QueryVector | null;
};

/** A query as a model's vector, or why the model could not be used. */
export type QueryVector = { model: string; values: number[] } | { trouble: string };

export type MeaningFilter = { types?: readonly KindName[] | undefined; topic?: string | undefined };

/** Records by similarity of meaning, best first; null if the model could not be used. `trouble` is a warning or the reason. */
export type MeaningAnswer = {
  method: 'lexical-expansion' | 'embeddings';
  ranked: { id: number; score: number }[] | null;
  trouble: string | null;
};

/** Ranks the records of a scope by similarity of meaning to a query. */
export function searchByMeaning(
  mirror: Mirror,
  query: Query,
  { settings, scope, limit }: { settings: MeaningSettings; scope: Scope; limit: number },
): MeaningAnswer {
  const { vector = null } = settings;
  const byWords = (most: number) =>
    rankByAnyWord(mirror, withLongForms(mirror, query), { scope, limit: most, isHeld: false }).hits;
  if (vector === null) return { method: 'lexical-expansion', ranked: byWords(limit), trouble: null };
  const why = whyNotCompared(mirror, vector, scope.kinds);
  if (why !== null || 'trouble' in vector) return { method: 'embeddings', ranked: null, trouble: why };
  const near = nearestRecords(mirror, vector.values, { scope, limit: fusedOf(limit) });
  const ranked = fused([near, byWords(fusedOf(limit))]).slice(0, limit);
  return { method: 'embeddings', ranked, trouble: null };
}

/** Why a model cannot be used for a search; null if it can. */
export function whyNotByModel(mirror: Mirror, model: string, filter: MeaningFilter): string | null {
  return whyNotEmbedded(mirror, model, askedKinds(filter));
}

function whyNotCompared(mirror: Mirror, vector: QueryVector, kinds: readonly Kind[]): string | null {
  if ('trouble' in vector) return vector.trouble;
  const why = whyNotEmbedded(mirror, vector.model, kinds);
  if (why !== null) return why;
  const { dimensions } = readEmbedded(mirror)!;
  if (dimensions === 0 || dimensions === vector.values.length) return null;
  return `${vector.model} gives ${vector.values.length} dimensions now, the vectors of this mirror have ${dimensions}`;
}

const fusedOf = (limit: number) => Math.max(100, 2 * limit);

/** Reciprocal rank fusion, since the scores are not comparable: https://doi.org/10.1145/1571941.1572114 */
const rankOffset = 60;

function fused(rankings: { id: number }[][]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [rank, { id }] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + rankOffset / (rankOffset + rank));
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || b.id - a.id);
}
