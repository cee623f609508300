import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type RunningServer = { origin: string; child: ChildProcess };

/** Starts one of `children/` that serves the mirror named first, and prints its address. */
export async function startServer(name: string, ...argv: string[]): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { origin: line.toString().trim(), child };
}

/** A server that runs as a program: `startMs` is the time from its start to its first answer. */
export type RunningProgram = { child: ChildProcess; startMs: number; stop(): Promise<void> };

/** Starts a program and asks it for an address until it answers 200; rejects if it ends or takes a minute. */
export async function startProgram(command: string, argv: string[], address: string): Promise<RunningProgram> {
  const begin = performance.now();
  // In a group of its own: what it starts itself is stopped with it.
  const child = spawn(command, argv, { stdio: 'ignore', detached: true });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  while (child.exitCode === null && child.pid !== undefined && performance.now() - begin < 60_000) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return { child, startMs: performance.now() - begin, stop };
    await sleep(1);
  }
  await stop();
  throw new Error(`${command} ${argv.join(' ')} does not answer`);
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
