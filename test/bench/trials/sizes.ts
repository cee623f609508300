import { rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cpuMs, peakMb, runChild, runProgram } from '../child.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import { freePort, startProgram, startServer } from '../server.ts';
import type { Place, Row, Trial } from '../trial.ts';

/** What people and nights ask of a mirror, in processor time, so that what else the machine does counts little. */
export const sizes: Trial = {
  name: 'sizes',
  isQuick: true,
  run: async (workspace) =>
    rowsOf(workspace, {
      mirror: await importedMirror(workspace),
      size: '44,096 records',
      source: workspace.data.folder,
    }),
};

/** The same of a million records. */
export const sizesMillion: Trial = {
  name: 'sizes-million',
  run: async (workspace) => {
    const { mirror, folder: source } = await workspace.million();
    return rowsOf(workspace, { mirror, size: '1,000,000', source });
  },
};

/** The same of a mirror that stands somewhere, without the import and the sync that would fill another. */
export const sizesOf = (mirror: string): Trial => ({
  name: mirror,
  run: (workspace) => rowsOf(workspace, { mirror, size: basename(mirror, '.db'), source: null }),
});

/** The most processor time in ms that an answer, or a whole process, may take. */
const limits: Record<string, number> = {
  'two words, p95': 40,
  'serve, start to first answer': 600,
  'status, whole process': 150,
  'sync, nothing new': 400,
};

type Measured = { mirror: string; size: string; source: string | null };

async function rowsOf(workspace: Place, { mirror, size, source }: Measured): Promise<Row[]> {
  const { figures, rssMb } = await runChild('question-cost', [mirror]);
  const row = (name: string, ms: number, rssMb: number | null): Row => {
    const limit = limits[name] === undefined ? null : limitOf(limits[name], 'of CPU');
    return {
      name,
      size,
      ours: ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`,
      peer: limit?.peer ?? '',
      ratio: limit?.ratioOf(ms) ?? null,
      must: limit && { most: 1 },
      rssMb,
    };
  };
  const whole = async (name: string, ...argv: string[]): Promise<Row> => {
    const run = await runProgram(workspace.root, [...argv, '--quiet'], { HOME: workspace.folder });
    return row(name, run.cpuMs, run.rssMb);
  };
  const questions = Object.entries(figures);
  const out = join(workspace.folder, 'sizes');
  const all = ['export', '--all', '-o', `${out}/`, '--if-changed', '--db', mirror];
  const status = ['status', '--db', mirror];
  // Whoever looks each night has looked before: the code of the command is compiled.
  await runProgram(workspace.root, [...status, '--quiet'], { HOME: workspace.folder });
  const rows = [
    ...questions.map(([name, ms]) => row(name, ms, name.startsWith('two words') ? rssMb : null)),
    await serveRow(workspace, mirror, row),
    await whole('status, whole process', ...status),
    await whole('export of one kind', 'export', 'content', '-o', `${out}.csv`, '--db', mirror),
    await whole('export of all datasets', ...all),
    await whole('the same, nothing changed', ...all),
  ];
  if (source !== null) {
    rows.push(await whole('import', 'import', source, '--db', `${out}.db`));
    rmSync(`${out}.db`);
    const { origin, child } = await startServer('server-ours', mirror);
    const sync = ['sync', '--from', `${origin}/api/v1`, '--rate', '1000000', '--db', `${out}.db`];
    rows.push(await whole('sync from another Hemicycle', ...sync));
    await runProgram(workspace.root, [...sync, '--quiet'], { HOME: workspace.folder });
    rows.push(await whole('sync, nothing new', ...sync));
    child.kill();
  }
  rows.push({
    ...row('the file', 0, null),
    ours: `${Math.round(statSync(mirror).size / 2 ** 20)} MB on disk`,
  });
  for (const path of [`${out}.db`, `${out}.csv`, out]) rmSync(path, { recursive: true, force: true });
  return rows;
}

async function serveRow(
  { root, folder }: Place,
  mirror: string,
  row: (name: string, ms: number, rssMb: number) => Row,
): Promise<Row> {
  const port = String(await freePort());
  process.env.HOME = folder;
  const argv = [join(root, 'bin/run.js'), 'serve', '--port', port, '--db', mirror];
  const running = await startProgram(process.execPath, argv, `http://127.0.0.1:${port}/healthz`);
  const { pid } = running.child;
  const measured = row('serve, start to first answer', cpuMs(pid!), peakMb(pid!));
  await running.stop();
  return measured;
}
