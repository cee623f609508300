import { runChild } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import type { Row, Trial } from '../trial.ts';

const limitMs = 4000;

/** Long articles that are checked: one sentence full of words for votes, and many quotations and lines. */
export const check: Trial = {
  name: 'check',
  isQuick: true,
  async run(workspace) {
    const { figures, rssMb } = await runChild('check-articles', [await importedMirror(workspace)]);
    const { sentence, passages } = figures;
    const limit = limitOf(limitMs);
    return [['one sentence', sentence!] as const, ['100 quotations, 16,000 lines', passages!] as const].map(
      ([name, ms]): Row => ({
        name: `check an article of 340,000 characters: ${name}`,
        ours: `${ms} ms`,
        peer: limit.peer,
        ratio: limit.ratioOf(ms),
        must: { most: 1 },
        rssMb,
      }),
    );
  },
};
