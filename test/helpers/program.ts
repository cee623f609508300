import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

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

function ended(command: string, argv: string[], { env = {}, input, cwd = root }: RunOptions): Promise<Ended> {
  const child = spawn(command, argv, { cwd, env: cleanEnvironment(env) });
  // A program that has ended already reads nothing.
  child.stdin.on('error', () => undefined).end(input ?? '');
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ stdout: stdout.replaceAll('\r\n', '\n'), stderr, exit }));
  });
}
