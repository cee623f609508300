import { runChild } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import type { Trial } from '../trial.ts';

/**
 * Rate of matching spelling variants of politicians' names, beside a table scan for equal names, which matches no
 * variant.
 */
export const match: Trial = {
  name: 'match',
  isQuick: true,
  needsRealRecords: true,
  async run(workspace) {
    const { figures, rssMb } = await runChild('match-rate', [await importedMirror(workspace)]);
    const { names, matchesPerSecond, scansPerSecond } = figures;
    return [
      {
        name: `match of ${names} spelling variants of names`,
        result: `${matchesPerSecond} names/s`,
        reference: `table scan for equal names ${scansPerSecond} names/s`,
        ratio: matchesPerSecond! / scansPerSecond!,
        requiredRatio: { atLeast: 0.5 },
        rssMb,
      },
    ];
  },
};
