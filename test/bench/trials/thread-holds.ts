import { join } from 'node:path';
import { runChild } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import type { Trial } from '../trial.ts';

const limitMs = 30;

/** Processor time for which one request keeps the serving thread from handling others, at most, over all routes. */
export const threadHolds: Trial = {
  name: 'holds',
  needsRealRecords: true,
  async run(workspace) {
    const assetsFolder = join(workspace.root, 'dist/assets');
    const readerProgram = join(workspace.root, 'dist/server/run/reader.js');
    const mirror = await importedMirror(workspace);
    const { figures, rssMb } = await runChild('thread-holds', [mirror, assetsFolder, readerProgram]);
    const holds = Object.entries(figures).sort(([, one], [, other]) => other - one);
    const [request, longestMs] = holds[0]!;
    const limit = limitOf(limitMs, 'CPU');
    return [
      {
        name: `serve: longest hold of the serving thread by one of ${holds.length} worst-case requests`,
        result: `${longestMs.toFixed(1)} ms CPU, ${request}`,
        reference: limit.reference,
        ratio: limit.ratioOf(longestMs),
        requiredRatio: { atMost: 1 },
        rssMb,
      },
    ];
  },
};
