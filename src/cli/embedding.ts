import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../errors.ts';
import type { Mirror } from '../store/mirror.ts';
import type { Progress } from '../terminal/progress.ts';
import { figure, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import { choiceFlag } from './oclif.ts';
import type { EmbeddingSettings } from './settings.ts';

/** The flag `--embed` of commands that fill a mirror; `options` are its values, of which `also` is the default. */
export function embedFlag(options: string[]) {
  return choiceFlag('compute missing embeddings, if an embeddings service is configured', options, 'also');
}

type EmbeddingRun = { mirror: Mirror; embeddings: EmbeddingSettings | null; signal: AbortSignal; progress: Progress };

/** Computes and stores missing record embeddings, with progress; returns a summary, or null if none were missing. */
export async function embed(command: HemicycleCommand, { mirror, embeddings, signal, progress }: EmbeddingRun) {
  if (embeddings === null)
    throw new ConfigurationError(
      say`no embeddings service is configured`,
      say`set HEMICYCLE_EMBEDDINGS_URL and HEMICYCLE_EMBEDDINGS_MODEL, or \`hemicycle config set embeddings-url http://127.0.0.1:11434/v1\``,
    );
  const { createEmbeddingService } = await import('../service/embeddings.ts');
  const { embedRecords } = await import('../sync/embed.ts');
  const service = await createEmbeddingService({
    ...embeddings,
    ...command.network,
    signal,
    sleep: (ms) => sleep(ms, undefined, { signal }),
    // Without a GPU, a batch of long texts takes a minute.
    limits: { headersTimeoutMs: 300_000 },
    onWait: (ms, reason) => progress.note(say`waiting ${Math.ceil(ms / 1000)} s for ${reason}`),
  });
  const { records, texts } = await embedRecords({
    mirror,
    service: command.closeAtEnd(service),
    signal,
    progress: (done, total) =>
      progress.update(say`embeddings with ${embeddings.model}: ${figure(done)} of ${figure(total)} records`),
  }).finally(() => progress.stop());
  return records + texts === 0
    ? null
    : say`${figure(records)} records now have an embedding by ${embeddings.model}; ${figure(texts)} texts were sent`;
}
