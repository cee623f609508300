import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { deleteJournal } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import { withServer } from '../server.ts';
import type { Trial } from '../trial.ts';
import { runSync } from './sync.ts';

const politicianCount = 100_000;
const limitMs = 6000;

/**
 * Wall time of a sync after one of 100,000 generated politicians was edited, against a limit. The records are read from
 * Hemicycle's own server as from any service.
 */
export const nightlySync: Trial = {
  name: 'night',
  async run(workspace) {
    const source = join(workspace.folder, 'night');
    const sourceFile = join(source, 'politicians.ndjson');
    const served = join(workspace.folder, 'night-served.db');
    mkdirSync(source);
    const serveRecords = async (ndjson: string) => {
      writeFileSync(sourceFile, ndjson);
      await runChild('import-mirror', [source, served]);
      deleteJournal(served);
    };
    await serveRecords(generatePoliticians());
    return withServer(served, async (origin) => {
      const syncOptions = { origin, db: 'night.db', flags: ['--only', 'politician'] };
      // The first sync leaves some records to the second; the third is like that of any night.
      for (let n = 0; n < 2; n += 1) await runSync(workspace, syncOptions);
      const before = readFileSync(sourceFile, 'utf8');
      await serveRecords(before.replace('"current_role":"Member 4711"', '"current_role":"Keeper of the light"'));
      const { seconds, rssMb, report } = await runSync(workspace, syncOptions);
      const edited = report.records.politician?.edited ?? 0;
      if (edited !== 1) throw new Error(`${edited} politicians were edited, not one`);
      const limit = limitOf(limitMs);
      return [
        {
          name: `sync of ${politicianCount} politicians after one was edited, ${report.requests} requests`,
          result: `${seconds.toFixed(2)} s`,
          reference: limit.reference,
          ratio: limit.ratioOf(seconds * 1000),
          requiredRatio: { atMost: 1 },
          rssMb,
        },
      ];
    });
  },
};

function generatePoliticians(): string {
  const lines = Array.from({ length: politicianCount }, (_, n) =>
    JSON.stringify({
      slug: `personne-${n}`,
      full_name: `Anne-${n} Duphare`,
      current_role: `Member ${n}`,
      party: `parti-${n % 12}`,
      bio: `Born by the sea, keeper of lighthouse number ${n % 977}.`,
      updated_at: new Date(Date.UTC(2025, 0, 1) + n * 60_000).toISOString(),
    }),
  );
  return `${lines.join('\n')}\n`;
}
