import { HemicycleError } from '../errors.ts';
import type { EmbeddingOptions } from '../service/embeddings.ts';
import type { Mirror } from '../store/mirror.ts';
import { noPastVectorsReason, vectorProblem } from '../store/search/embeddings.ts';
import { type KindFilter, requestedKinds } from '../store/search/filters.ts';
import type { QueryVector } from '../store/search/meaning.ts';
import type { ReadOptions } from './question.ts';

/** An embedding model for queries. */
export type QueryModel = {
  model: string;
  /** Requests the vector of a query; a service error is returned as `trouble`, not thrown. */
  vectorOf(query: string): Promise<QueryVector>;
};

/** Short limits for interactive use. */
const queryLimits = { attempts: 1, connectTimeoutMs: 3000, headersTimeoutMs: 10_000, totalJsonMs: 10_000 };

/** Returns a query model that requests vectors from an embedding service. */
export function createQueryModel(options: Omit<EmbeddingOptions, 'limits'>): QueryModel {
  const { model } = options;
  return {
    model,
    async vectorOf(query) {
      try {
        // Loaded lazily: few commands need it.
        const { createEmbeddingService } = await import('../service/embeddings.ts');
        const service = await createEmbeddingService({ ...options, limits: queryLimits });
        await using _ = { [Symbol.asyncDispose]: service.close };
        const [values] = await service.embed([query.slice(0, 2000)]);
        return { model, values: values! };
      } catch (error) {
        if (!(error instanceof HemicycleError)) throw error;
        return { trouble: error.message };
      }
    },
  };
}

/** Returns the options with the query's vector, or why there is none; requests it only if the mirror has vectors. */
export async function withVector(
  mirror: Mirror,
  readOptions: ReadOptions,
  { query, filter, queryModel }: { query: string; filter: KindFilter; queryModel: QueryModel },
): Promise<ReadOptions> {
  const isPast = readOptions.asOf !== null && mirror.asOf === null; // `vectorProblem` refuses mirrors with `asOf`
  const trouble = isPast ? noPastVectorsReason : vectorProblem(mirror, queryModel.model, requestedKinds(filter));
  return { ...readOptions, vector: trouble === null ? await queryModel.vectorOf(query) : { trouble } };
}
