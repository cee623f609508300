import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/**
 * One child process: wall time in seconds, peak resident memory, processor time, and the other figures that it printed
 * as JSON.
 */
export type ChildRun = { seconds: number; rssMb: number; cpuMs: number; figures: Record<string, number> };

/** Runs a command to its end without its output; returns wall time in seconds. Rejects if the command fails. */
export function wallSecondsOf(
  command: string,
  argv: string[],
  { env = {} }: { env?: Record<string, string> } = {},
): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, {
      stdio: 'ignore',
      env: { ...process.env, ...env },
    });
    child.on('error', reject);
    child.on('close', (exit) =>
      exit === 0
        ? resolve((performance.now() - startedAt) / 1000)
        : reject(new Error(`${argv.join(' ')}: exit ${exit}`)),
    );
  });
}

/** Runs `children/<name>.ts` in its own process and reads the figures on the last line that it prints. */
export function runChild(name: string, argv: string[]): Promise<ChildRun> {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
  return runNode(['--disable-warning=ExperimentalWarning', file, ...argv]);
}

function runNode(argv: string[], env: Record<string, string> = {}): Promise<ChildRun> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (exit) => {
      if (exit !== 0) return reject(new Error(`${argv.join(' ')}: exit ${exit}`));
      const lastLine = output.trim().split('\n').at(-1) ?? '{}';
      const { rssMb = 0, cpuMs = 0, ...figures } = JSON.parse(lastLine) as Record<string, number>;
      resolve({ seconds: (performance.now() - startedAt) / 1000, rssMb, cpuMs, figures });
    });
  });
}

/** Module that Node loads first; it prints peak memory and processor time as the last line of the process. */
const usageReporter = `data:text/javascript,process.on('exit',()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();console.log(JSON.stringify({rssMb:Math.round(maxRSS/1024),cpuMs:(userCPUTime+systemCPUTime)/1000}))})`;

/** Runs the built program to its end, as a user does. */
export function runProgram(root: string, argv: string[], env: Record<string, string> = {}): Promise<ChildRun> {
  return runNode([`--import=${usageReporter}`, join(root, 'bin/run.js'), ...argv], env);
}

/**
 * Prints the figures of this process as JSON, with its peak memory and processor time. A figure `rssMb` or `cpuMs`
 * replaces that of the whole process.
 */
export function report(figures: Record<string, number>): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { rssMb: Math.round(maxRSS / 1024), cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  process.stdout.write(`${JSON.stringify({ ...usage, ...figures })}\n`);
}

/** Processor time in ms of a running process, from ticks of 10 ms (proc_pid_stat(5)); 0 if it has ended. */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Peak resident memory in MB of a running process so far (VmHWM, proc_pid_status(5)); 0 if it has ended. */
export function peakMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
