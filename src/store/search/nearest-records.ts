import { recordRange } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { floatsOf, unitVector } from './embeddings.ts';
import { memberSql, type Scope, withinScope } from './scope.ts';
import { distanceOfNearest, signDistances } from './sign-bits.ts';

/** Fewest candidates compared exactly: enough to find all of the nearest 50. */
const leastCandidates = 400;

type NearestOptions = { scope: Scope; limit: number };

/**
 * The records with the nearest vectors by cosine, best first; copies of one text together, newest first. Candidates are
 * found by the signs of all vectors and ranked by the vectors themselves.
 */
export function nearestRecords(
  mirror: Mirror,
  vector: readonly number[],
  options: NearestOptions,
): { id: number; score: number }[] {
  const asked = unitVector(vector);
  const near = candidates(mirror, asked, options);
  const vectorOf = mirror.column<Buffer>('SELECT vector FROM embedding WHERE number = ?');
  const scored = [...near].flatMap((number) => {
    const stored = vectorOf.get(number);
    return stored ? [{ number, score: dot(asked, floatsOf(stored)) }] : [];
  });
  scored.sort((a, b) => b.score - a.score || a.number - b.number);
  const isWithin = withinScope(mirror, options.scope) ?? (() => true);
  const hits: { id: number; score: number }[] = [];
  for (const { number, score } of scored) {
    for (const id of recordsWith(mirror, number, isWithin)) hits.push({ id, score });
    if (hits.length >= options.limit) break;
  }
  return hits.slice(0, options.limit);
}

function candidates(mirror: Mirror, asked: Float32Array, { scope, limit }: NearestOptions): Set<number> {
  const chunks = scope.kinds.flatMap((kind) =>
    mirror
      .sql<{ numbers: Buffer; signs: Buffer }>(
        'SELECT numbers, signs FROM embedding_signs WHERE kind = ? ORDER BY chunk',
      )
      .all(kind.name),
  );
  const all = new Int32Array(chunks.reduce((sum, { numbers }) => sum + numbers.length / 4, 0));
  const distances = new Uint16Array(all.length);
  let from = 0;
  for (const { numbers, signs } of chunks) {
    all.set(new Int32Array(new Uint8Array(numbers).buffer), from);
    signDistances(signs, asked, { distances, from });
    from += numbers.length / 4;
  }
  const allowed = vectorsWithin(mirror, scope);
  if (allowed !== null)
    for (const [at, number] of all.entries()) if (!allowed.has(number)) distances[at] = 65_535;
  const within = Math.min(distanceOfNearest(distances, Math.max(leastCandidates, 4 * limit)), 65_534);
  return new Set(all.filter((_, at) => distances[at]! <= within));
}

/** Vector numbers of the records in a scope; null if it restricts nothing but kinds. */
function vectorsWithin(mirror: Mirror, scope: Scope): Set<number> | null {
  const conditions = scope.kinds.map((kind) => ({ kind, condition: memberSql(mirror, scope, kind) }));
  if (conditions.every(({ condition }) => condition.sql === '')) return null;
  const vectors = conditions.flatMap(({ kind, condition: { sql, parameters } }) => {
    const { first, last } = recordRange(kind);
    return mirror
      .column<number>(`SELECT embedding FROM embedded WHERE record BETWEEN ? AND ?${sql}`)
      .all(first, last, ...parameters);
  });
  return new Set(vectors);
}

function recordsWith(mirror: Mirror, number: number, isWithin: (id: number) => boolean): number[] {
  return mirror
    .column<number>(
      `SELECT record.id FROM embedded JOIN record ON record.id = embedded.record
       WHERE embedded.embedding = ? AND record.withdrawn IS NULL ORDER BY record.id DESC`,
    )
    .all(number)
    .filter(isWithin);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < one.length; n += 1) sum += one[n]! * other[n]!;
  return sum;
}
