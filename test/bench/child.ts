import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** Wall time, peak memory and processor time of a child process, and the other figures that it printed as JSON. */
export type ChildRun = { seconds: number; rssMb: number; cpuMs: number; figures: Record<string, number> };

/** Runs a command to its end, its output thrown away or written into an open file; seconds of wall time. */
export function timed(
  command: string,
  argv: string[],
  { env = {}, output = 'ignore' }: { env?: Record<string, string>; output?: number | 'ignore' } = {},
): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, {
      stdio: ['ignore', output, 'ignore'],
      env: { ...process.env, ...env },
    });
    child.on('error', reject);
    child.on('close', (exit) =>
      exit === 0 ? resolve((performance.now() - begin) / 1000) : reject(new Error(`${argv.join(' ')}: exit ${exit}`)),
    );
  });
}

/** Runs one of `children/` and reads the figures on its last line; its memory is its own. */
export function runChild(name: string, argv: string[]): Promise<ChildRun> {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
  return run(['--disable-warning=ExperimentalWarning', file, ...argv]);
}

function run(argv: string[], env: Record<string, string> = {}): Promise<ChildRun> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (exit) => {
      if (exit !== 0) return reject(new Error(`${argv.join(' ')}: exit ${exit}`));
      const printed = JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as Record<string, number>;
      const { rssMb = 0, cpuMs = 0, ...figures } = printed;
      resolve({ seconds: (performance.now() - begin) / 1000, rssMb, cpuMs, figures });
    });
  });
}

/** Module that Node loads first; it prints peak memory and processor time as the last line of the process. */
const reporting = `data:text/javascript,process.on('exit',()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();console.log(JSON.stringify({rssMb:Math.round(maxRSS/1024),cpuMs:(userCPUTime+systemCPUTime)/1000}))})`;

/** Runs the built program to its end, as a user does. */
export function runProgram(root: string, argv: string[], env: Record<string, string> = {}): Promise<ChildRun> {
  return run([`--import=${reporting}`, join(root, 'bin/run.js'), ...argv], env);
}

/** Prints a child's figures with its peak memory and processor time, unless it measured a part of these itself. */
export function report(figures: Record<string, number>): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { rssMb: Math.round(maxRSS / 1024), cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  process.stdout.write(`${JSON.stringify({ ...usage, ...figures })}\n`);
}

/** Processor time of a living process, in ms; ticks are hundredths of a second (proc_pid_stat(5)). */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Peak memory of a living process so far, by the kernel's account. */
export function peakMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
