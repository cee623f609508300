import { spawn } from 'node:child_process';

/** A process to run to its end: `input` is all of its stdin. */
export type Start = {
  command: string;
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  input: string;
};

/** How a process ended, and what it wrote; `error` if it could not be started. */
export type Result = { stdout: string; stderr: string; exit: number | null } | { error: string };

/** Runs a process to its end, and collects what it writes. */
export function runToEnd({ command, argv, env, cwd, input }: Start): Promise<Result> {
  const child = spawn(command, argv, { cwd, env });
  // A program that has ended already reads nothing.
  child.stdin.on('error', () => undefined).end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ error: message }));
    child.on('close', (exit) => resolve({ stdout, stderr, exit }));
  });
}
