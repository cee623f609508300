import type { Query } from '../../language/query.ts';
import { idBounds, type Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { floatsOf, readEmbeddingState, unitVector, vectorProblem } from './embeddings.ts';
import { addLongForms } from './expression.ts';
import { createScopeTest, type Scope, scopeConditionSql } from './scope.ts';
import { distanceOfNearest, signDistances } from './sign-bits.ts';
import { rankByAnyWord } from './word-ranking.ts';

/** The vector of a query and its model, or why the model cannot be used; plain data for another process. */
export type QueryVector = { model: string; values: number[] } | { trouble: string };

/** Ranks records of a scope by meaning, by words if `vector` is null; `rankedRecords` is null for an unusable model. */
export function searchByMeaning(
  mirror: Mirror,
  query: Query,
  { vector, scope, limit }: { vector: QueryVector | null; scope: Scope; limit: number },
) {
  const rankByWords = (maxHits: number) =>
    rankByAnyWord(mirror, addLongForms(mirror, query), { scope, limit: maxHits, requiresWord: false }).hits;
  const method = vector === null ? ('lexical-expansion' as const) : ('embeddings' as const);
  if (vector === null) return { method, rankedRecords: rankByWords(limit), trouble: null };
  const problem = queryVectorProblem(mirror, vector, scope.kinds);
  if (problem !== null || 'trouble' in vector) return { method, rankedRecords: null, trouble: problem };
  const nearestHits = nearestRecords(mirror, vector.values, { scope, limit: fusionDepth(limit) });
  const rankedRecords = fuseRankings([nearestHits, rankByWords(fusionDepth(limit))]).slice(0, limit);
  return { method, rankedRecords, trouble: null };
}

function queryVectorProblem(mirror: Mirror, vector: QueryVector, kinds: readonly Kind[]): string | null {
  if ('trouble' in vector) return vector.trouble;
  const problem = vectorProblem(mirror, vector.model, kinds);
  if (problem !== null) return problem;
  const { dimensions } = readEmbeddingState(mirror)!;
  if (dimensions === 0 || dimensions === vector.values.length) return null;
  return `${vector.model} gives ${vector.values.length} dimensions now, the vectors of this mirror have ${dimensions}`;
}

/** Number of records to rank by each method before the rankings are fused. */
const fusionDepth = (limit: number) => Math.max(100, 2 * limit);

/** Constant k of reciprocal rank fusion, which compares ranks, not scores: https://doi.org/10.1145/1571941.1572114 */
const rankOffset = 60;

function fuseRankings(rankings: { id: number }[][]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings)
    for (const [rank, { id }] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + rankOffset / (rankOffset + rank));
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || b.id - a.id);
}

/** Fewest candidates, selected by sign bits, that are compared exactly: enough to contain all of the nearest 50. */
const minCandidates = 400;

type NearestOptions = { scope: Scope; limit: number };

/** Records with the nearest vectors by cosine, best first; copies of a text in a row, newest first. */
export function nearestRecords(mirror: Mirror, vector: readonly number[], options: NearestOptions) {
  const queryVector = unitVector(vector);
  const vectorOf = mirror.column<Buffer>('SELECT vector FROM embedding WHERE number = ?');
  const scored = [...findCandidates(mirror, queryVector, options)].flatMap((number) => {
    const stored = vectorOf.get(number);
    return stored ? [{ number, score: dotProduct(queryVector, floatsOf(stored)) }] : [];
  });
  scored.sort((a, b) => b.score - a.score || a.number - b.number);
  const isInScope = createScopeTest(mirror, options.scope) ?? (() => true);
  const recordsOf = mirror.column<number>(`SELECT record.id FROM embedded JOIN record ON record.id = embedded.record
    WHERE embedded.embedding = ? AND record.withdrawn IS NULL ORDER BY record.id DESC`);
  const hits = scored.values().flatMap(({ number, score }) => {
    const ids = recordsOf.all(number).filter(isInScope);
    return ids.map((id) => ({ id, score }));
  });
  return [...hits.take(options.limit)];
}

/** Distances of a vector outside the scope, and of the farthest vector that may be a candidate. */
const excludedDistance = 65_535;
const maxDistance = excludedDistance - 1;

/** Numbers of the vectors of a scope whose sign bits are nearest to the query's. */
function findCandidates(mirror: Mirror, queryVector: Float32Array, { scope, limit }: NearestOptions): Set<number> {
  const sql = 'SELECT numbers, signs FROM embedding_signs WHERE kind = ? ORDER BY chunk';
  const chunksOf = mirror.sql<{ numbers: Buffer; signs: Buffer }>(sql);
  const chunks = scope.kinds.flatMap((kind) => chunksOf.all(kind.name));
  const allNumbers = new Int32Array(chunks.reduce((sum, { numbers }) => sum + numbers.length / 4, 0));
  const distances = new Uint16Array(allNumbers.length);
  let offset = 0;
  for (const { numbers, signs } of chunks) {
    allNumbers.set(new Int32Array(new Uint8Array(numbers).buffer), offset);
    distances.set(signDistances(signs, queryVector), offset);
    offset += numbers.length / 4;
  }
  const { sql: condition, parameters } = scopeConditionSql(mirror, scope, 'record');
  // Without a condition, only kinds restrict the scope.
  if (condition !== '') {
    const vectorsOf = mirror.column<number>(`SELECT embedding FROM embedded WHERE record BETWEEN ? AND ?${condition}`);
    const numbersInScope = new Set(scope.kinds.flatMap((kind) => vectorsOf.all(...idBounds(kind), ...parameters)));
    for (const [at, number] of allNumbers.entries()) if (!numbersInScope.has(number)) distances[at] = excludedDistance;
  }
  const candidateDistance = Math.min(distanceOfNearest(distances, Math.max(minCandidates, 4 * limit)), maxDistance);
  return new Set(allNumbers.filter((_, at) => distances[at]! <= candidateDistance));
}

function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += one[i]! * other[i]!;
  return sum;
}
