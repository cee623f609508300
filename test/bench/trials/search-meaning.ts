import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { limitOf } from '../limit.ts';
import type { Trial } from '../trial.ts';

/** The ms within which 95 of 100 sentences are widened and answered. */
const mostOfExpansion = 50;

/** Search by meaning over 100,000 records: vectors of 256 dimensions against a loop over all, expansion against bm25. */
export const searchMeaning: Trial = {
  name: 'search-meaning',
  async run({ folder }) {
    const own = join(folder, 'meaning');
    mkdirSync(own, { recursive: true });
    const { figures, rssMb } = await runChild('meaning-latency', [own]);
    const [near, loop, expanded, bm25] = ['near', 'loop', 'expanded', 'bm25'].map((name) => figures[name]!);
    const limit = limitOf(mostOfExpansion);
    return [
      {
        name: `search by vectors (${figures.vectors} of 256 dimensions)`,
        ours: `p50 ${near!.toFixed(2)} ms from the file`,
        peer: `a loop over all in memory ${loop!.toFixed(2)} ms`,
        ratio: near! / loop!,
        must: { most: 0.7 },
        rssMb,
      },
      {
        name: 'lexical expansion',
        ours: `p50 ${expanded!.toFixed(2)} ms, p95 ${figures.expandedMost!.toFixed(2)} ms`,
        peer: `${limit.peer}; bm25 over any word ${bm25!.toFixed(2)} ms`,
        ratio: limit.ratioOf(figures.expandedMost!),
        must: { most: 1 },
        rssMb,
      },
    ];
  },
};
