import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Result, Start } from './run-to-end.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The home of programs that a test gives none; each user has one, since it is kept and only its owner may write there. */
export const testHome = join(tmpdir(), `hemicycle-test-home-${process.getuid?.()}`);

/** Where programs find the code that others have compiled: compiling takes longer than most commands. */
export const sharedCache = join(testHome, '.cache');
mkdirSync(sharedCache, { recursive: true });

/** How a run of the program ended, and what it wrote. */
export type Ended = { stdout: string; stderr: string; exit: number | null };

type RunOptions = {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  /** The program where it is not the built one. */
  program?: string;
  /** The words of a program that starts it. */
  before?: string[];
};

/** The built program. */
export const program = `${root}bin/run.js`;

/** Words that start a program: the built one, or in its place an installed one that HEMICYCLE_PROGRAM names. */
function started(programPath: string): string[] {
  const installed = programPath === program ? process.env.HEMICYCLE_PROGRAM : undefined;
  return installed ? [installed] : [process.execPath, programPath];
}

/** Runs the built program as a script would: stdout and stderr are pipes. */
export function runProgram(argv: string[], options: RunOptions = {}): Promise<Ended> {
  const { before = [], program: programPath = program } = options;
  const [file = '', ...words] = [...before, ...started(programPath), ...argv];
  return ended(file, words, options);
}

let thread: Worker | undefined;
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs the built program as `runProgram` does, in a thread that is started once: for tests of what it writes, and not of how it
 * starts or ends, which are most. What needs stdin, another folder or another program has a process.
 */
export function askProgram(argv: string[], options: RunOptions = {}): Promise<Ended> {
  const { env = {}, ...others } = options;
  if (process.env.HEMICYCLE_PROGRAM || Object.keys(others).length > 0) return runProgram(argv, options);
  const run = lastRun.then(() => runInThread(argv, cleanEnvironment(env)));
  lastRun = run.catch(() => undefined);
  return run;
}

async function runInThread(argv: string[], env: Record<string, string>): Promise<Ended> {
  thread ??= new Worker(new URL('./program-thread.ts', import.meta.url), { env: {} }).once('exit', () => {
    thread = undefined;
  });
  thread.ref();
  thread.postMessage({ argv, env });
  const [ended] = (await once(thread, 'message')) as [Ended];
  thread.unref();
  return ended;
}

/** Runs the built program at a terminal of 100 columns; both streams arrive as the screen gets them. */
export function runAtTerminal(argv: string[], options: RunOptions = {}): Promise<Ended> {
  const words = [...started(program), ...argv].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return ended('script', ['-qec', `stty cols 100 rows 40; ${words.join(' ')}`, '/dev/null'], options);
}

/** The environment of a program: what it needs to start, and what the test states. */
function cleanEnvironment(env: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: testHome,
    XDG_CACHE_HOME: sharedCache,
    TERM: 'xterm-256color',
    // A test reads the whole answer; one of the pager names its own.
    PAGER: 'cat',
    ...env,
  };
}

let spawner: ChildProcess | undefined;
let lastId = 0;
const waiting = new Map<number, (result: Result) => void>();

/** A small process that starts others: to start one from a process of hundreds of megabytes takes longer than most commands. */
function runningSpawner(): ChildProcess {
  if (spawner?.connected) return spawner;
  spawner = fork(new URL('./spawner.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  spawner.on('message', ({ id, result }: { id: number; result: Result }) => {
    waiting.get(id)?.(result);
    waiting.delete(id);
    if (waiting.size === 0) spawner?.channel?.unref();
  });
  spawner.on('exit', (code, signal) => {
    for (const resolve of waiting.values()) resolve({ error: `the spawner ended (${code ?? signal})` });
    waiting.clear();
  });
  spawner.unref();
  return spawner;
}

async function ended(
  command: string,
  argv: string[],
  { env = {}, input = '', cwd = root }: RunOptions,
): Promise<Ended> {
  const start: Start = { command, argv, env: cleanEnvironment(env), cwd, input };
  const id = ++lastId;
  const child = runningSpawner();
  const result = await new Promise<Result>((resolve) => {
    waiting.set(id, resolve);
    child.channel?.ref();
    child.send({ id, start });
  });
  if ('error' in result) throw new Error(`${command}: ${result.error}`);
  return { ...result, stdout: result.stdout.replaceAll('\r\n', '\n') };
}
