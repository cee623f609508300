import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median } from './trial.ts';

/** A start of bare node on the machine that the limits in milliseconds were set on: as long by the clock as of processor time. */
const referenceMs = 26;
const starts = 15;

type Measured = 'by the clock' | 'of CPU';

/** A limit that holds on any machine. */
export type Limit = {
  /** The limit as starts of bare node, and what one takes here. */
  peer: string;
  /** A time in milliseconds as a share of what the limit allows here. */
  ratioOf(ms: number): number;
};

let here: Record<Measured, number> | undefined;

/** The limit of so many milliseconds on the machine of reference: as many starts of bare node are allowed here. */
export function limitOf(limitMs: number, measured: Measured = 'by the clock'): Limit {
  here ??= startsOfBareNode();
  const bareMs = here[measured];
  const count = limitMs / referenceMs;
  return {
    peer: `${Number(count.toPrecision(2))} × bare node ${bareMs.toFixed(0)} ms`,
    ratioOf: (ms) => ms / (count * bareMs),
  };
}

function startsOfBareNode(): Record<Measured, number> {
  const cpuBefore = childrenCpuMs();
  const times = Array.from({ length: starts }, () => {
    const begunMs = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - begunMs;
  });
  return { 'by the clock': median(times), 'of CPU': (childrenCpuMs() - cpuBefore) / starts };
}

/** Processor time of the children that ended, from `cutime` and `cstime` in hundredths of a second (proc(5)). */
function childrenCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
