import { runChild } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import type { Row, Trial } from '../trial.ts';

const limitMs = 4000;

/**
 * Wall time of a check of two long articles against a limit: one sentence of vote words, and many quotations and
 * lines.
 */
export const check: Trial = {
  name: 'check',
  isQuick: true,
  async run(workspace) {
    const { figures, rssMb } = await runChild('check-latency', [await importedMirror(workspace)]);
    const limit = limitOf(limitMs);
    const row = (article: string, ms: number): Row => ({
      name: `check of an article of 340,000 characters, ${article}`,
      result: `${ms} ms`,
      reference: limit.reference,
      ratio: limit.ratioOf(ms),
      requiredRatio: { atMost: 1 },
      rssMb,
    });
    return [row('one sentence', figures.oneSentenceMs!), row('100 quotations and 16,000 lines', figures.manyLinesMs!)];
  },
};
