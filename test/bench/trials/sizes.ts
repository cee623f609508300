import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { cpuMs, runChild } from '../child.ts';
import { importedMirror } from '../imported.ts';
import { freePort, startProgram } from '../server.ts';
import type { Place, Row, Trial } from '../trial.ts';

/** What people and nights ask of a mirror, in processor time, so that what else the machine does counts little. */
export const sizes: Trial = {
  name: 'sizes',
  isQuick: true,
  run: async (place) => rowsOf(place, await importedMirror(place), 'the real records'),
};

/** The same of a million records. */
export const sizesMillion: Trial = {
  name: 'sizes-million',
  run: async (place) => rowsOf(place, (await place.million()).mirror, 'a million'),
};

async function rowsOf({ folder, root }: Place, mirror: string, of: string): Promise<Row[]> {
  const { figures, rssMb } = await runChild('question-cost', [mirror]);
  const row = (name: string, ms: number, limitMs: number | null): Row => ({
    name: `${name}, of ${of}`,
    ours: `${ms.toFixed(1)} ms of CPU`,
    peer: limitMs === null ? '' : `limit ${limitMs} ms`,
    ratio: limitMs === null ? null : ms / limitMs,
    must: limitMs === null ? null : { most: 1 },
    rssMb: null,
  });
  const questions = Object.keys(figures).flatMap((name) =>
    / p95$/.test(name) ? [name.replace(' p95', '')] : [],
  );
  const program = [join(root, 'bin/run.js')];
  const wholeMs = (...argv: string[]) => cpuOf([...program, ...argv, '--db', mirror, '--quiet']);
  const out = join(folder, `export-${of.replaceAll(' ', '-')}`);
  const status = await wholeMs('status');
  const one = await wholeMs('export', 'content', '-o', `${out}.csv`);
  await wholeMs('export', '--all', '-o', `${out}/`, '--if-changed');
  const idle = await wholeMs('export', '--all', '-o', `${out}/`, '--if-changed');
  return [
    ...questions.map((name) => ({
      ...row(name, figures[`${name} p95`]!, name === 'two words' ? 40 : null),
      ours: `first ${figures[`${name} first`]!.toFixed(1)}, p95 ${figures[`${name} p95`]!.toFixed(1)} ms of CPU`,
    })),
    row('serve, start to first answer', await startMs(program, mirror), 600),
    row('status, whole process', status, 150),
    row('export of one kind', one, null),
    row('export that finds nothing changed', idle, null),
    {
      ...row('the file', 0, null),
      ours: `${Math.round(statSync(mirror).size / 2 ** 20)} MB`,
      rssMb,
    },
  ];
}

/** Processor time of a whole process with what it started, as the shell tells it. */
async function cpuOf(argv: string[]): Promise<number> {
  const child = spawn(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null 2>&1', 'bash', process.execPath, ...argv],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  await once(child, 'close');
  const [user = 0, system = 0] = told.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

/** Processor time that a server took until its first answer. */
async function startMs(program: string[], mirror: string): Promise<number> {
  const port = String(await freePort());
  const argv = [...program, 'serve', '--port', port, '--db', mirror];
  const running = await startProgram(process.execPath, argv, `http://127.0.0.1:${port}/healthz`);
  const ms = cpuMs(running.child.pid!);
  await running.stop();
  return ms;
}
