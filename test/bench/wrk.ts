import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** What wrk saw: answers a second, answers that were errors or never came, and latencies in milliseconds. */
export type Load = { perSecond: number; answers: number; errors: number; p50Ms: number; p99Ms: number };

/** One summary line of JSON, whatever wrk itself prints. */
const summary = `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"perSecond":%f,"answers":%d,"errors":%d,"p50Ms":%f,"p99Ms":%f}\\n',
    summary.requests / summary.duration * 1e6, summary.requests,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`;

/**
 * Asks a server over kept-alive connections for some seconds: the paths in turn, each with the same headers, and each
 * connection as fast as it can or after `pauseMs` on average. Made by wrk, which takes little of the processor that the server needs.
 */
export async function load(
  origin: string,
  paths: string[],
  {
    folder,
    seconds = 3,
    connections = 64,
    headers = {},
    pauseMs = 0,
  }: {
    folder: string;
    seconds?: number;
    connections?: number;
    headers?: Record<string, string>;
    pauseMs?: number;
  },
): Promise<Load> {
  const script = `${folder}/load.lua`;
  const quoted = paths.map((path) => JSON.stringify(path)).join(', ');
  const turns =
    paths.length === 1
      ? ''
      : `local paths = { ${quoted} }\nlocal n = 0\nrequest = function()\n  n = n % #paths + 1\n  return wrk.format(nil, paths[n])\nend\n`;
  const pauses = pauseMs === 0 ? '' : `delay = function() return math.random(0, ${Math.round(2 * pauseMs)}) end\n`;
  writeFileSync(script, turns + pauses + summary);
  const headerArguments = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const argv = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '20s',
    '-s',
    script,
    ...headerArguments,
    origin + paths[0],
  ];
  const child = spawn('wrk', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = new Promise<never>((_resolve, reject) =>
    child.once('error', () => reject(new Error('wrk is not here: install it (apt-get install wrk)'))),
  );
  const written = await Promise.race([text(child.stdout), failed]);
  return JSON.parse(written.trim().split('\n').at(-1)!) as Load;
}
