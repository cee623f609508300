import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildRun, runChild } from '../child.ts';
import { median, type Place, type Row, type Trial } from '../trial.ts';

/** Import of the real records (the fictional ones where they are not there) against raw inserts of the same. */
export const importReal: Trial = {
  name: 'import-real',
  isQuick: true,
  isOfReal: true,
  async run(workspace) {
    return [await compared(workspace, { folder: workspace.data.folder, times: 5, most: 5, mostRssMb: 400 })];
  },
};

/** Import of a million generated records against raw inserts of the same. */
export const importMillion: Trial = {
  name: 'import-million',
  async run(workspace) {
    const { folder } = await workspace.million();
    return [await compared(workspace, { folder, times: 1, most: 3.5, mostRssMb: 400 })];
  },
};

async function compared(
  workspace: Place,
  { folder, times, most, mostRssMb }: { folder: string; times: number; most: number; mostRssMb: number },
): Promise<Row> {
  const ours: ChildRun[] = [];
  const raw: ChildRun[] = [];
  for (let n = 0; n < times; n += 1) {
    ours.push(await fresh(workspace, 'import-ours', folder));
    raw.push(await fresh(workspace, 'import-raw', folder));
  }
  const ratios = ours.map(({ cpuMs }, n) => cpuMs / raw[n]!.cpuMs);
  const cpuSeconds = (runs: ChildRun[]) => (median(runs.map(({ cpuMs }) => cpuMs)) / 1000).toFixed(2);
  return {
    name: `import of ${ours[0]!.figures.records} records`,
    ours: `${cpuSeconds(ours)} s of CPU`,
    peer: `raw inserts ${cpuSeconds(raw)} s of CPU`,
    ratio: median(ratios),
    must: { most },
    rssMb: median(ours.map(({ rssMb }) => rssMb)),
    mostRssMb,
  };
}

async function fresh({ folder: targetFolder }: Place, child: string, folder: string): Promise<ChildRun> {
  const path = join(targetFolder, `${child}.db`);
  const run = await runChild(child, [folder, path]);
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  return run;
}
