import { spawn } from 'node:child_process';
import type { BegunSync } from './sync-schedule.ts';

/**
 * Begins `hemicycle sync` as a process of its own, so that nobody who asks the server waits for it. What it says goes
 * to the stderr of this process. Stopping lets it save what is on its way, for `graceMs` at most.
 */
export function beginSyncChild(
  command: string[],
  { argv, graceMs }: { argv: string[]; graceMs: number },
): BegunSync {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, 'sync', ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // In a group of its own: Ctrl-C reaches the server alone, which then asks this one to end, once.
    detached: true,
  });
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (exit) => resolve(exit ?? 1));
  });
  return {
    ended,
    stop() {
      child.kill('SIGTERM');
      const again = setTimeout(() => child.kill('SIGTERM'), graceMs);
      void ended.then(() => clearTimeout(again));
    },
  };
}
