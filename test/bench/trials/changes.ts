import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { generateContent } from '../generate.ts';
import { limitOf } from '../limit.ts';
import { type Row, type Trial, worstRow } from '../trial.ts';

const versionCount = 1_000_000;
const limitMs = 200;

/** Wall time (p95) of a page of changes in a mirror with a million versions of 100,000 records, against a limit. */
export const changesOfMillion: Trial = {
  name: 'changes',
  async run({ folder }) {
    const source = join(folder, 'changes');
    const mirror = join(folder, 'changes.db');
    mkdirSync(source);
    await generateContent(source, versionCount / 10);
    await runChild('import-mirror', [source, mirror]);
    const { figures, rssMb } = await runChild('changes-latency', [mirror, String(versionCount)]);
    const { versions, ...latencies } = figures;
    const limit = limitOf(limitMs);
    const rows = Object.entries(latencies).map(
      ([query, ms]): Row => ({
        name: `page of 100 changes ${query}, ${versions} versions`,
        result: `p95 ${ms.toFixed(1)} ms`,
        reference: limit.reference,
        ratio: limit.ratioOf(ms),
        requiredRatio: { atMost: 1 },
        rssMb,
      }),
    );
    return [worstRow(rows)];
  },
};
