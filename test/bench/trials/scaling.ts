import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { generateContent, generatePeople } from '../generate.ts';
import { startServer } from '../server.ts';
import type { Place, Row, Trial } from '../trial.ts';
import { runSync } from './sync.ts';

const smallCount = 10_000;
const growth = 4;

/** Processor time in seconds; all of one count of generated records. */
type Costs = { raw: number; importing: number; firstSync: number; idleSync: number };

/**
 * Imports and syncs from another Hemicycle, with 10,000 and 40,000 generated records. A step that pairs records with
 * each other takes 16 times as long with four times the records. Processor time, so that other load changes little.
 */
export const scaling: Trial = {
  name: 'scaling',
  isQuick: true,
  async run(workspace) {
    const small = await costsOf(workspace, smallCount);
    const large = await costsOf(workspace, smallCount * growth);
    return [
      comparison('import', { ours: large.importing, peer: large.raw, peerName: 'raw inserts' }, 4),
      growthOf('import', { small: small.importing, large: large.importing }, growth * 1.4),
      growthOf('first sync', { small: small.firstSync, large: large.firstSync }, growth * 1.4),
      comparison('first sync', { ours: large.firstSync, peer: large.importing, peerName: 'import' }, 4),
      // A sync with nothing new reads no records.
      growthOf('sync with nothing new', { small: small.idleSync, large: large.idleSync }, 1.4),
    ];
  },
};

async function costsOf(workspace: Place, count: number): Promise<Costs> {
  const source = join(workspace.folder, `scaling-${count}`);
  const mirror = `${source}.db`;
  mkdirSync(source);
  await generateContent(source, count);
  generatePeople(source, count);
  const raw = await runChild('import-raw', [source, `${source}-raw.db`]);
  const imported = await runChild('import-ours', [source, mirror]);
  const { origin, child } = await startServer('server-ours', mirror);
  try {
    const options = { origin, db: `scaling-${count}-copy.db`, more: [] };
    const first = await runSync(workspace, options);
    const idle = await runSync(workspace, options);
    return {
      raw: raw.cpuMs / 1000,
      importing: imported.cpuMs / 1000,
      firstSync: first.cpuSeconds,
      idleSync: idle.cpuSeconds,
    };
  } finally {
    child.kill();
  }
}

function comparison(
  subject: string,
  { ours, peer, peerName }: { ours: number; peer: number; peerName: string },
  most: number,
): Row {
  return {
    name: `${subject} of ${smallCount * growth} generated records`,
    ours: `${ours.toFixed(2)} s of CPU`,
    peer: `${peerName} ${peer.toFixed(2)} s of CPU`,
    ratio: ours / peer,
    must: { most },
    rssMb: null,
  };
}

function growthOf(subject: string, { small, large }: { small: number; large: number }, most: number): Row {
  return {
    name: `${subject} with ${growth} × as many records`,
    ours: `${large.toFixed(2)} s of CPU`,
    peer: `${smallCount} records ${small.toFixed(2)} s of CPU`,
    ratio: large / small,
    must: { most: Number(most.toFixed(1)) },
    rssMb: null,
  };
}
