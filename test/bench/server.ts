import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type RunningServer = { origin: string; child: ChildProcess };

/** Starts `children/<name>.ts`, a server that prints its origin once it listens. */
export async function startServer(name: string, ...argv: string[]): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { origin: line.toString().trim(), child };
}

/** Runs `measure` with the origin of Hemicycle's server of a mirror, and stops the server. */
export async function withServer<Result>(
  mirror: string,
  measure: (origin: string) => Promise<Result>,
): Promise<Result> {
  const { origin, child } = await startServer('hemicycle-server', mirror);
  try {
    return await measure(origin);
  } finally {
    child.kill();
  }
}

/** A server that runs as a program; `startMs` is wall time from spawn to its first successful response. */
export type RunningProgram = { child: ChildProcess; startMs: number; stop(): Promise<void> };

/** Starts a program and polls `url` until it responds with 2xx. Rejects if the program ends or a minute passes. */
export async function startProgram(command: string, argv: string[], url: string): Promise<RunningProgram> {
  const startedAt = performance.now();
  // Its own process group: `stop` also ends the processes that it starts.
  const child = spawn(command, argv, { stdio: 'ignore', detached: true });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  while (child.exitCode === null && child.pid !== undefined && performance.now() - startedAt < 60_000) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return { child, startMs: performance.now() - startedAt, stop };
    await sleep(1);
  }
  await stop();
  throw new Error(`${command} ${argv.join(' ')} does not respond`);
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
