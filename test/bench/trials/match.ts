import { runChild } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import type { Trial } from '../trial.ts';

/** Names as others write them, each matched once, beside equal names looked for by a scan, which finds no other spelling. */
export const match: Trial = {
  name: 'match',
  isQuick: true,
  isOfReal: true,
  async run(workspace) {
    const { figures, rssMb } = await runChild('match-rate', [await importedMirror(workspace)]);
    const { names, matchedPerSecond, scanned } = figures;
    return [
      {
        name: `match ${names} names written in other ways`,
        ours: `${matchedPerSecond} names/s`,
        peer: `equal names by a scan ${scanned} names/s`,
        ratio: matchedPerSecond! / scanned!,
        must: { least: 0.5 },
        rssMb,
      },
    ];
  },
};
