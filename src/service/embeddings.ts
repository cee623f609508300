import { AuthenticationError, NetworkError, ServiceAnswerError } from '../errors.ts';
import { isDocument, type Json } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { collectBytes, limitBody, parseJson } from './body.ts';
import type { ServiceClientOptions } from './options.ts';
import { openConnection } from './retry.ts';

/** A client of an OpenAI-compatible `/v1/embeddings` endpoint (Ollama, llama.cpp, TEI, vLLM). */
export type EmbeddingService = Awaited<ReturnType<typeof createEmbeddingService>>;

export type EmbeddingOptions = Omit<ServiceClientOptions, 'baseUrl' | 'pace' | 'token' | 'authHeader'> & {
  /** A host, a path that ends in /v1, or the full endpoint. */
  url: string;
  model: string;
  /** API key, sent only to the origin of `url`. */
  key: string | null;
};

/** Statuses that may mean "batch too large": the batch is split in two. */
const oversizeStatuses = [400, 413, 422];

/** Creates a client of an embedding service, which retries requests and checks responses. */
export async function createEmbeddingService(options: EmbeddingOptions) {
  const { model, key: token } = options;
  const url = embeddingsAddress(options.url);
  const pace = { waitForSlot: async () => {}, pause: () => {} };
  const { limits, tally, retryWithin, close } = await openConnection({ ...options, baseUrl: url, token, pace });
  const retry = retryWithin(limits.attempts);

  async function requestVectors(texts: string[]): Promise<number[][]> {
    const jsonBody = JSON.stringify({ model, input: texts, encoding_format: 'float' });
    const request = { url, validator: null, totalMs: limits.totalJsonMs, jsonBody };
    return (await retry(request, async (response) => {
      const bytes = await collectBytes(limitBody(response, { url, maxBytes: limits.maxJsonBytes, tally }));
      return readVectors(url, parseJson(url, bytes, response.headers.get('content-type')), texts.length);
    }))!;
  }

  /** Returns the vectors of texts, in order, all of one length; splits a batch that the service calls too large. */
  async function embed(texts: string[]): Promise<number[][]> {
    try {
      return await requestVectors(texts);
    } catch (error) {
      const isOversize = error instanceof ServiceAnswerError && oversizeStatuses.includes(error.status ?? 0);
      // Embeddings have their own settings, which the hint names.
      if (error instanceof AuthenticationError) error.advice = say`check \`embeddings-key\` (HEMICYCLE_EMBEDDINGS_KEY)`;
      else if (error instanceof NetworkError)
        error.advice = say`check \`embeddings-url\` and that its server is running; embeddings computed so far are kept`;
      else if (error instanceof ServiceAnswerError && error.status !== null)
        error.advice = say`check \`embeddings-model\` and \`embeddings-url\`; embeddings computed so far are kept`;
      if (!isOversize || texts.length === 1) throw error;
      const half = Math.ceil(texts.length / 2);
      return [...(await embed(texts.slice(0, half))), ...(await embed(texts.slice(half)))];
    }
  }

  return { model, embed, tally, close };
}

/** Completes a host, or a path such as `/v1`, to the URL of the endpoint. */
export function embeddingsAddress(address: string): string {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/embeddings')) url.pathname = `${path === '' ? '/v1' : path}/embeddings`;
  return url.href;
}

/** Vectors in the order of the texts; throws a ServiceAnswerError for any other response. */
function readVectors(url: string, body: Json, count: number): number[][] {
  const data = isDocument(body) && Array.isArray(body.data) ? body.data : [];
  const vectors: number[][] = [];
  for (const [at, item] of data.entries()) {
    if (!isDocument(item) || !Array.isArray(item.embedding)) continue;
    const index = typeof item.index === 'number' ? item.index : at;
    if (item.embedding.length > 0 && item.embedding.every(Number.isFinite)) vectors[index] = item.embedding as number[];
  }
  const lengths = new Set(vectors.map((vector) => vector.length));
  if (vectors.length === count && Object.keys(vectors).length === count && lengths.size <= 1) return vectors;
  throw new ServiceAnswerError(url, say`the answer does not hold ${count} vectors of one length`, {
    hint: say`check that \`embeddings-url\` names an OpenAI-compatible /v1/embeddings, and \`embeddings-model\` a model of it`,
  });
}
