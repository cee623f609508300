import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** What wrk measured. `errors` are responses with an error status, failed connections and timeouts. */
export type Load = { requestsPerSecond: number; responses: number; errors: number; p50Ms: number; p99Ms: number };

/** Lua for wrk: prints the summary as one line of JSON. */
const summaryScript = `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requestsPerSecond":%f,"responses":%d,"errors":%d,"p50Ms":%f,"p99Ms":%f}\\n',
    summary.requests / summary.duration * 1e6, summary.requests,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`;

/** Lua for wrk: requests one path after another, with the same headers. */
const pathsScript = (paths: string[]) => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local n = 0
request = function()
  n = n % #paths + 1
  return wrk.format(nil, paths[n])
end
`;

/** Lua for wrk: a uniformly random pause before each request of a connection. */
const pauseScript = (meanMs: number) => `
delay = function() return math.random(0, ${Math.round(2 * meanMs)}) end
`;

type LoadOptions = {
  /** Where the script for wrk is written. */
  folder: string;
  seconds?: number;
  connections?: number;
  headers?: Record<string, string>;
  /** Mean pause of a connection between two requests; 0 sends the next request at once. */
  pauseMs?: number;
};

/**
 * Sends requests for the paths in turn over keep-alive connections and returns what the client measured. The client is
 * wrk, which takes little of the processor time that it shares with the server.
 */
export async function load(
  origin: string,
  paths: string[],
  { folder, seconds = 3, connections = 64, headers = {}, pauseMs = 0 }: LoadOptions,
): Promise<Load> {
  const script = `${folder}/load.lua`;
  const requests = paths.length === 1 ? '' : pathsScript(paths);
  const pauses = pauseMs === 0 ? '' : pauseScript(pauseMs);
  writeFileSync(script, requests + pauses + summaryScript);
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
    child.once('error', () => reject(new Error('wrk is not installed (apt-get install wrk)'))),
  );
  const output = await Promise.race([text(child.stdout), failed]);
  return JSON.parse(output.trim().split('\n').at(-1)!) as Load;
}
