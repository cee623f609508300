import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildRun, runChild } from '../child.ts';
import { median, type Row, type Trial, type Workspace } from '../trial.ts';

/** Processor time of an import of the real records beside raw inserts of the same records. */
export const importReal: Trial = {
  name: 'import-real',
  isQuick: true,
  needsRealRecords: true,
  async run(workspace) {
    const options = { source: workspace.records.folder, roundCount: 5, ratioAtMost: 5 };
    return [await importRow(workspace, options)];
  },
};

/** Processor time of an import of a million generated records beside raw inserts of the same records. */
export const importMillion: Trial = {
  name: 'import-million',
  async run(workspace) {
    const { folder } = await workspace.millionRecords();
    return [await importRow(workspace, { source: folder, roundCount: 1, ratioAtMost: 3.5 })];
  },
};

const maxRssMb = 400;

async function importRow(
  workspace: Workspace,
  { source, roundCount, ratioAtMost }: { source: string; roundCount: number; ratioAtMost: number },
): Promise<Row> {
  const imports: ChildRun[] = [];
  const rawInserts: ChildRun[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    imports.push(await runIntoNewFile(workspace, 'import-mirror', source));
    rawInserts.push(await runIntoNewFile(workspace, 'raw-inserts', source));
  }
  const ratios = imports.map(({ cpuMs }, round) => cpuMs / rawInserts[round]!.cpuMs);
  const cpuSeconds = (runs: ChildRun[]) => (median(runs.map(({ cpuMs }) => cpuMs)) / 1000).toFixed(2);
  return {
    name: `import of ${imports[0]!.figures.records} records`,
    result: `${cpuSeconds(imports)} s CPU`,
    reference: `raw inserts ${cpuSeconds(rawInserts)} s CPU`,
    ratio: median(ratios),
    requiredRatio: { atMost: ratioAtMost },
    rssMb: median(imports.map(({ rssMb }) => rssMb)),
    maxRssMb,
  };
}

async function runIntoNewFile({ folder }: Workspace, child: string, source: string): Promise<ChildRun> {
  const path = join(folder, `${child}.db`);
  const run = await runChild(child, [source, path]);
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return run;
}
