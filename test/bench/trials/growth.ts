import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteMeta } from '../../../src/store/mirror.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { runChild } from '../child.ts';
import { generateContent } from '../generate.ts';
import { limitOf } from '../limit.ts';
import { startServer } from '../server.ts';
import { type Place, type Row, type Trial, worstOf } from '../trial.ts';
import { runSync } from './sync.ts';

const politicians = 100_000;
const versions = 1_000_000;

/** A night with one edit among 100,000 generated politicians, served by our own server and read as any service. */
export const night: Trial = {
  name: 'night',
  async run(workspace) {
    const source = join(workspace.folder, 'night');
    const served = join(workspace.folder, 'night-served.db');
    mkdirSync(source);
    const save = async (text: string) => {
      writeFileSync(join(source, 'politicians.ndjson'), text);
      await runChild('import-ours', [source, served]);
      // Without a journal it is no mirror that could be followed, but a service as any other.
      const mirror = openWritableMirror(served);
      deleteMeta(mirror, 'journal');
      mirror.close();
    };
    await save(generated());
    const { origin, child } = await startServer('server-ours', served);
    try {
      const more = ['--only', 'politician'];
      // What the first run leaves to later ones is fetched by the second: neither is a night.
      for (let n = 0; n < 2; n += 1) await runSync(workspace, { origin, db: 'night.db', more });
      const before = readFileSync(join(source, 'politicians.ndjson'), 'utf8');
      await save(before.replace('"current_role":"Member 4711"', '"current_role":"Keeper of the light"'));
      const { seconds, rssMb, report } = await runSync(workspace, { origin, db: 'night.db', more });
      const limit = limitOf(6000);
      const edited = report.records.politician?.edited ?? 0;
      if (edited !== 1) throw new Error(`${edited} politicians were edited, not one`);
      return [
        {
          name: `a night over ${politicians} politicians, one edited: ${report.requests} requests`,
          ours: `${seconds.toFixed(2)} s`,
          peer: limit.peer,
          ratio: limit.ratioOf(seconds * 1000),
          must: { most: 1 },
          rssMb,
        },
      ];
    } finally {
      child.kill();
    }
  },
};

/** What changed, asked of a mirror with a million versions of 100,000 records. */
export const changesOfMillion: Trial = {
  name: 'changes',
  async run({ folder }: Place) {
    const source = join(folder, 'changes');
    const mirror = join(folder, 'changes.db');
    mkdirSync(source);
    await generateContent(source, versions / 10);
    await runChild('import-ours', [source, mirror]);
    const { figures, rssMb } = await runChild('changes-latency', [mirror, String(versions)]);
    const limit = limitOf(200);
    const rows = Object.entries(figures)
      .filter(([name]) => name !== 'versions')
      .map(
        ([name, ms]): Row => ({
          name: `100 changes, ${name}, of ${figures.versions} versions`,
          ours: `p95 ${ms.toFixed(1)} ms`,
          peer: limit.peer,
          ratio: limit.ratioOf(ms),
          must: { most: 1 },
          rssMb,
        }),
      );
    return [worstOf(rows)];
  },
};

function generated(): string {
  const lines = Array.from({ length: politicians }, (_, n) =>
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
