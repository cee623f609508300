import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { limitOf } from '../limit.ts';
import type { Trial } from '../trial.ts';

const expansionLimitMs = 50;

/**
 * Wall time of search by meaning over 100,000 generated records: nearest vectors beside a loop over all vectors, and
 * lexical expansion against a limit and beside bm25.
 */
export const searchMeaning: Trial = {
  name: 'search-meaning',
  async run({ folder }) {
    const ownFolder = join(folder, 'meaning');
    mkdirSync(ownFolder, { recursive: true });
    const { figures, rssMb } = await runChild('meaning-latency', [ownFolder]);
    const { vectors, nearestP50Ms, loopP50Ms, expansionP50Ms, expansionP95Ms, bm25P50Ms } = figures;
    const limit = limitOf(expansionLimitMs);
    return [
      {
        name: `search by vectors, ${vectors} of 256 dimensions, read from the file`,
        result: `p50 ${nearestP50Ms!.toFixed(2)} ms`,
        reference: `loop over all vectors in memory p50 ${loopP50Ms!.toFixed(2)} ms`,
        ratio: nearestP50Ms! / loopP50Ms!,
        requiredRatio: { atMost: 0.7 },
        rssMb,
      },
      {
        name: 'lexical expansion of six words, 100,000 records',
        result: `p50 ${expansionP50Ms!.toFixed(2)} ms, p95 ${expansionP95Ms!.toFixed(2)} ms`,
        reference: `p95 ${limit.reference}; bm25 of any of the words p50 ${bm25P50Ms!.toFixed(2)} ms`,
        ratio: limit.ratioOf(expansionP95Ms!),
        requiredRatio: { atMost: 1 },
        rssMb,
      },
    ];
  },
};
