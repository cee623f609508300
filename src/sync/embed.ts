import { ServiceAnswerError } from '../errors.ts';
import { inBatches } from '../model/document.ts';
import type { EmbeddingService } from '../service/embeddings.ts';
import type { Mirror } from '../store/mirror.ts';
import {
  beginEmbedding,
  countUnembedded,
  finishEmbedding,
  nextTextsToEmbed,
  readEmbeddingState,
  saveVectors,
  vectorLength,
} from '../store/search/embeddings.ts';
import { say } from '../words/speech.ts';

/** What `embedRecords` needs. */
export type EmbedContext = {
  mirror: Mirror;
  service: EmbeddingService;
  signal: AbortSignal;
  /** Called with the number of records embedded, and of those without a vector at the start. */
  progress(done: number, total: number): void;
};

/** Texts per request, which every known embedding server accepts. */
const batchSize = 32;

/** Saves vectors of all records without one, batch by batch; returns the counts of these records and of texts sent. */
export async function embedRecords({ mirror, service, signal, progress }: EmbedContext) {
  const { model } = service;
  beginEmbedding(mirror, model);
  const total = countUnembedded(mirror);
  const result = { records: 0, texts: 0 };
  if (total === 0 && readEmbeddingState(mirror)?.model === model) return result;
  progress(0, total);
  // Records that changed meanwhile are embedded by another round.
  do {
    for (let after = 0; ; ) {
      const { texts, last, assignedCount } = nextTextsToEmbed(mirror, { model, after });
      result.records += assignedCount;
      progress(result.records, total);
      if (last === null) break;
      // `texts` are those of the read records without a cached vector: embed them, then read these records again.
      if (texts.length === 0) after = last;
      for (const batch of inBatches(texts, batchSize)) {
        signal.throwIfAborted();
        const vectors = await service.embed(batch.map(({ text }) => text));
        refuseOtherLength(mirror, model, vectors[0]!.length);
        const hashedVectors = batch.map(({ hash }, at) => ({ hash, vector: vectors[at]! }));
        saveVectors(mirror, model, hashedVectors);
        result.texts += batch.length;
        progress(result.records, total);
      }
    }
  } while (!finishEmbedding(mirror, model));
  return result;
}

/** Throws a ServiceAnswerError for vectors of another length: they come from another model, whatever its name. */
function refuseOtherLength(mirror: Mirror, model: string, length: number): void {
  const dimensions = vectorLength(mirror, model);
  if (dimensions === null || dimensions === length) return;
  const sentence = say`returns embeddings of ${length} dimensions; those of this mirror have ${dimensions}`;
  const hint = say`give a replaced model another name in \`embeddings-model\`; embeddings computed so far are kept`;
  throw new ServiceAnswerError(model, sentence, { hint });
}
