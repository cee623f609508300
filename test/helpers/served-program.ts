import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Ended, sharedCache, testHome } from './program.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** A `serve` that runs as a process of its own. */
export type ServedProgram = {
  pid: number;
  /** Its origin, without /api/v1. */
  origin: string;
  /** What it wrote on stderr so far. */
  stderr(): string;
  /** Resolves once stderr holds that. */
  output(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ended>;
  /** Ends it by SIGTERM and waits for that. */
  stop(): Promise<Ended>;
};

/**
 * Starts the built program's `serve` on a free port; rejects with what it said if it ends before it listens.
 * `before` are the words of a program that starts it.
 */
export async function startServedProgram(
  argv: string[],
  env: Record<string, string>,
  before: string[] = [],
): Promise<ServedProgram> {
  const [file = '', ...words] = [...before, process.execPath, program, 'serve', '--port', '0', ...argv];
  const child = spawn(file, words, {
    env: { PATH: process.env.PATH ?? '', HOME: testHome, XDG_CACHE_HOME: sharedCache, ...env },
  });
  let stderr = '';
  let stdout = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    stdout += `${line}\n`;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ stdout, stderr, exit }));
  });
  const address = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(() => Promise.reject(new Error(stderr))),
  ]);
  return {
    pid: child.pid!,
    origin: address.replace(/\/api\/v1$/, ''),
    stderr: () => stderr,
    output: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const match = pattern.exec(stderr);
          if (!match) return;
          child.stderr.off('data', look);
          resolve(match);
        };
        child.stderr.on('data', look);
        look();
      }),
    signal: (name) => void child.kill(name),
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
