import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createBirpc } from 'birpc';
import type { RequestCounter } from '../request-counter.ts';

/** Remote functions: workers call `PrimaryFunctions`, the primary process calls `WorkerFunctions`. */
type PrimaryFunctions = RequestCounter & { listening(address: string): void };
type WorkerFunctions = { end(): void };

/** A worker that ends within this time of its start is replaced only after the same delay; else at once. */
const restartDelayMs = 1000;

/** Added to `graceMs` before workers are killed at shutdown. */
const killDelayMs = 2000;

// Each worker accepts its own connections: under round-robin, connections on their way to a killed worker stay open in
// the primary process forever: https://github.com/nodejs/node/issues/21746
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** True in a worker process. */
export const isWorker = cluster.isWorker;

/** Connects this worker to the primary process; `ended` resolves when that process ends or stops this worker. */
export function connectToPrimary() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const worker = cluster.worker!.once('disconnect', end);
  const { count, listening } = connectRemote<PrimaryFunctions, WorkerFunctions>(worker, { end });
  return {
    /** Counts in the primary process, so that all workers share one limit. */
    requestCounter: { count } satisfies RequestCounter,
    sendAddress: listening.asEvent,
    ended,
  };
}

/** Closes the channel to the primary process, which would keep this worker alive. */
export function leavePrimary(): void {
  cluster.worker!.disconnect();
}

/** Returns the functions of the process at the other end; calls to one that has ended are dropped. */
function connectRemote<Remote extends object, Local extends object>(worker: Worker, functions: Local) {
  return createBirpc<Remote, Local>(functions, {
    post: (message) => worker.isConnected() && worker.send(message),
    on: (listener) => worker.on('message', listener),
    timeout: -1,
  });
}

type WorkerOptions = { requestCounter: RequestCounter; graceMs: number; onEnd: (reason: string) => void };

/** Starts workers and replaces those that end; returns address and `stop`, or `exit` if the first never listens. */
export async function startWorkers(count: number, { requestCounter, graceMs, onEnd }: WorkerOptions) {
  const workers = new Set<Worker>();
  /** `end` of each listening worker; one that still starts receives no messages, and is killed at shutdown. */
  const endByWorker = new Map<Worker, () => Promise<void>>();
  let isStopping = false;
  let hasStarted = false; // true once the first worker listens
  /** Resolves with the address of a new worker, or its exit code if it ends before it listens. */
  const startWorker = () => {
    const { promise, resolve } = Promise.withResolvers<string | number>();
    const worker = cluster.fork();
    const startMs = performance.now();
    workers.add(worker);
    const { end } = connectRemote<WorkerFunctions, PrimaryFunctions>(worker, {
      count: (key) => requestCounter.count(key),
      listening(address) {
        endByWorker.set(worker, end.asEvent);
        resolve(address);
      },
    });
    // Sending to a killed worker fails; its exit event is enough.
    worker.on('error', () => {});
    worker.once('exit', (exit, signal) => {
      resolve(exit ?? 1);
      workers.delete(worker);
      endByWorker.delete(worker);
      if (isStopping || !hasStarted) return;
      onEnd(`a worker ended (${signal ?? `exit ${exit}`}); another takes its place`);
      if (performance.now() - startMs > restartDelayMs) void startWorker();
      else setTimeout(() => isStopping || startWorker(), restartDelayMs).unref();
    });
    return promise;
  };
  const address = await startWorker();
  if (typeof address === 'number') return { exit: address };
  hasStarted = true;
  await Promise.all(Array.from({ length: count - 1 }, startWorker));
  return {
    address,
    async stop() {
      isStopping = true;
      const exits = [...workers].map((worker) => once(worker, 'exit'));
      for (const worker of workers) {
        const end = endByWorker.get(worker);
        if (end) void end();
        else worker.process.kill('SIGKILL');
      }
      using _killTimer = setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      }, graceMs + killDelayMs);
      await Promise.all(exits);
    },
  };
}
