import { rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cpuMs, peakMb, runChild, runProgram } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import { freePort, startProgram, startServer } from '../server.ts';
import type { Row, Trial, Workspace } from '../trial.ts';

/**
 * Processor time of questions, and of the commands of a nightly job, over the imported records. Processor time, because
 * other load on the machine affects it little.
 */
export const sizes: Trial = {
  name: 'sizes',
  isQuick: true,
  run: async (workspace) =>
    measureDataset(workspace, {
      mirror: await importedMirror(workspace),
      dataset: workspace.records.areReal ? '44,096 records' : 'demo records',
      source: workspace.records.folder,
    }),
};

/** The same over a million generated records. */
export const sizesMillion: Trial = {
  name: 'sizes-million',
  run: async (workspace) => {
    const { mirror, folder: source } = await workspace.millionRecords();
    return measureDataset(workspace, { mirror, dataset: '1,000,000', source });
  },
};

/** The same over an existing mirror, without import and sync. */
export const sizesOf = (mirror: string): Trial => ({
  name: mirror,
  run: (workspace) => measureDataset(workspace, { mirror, dataset: basename(mirror, '.db'), source: null }),
});

/** Limits of processor time in ms, by the name of the row. */
const limitsMs: Record<string, number> = {
  'search of two words, p95': 40,
  'serve, start to first response': 600,
  'status, whole process': 150,
  'sync, nothing new': 400,
};

/** `source` is the folder that the mirror was imported from. */
type Dataset = { mirror: string; dataset: string; source: string | null };

async function measureDataset(workspace: Workspace, { mirror, dataset, source }: Dataset): Promise<Row[]> {
  const { figures, rssMb: questionsRssMb } = await runChild('question-cost', [mirror]);
  const timeRow = (name: string, ms: number, rssMb: number | null): Row => {
    const limit = limitsMs[name] === undefined ? null : limitOf(limitsMs[name], 'CPU');
    return {
      name,
      dataset,
      result: timeText(ms),
      reference: limit?.reference ?? '',
      ratio: limit?.ratioOf(ms) ?? null,
      requiredRatio: limit && { atMost: 1 },
      rssMb,
    };
  };
  const run = (argv: string[]) => runProgram(workspace.root, [...argv, '--quiet'], { HOME: workspace.folder });
  const processRow = async (name: string, argv: string[]): Promise<Row> => {
    const { cpuMs, rssMb } = await run(argv);
    return timeRow(name, cpuMs, rssMb);
  };
  const target = join(workspace.folder, 'sizes');
  const csv = `${target}.csv`;
  const newMirror = `${target}.db`;
  const status = ['status', '--db', mirror];
  const exportOne = ['export', 'content', '-o', csv, '--db', mirror];
  const exportAll = ['export', '--all', '-o', `${target}/`, '--if-changed', '--db', mirror];
  const rows = Object.entries(figures).map(([name, ms]) =>
    timeRow(name, ms, name.startsWith('search of two words') ? questionsRssMb : null),
  );
  // Not counted: it fills the cache of compiled code.
  await run(status);
  rows.push(
    await serveStartRow(workspace, mirror, timeRow),
    await processRow('status, whole process', status),
    await processRow('export of one kind', exportOne),
    await processRow('export of all datasets', exportAll),
    await processRow('export of all datasets, nothing changed', exportAll),
  );
  if (source !== null) {
    rows.push(await processRow('import', ['import', source, '--db', newMirror]));
    rmSync(newMirror);
    const { origin, child } = await startServer('hemicycle-server', mirror);
    const sync = ['sync', '--from', `${origin}/api/v1`, '--rate', '1000000', '--db', newMirror];
    rows.push(await processRow('sync from another Hemicycle', sync));
    await run(sync);
    rows.push(await processRow('sync, nothing new', sync));
    child.kill();
  }
  rows.push({
    name: 'file size',
    dataset,
    result: `${Math.round(statSync(mirror).size / 2 ** 20)} MB on disk`,
    reference: '',
    ratio: null,
    requiredRatio: null,
    rssMb: null,
  });
  for (const path of [newMirror, csv, target]) rmSync(path, { recursive: true, force: true });
  return rows;
}

function timeText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(1)} s`;
}

async function serveStartRow(
  { root, folder }: Workspace,
  mirror: string,
  timeRow: (name: string, ms: number, rssMb: number) => Row,
): Promise<Row> {
  const port = String(await freePort());
  process.env.HOME = folder;
  const argv = [join(root, 'bin/run.js'), 'serve', '--port', port, '--db', mirror];
  const { child, stop } = await startProgram(process.execPath, argv, `http://127.0.0.1:${port}/healthz`);
  const row = timeRow('serve, start to first response', cpuMs(child.pid!), peakMb(child.pid!));
  await stop();
  return row;
}
