import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { generateContent, generatePeople } from '../generate.ts';
import { withServer } from '../server.ts';
import type { Row, Trial, Workspace } from '../trial.ts';
import { runSync } from './sync.ts';

const smallCount = 10_000;
const growth = 4;
const largeCount = smallCount * growth;

/** Growth of processor time with `growth` times the records: 40 % above linear is allowed. */
const maxGrowth = Number((growth * 1.4).toFixed(1));

/** Processor time in seconds for one number of generated records. */
type Costs = { rawInserts: number; importing: number; firstSync: number; idleSync: number };

/**
 * Processor time of imports, and of syncs from another Hemicycle, with 10,000 and 40,000 generated records. A step that
 * compares all pairs of records takes 16 times as long with four times the records.
 */
export const scaling: Trial = {
  name: 'scaling',
  isQuick: true,
  async run(workspace) {
    const small = await measureCosts(workspace, smallCount);
    const large = await measureCosts(workspace, largeCount);
    return [
      peerRow('import', large.importing, { name: 'raw inserts', seconds: large.rawInserts }),
      growthRow('import', small.importing, large.importing, maxGrowth),
      growthRow('first sync', small.firstSync, large.firstSync, maxGrowth),
      peerRow('first sync', large.firstSync, { name: 'import', seconds: large.importing }),
      // A sync with nothing new reads no records.
      growthRow('sync with nothing new', small.idleSync, large.idleSync, 1.4),
    ];
  },
};

async function measureCosts(workspace: Workspace, recordCount: number): Promise<Costs> {
  const source = join(workspace.folder, `scaling-${recordCount}`);
  const mirror = `${source}.db`;
  mkdirSync(source);
  await generateContent(source, recordCount);
  generatePeople(source, recordCount);
  const rawInserts = await runChild('raw-inserts', [source, `${source}-raw.db`]);
  const importing = await runChild('import-mirror', [source, mirror]);
  return withServer(mirror, async (origin) => {
    const options = { origin, db: `scaling-${recordCount}-copy.db` };
    const firstSync = await runSync(workspace, options);
    // The least of three, as other load disturbs a short run most.
    const idleSeconds: number[] = [];
    for (let n = 0; n < 3; n += 1) idleSeconds.push((await runSync(workspace, options)).cpuSeconds);
    return {
      rawInserts: rawInserts.cpuMs / 1000,
      importing: importing.cpuMs / 1000,
      firstSync: firstSync.cpuSeconds,
      idleSync: Math.min(...idleSeconds),
    };
  });
}

function peerRow(subject: string, seconds: number, peer: { name: string; seconds: number }): Row {
  return {
    name: `${subject} of ${largeCount} generated records`,
    result: `${seconds.toFixed(2)} s CPU`,
    reference: `${peer.name} ${peer.seconds.toFixed(2)} s CPU`,
    ratio: seconds / peer.seconds,
    requiredRatio: { atMost: 4 },
    rssMb: null,
  };
}

function growthRow(subject: string, smallSeconds: number, largeSeconds: number, ratioAtMost: number): Row {
  return {
    name: `${subject}, ${largeCount} records beside ${smallCount}`,
    result: `${largeSeconds.toFixed(2)} s CPU`,
    reference: `${smallCount} records ${smallSeconds.toFixed(2)} s CPU`,
    ratio: largeSeconds / smallSeconds,
    requiredRatio: { atMost: ratioAtMost },
    rssMb: null,
  };
}
