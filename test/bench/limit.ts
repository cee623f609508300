import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median } from './trial.ts';

/** Start of bare node on the machine that the limits were set on: wall time and processor time are equal there. */
const referenceStartMs = 26;
const startCount = 15;

type Clock = 'wall' | 'CPU';

/** A limit in milliseconds, scaled to the speed of this machine. */
export type Limit = {
  /** The scaled limit as printed, with the start of bare node that it was scaled by. */
  reference: string;
  /** A time in milliseconds ÷ the scaled limit. */
  ratioOf(ms: number): number;
};

let bareNodeStartMs: Record<Clock, number> | undefined;

/** Scales a limit that was set on the reference machine by the start of bare node on this machine. */
export function limitOf(referenceLimitMs: number, clock: Clock = 'wall'): Limit {
  bareNodeStartMs ??= measureBareNodeStart();
  const startMs = bareNodeStartMs[clock];
  const starts = referenceLimitMs / referenceStartMs;
  const limitMs = starts * startMs;
  const scale = `${rounded(starts)} × start of bare node, ${startMs.toFixed(0)} ms ${clock}`;
  return {
    reference: `limit ${rounded(limitMs)} ms (${scale})`,
    ratioOf: (ms) => ms / limitMs,
  };
}

/** Three significant digits, without an exponent. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** Median wall time and mean processor time of a node process that runs nothing. */
function measureBareNodeStart(): Record<Clock, number> {
  const cpuBeforeMs = endedChildrenCpuMs();
  const wallTimesMs = Array.from({ length: startCount }, () => {
    const startedAt = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - startedAt;
  });
  return {
    wall: median(wallTimesMs),
    CPU: (endedChildrenCpuMs() - cpuBeforeMs) / startCount,
  };
}

/** Processor time of all ended children: `cutime` and `cstime`, in ticks of 10 ms (proc_pid_stat(5)). */
function endedChildrenCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
