import { HemicycleError } from '../errors.ts';
import type { EmbeddingOptions } from '../service/embeddings.ts';
import type { Mirror } from '../store/mirror.ts';
import { ofNow } from '../store/search/embeddings.ts';
import { type MeaningFilter, type QueryVector, whyNotByModel } from '../store/search/meaning.ts';
import type { Reading } from './question.ts';

/** The model that queries are turned into vectors by, where one is set. */
export type QueryModel = {
  model: string;
  /** The vector of a query, or why there is none; never throws for what a service does. */
  vectorOf(query: string): Promise<QueryVector>;
};

/** A person waits: a service that takes longer than this is done without. */
const queryLimits = { attempts: 1, connectTimeoutMs: 3000, headersTimeoutMs: 10_000, totalJsonMs: 10_000 };

/** Asks a service of embeddings for the vector of a query, each time anew; opens it when it is first asked. */
export function createQueryModel(options: Omit<EmbeddingOptions, 'limits'>): QueryModel {
  const { model } = options;
  return {
    model,
    async vectorOf(query) {
      try {
        // Few commands need it, and all would wait for it.
        const { createEmbeddingService } = await import('../service/embeddings.ts');
        const service = await createEmbeddingService({ ...options, limits: queryLimits });
        try {
          const [values] = await service.embed([query.slice(0, 2000)]);
          return { model, values: values! };
        } finally {
          await service.close();
        }
      } catch (error) {
        if (!(error instanceof HemicycleError)) throw error;
        return { trouble: error.message };
      }
    },
  };
}

/**
 * The reading with the vector of what is asked, where it is to be compared by meaning and a model is set: or else with
 * why there is none. The service is not asked where the mirror holds nothing to compare with.
 */
export async function withVector(
  mirror: Mirror,
  reading: Reading,
  { query, filter, queryModel }: { query: string; filter: MeaningFilter; queryModel: QueryModel },
): Promise<Reading> {
  const isPast = reading.asOf !== null && mirror.pastOf === null;
  const trouble = isPast ? ofNow : whyNotByModel(mirror, queryModel.model, filter);
  return { ...reading, vector: trouble === null ? await queryModel.vectorOf(query) : { trouble } };
}
