import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type Admission, type AdmissionLog, SlidingLog } from '../sliding-log.ts';

/** What a worker and the first process tell each other. */
type Told =
  | { type: 'listening'; address: string }
  | { type: 'admit'; id: number; key: string; windowMs: number; max: number }
  | { type: 'admitted'; id: number; current: number; ttl: number }
  | { type: 'end' };

/** A worker that ends so soon after it began is not replaced at once. */
const soonMs = 1000;

/** True in a process that another one started to answer beside it. */
export const isWorker = cluster.isWorker;

/** Counts requests in the first process, so that all workers hold one limit; for a worker. */
export function logOfFirst(): AdmissionLog {
  const waiting = new Map<number, (admission: Admission) => void>();
  let next = 0;
  cluster.worker!.on('message', (told: Told) => {
    if (told.type !== 'admitted') return;
    waiting.get(told.id)?.({ current: told.current, ttl: told.ttl });
    waiting.delete(told.id);
  });
  return {
    admit(key, windowMs, max) {
      next += 1;
      const id = next;
      tell({ type: 'admit', id, key, windowMs, max });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}

/** Tells the first process where this worker listens. */
export function tellAddress(address: string): void {
  tell({ type: 'listening', address });
}

/** Resolves when the first process wants this worker to end, or is gone. */
export async function endOfWorker(): Promise<void> {
  await new Promise<void>((resolve) => {
    cluster.worker!.on('message', (told: Told) => {
      if (told.type === 'end') resolve();
    });
    cluster.worker!.once('disconnect', resolve);
  });
}

/** Lets this worker end: the channel to the first process would keep it. */
export function leaveFirst(): void {
  cluster.worker!.disconnect();
}

function tell(told: Told): void {
  // Nobody listens any more where the first process was killed: this one ends too.
  if (cluster.worker!.isConnected()) cluster.worker!.send(told);
}

/** Several processes that answer on one address. */
export type Workers = { address: string; stop(): Promise<void> };

/**
 * Starts `count` workers, which run this same program with the same arguments, and replaces those that end by
 * themselves. Resolves with the exit code of the first one instead, if it ends before it listens.
 */
export async function startWorkers(
  count: number,
  { clock, onEnd }: { clock: () => number; onEnd: (reason: string) => void },
): Promise<Workers | { exit: number }> {
  const log = new SlidingLog(clock);
  const running = new Set<Worker>();
  let isStopping = false;
  const start = () => {
    const worker = cluster.fork();
    const begunMs = clock();
    running.add(worker);
    worker.on('message', (told: Told) => {
      if (told.type === 'admit') admit(log, worker, told);
    });
    worker.once('exit', (exit, signal) => {
      running.delete(worker);
      if (isStopping || !isListening) return;
      onEnd(`a worker ended (${signal ?? `exit ${exit}`}); another takes its place`);
      if (clock() - begunMs > soonMs) start();
      else setTimeout(() => isStopping || start(), soonMs).unref();
    });
    return worker;
  };
  let isListening = false;
  const first = start();
  const address = await addressOf(first);
  if (typeof address === 'number') return { exit: address };
  isListening = true;
  await Promise.all(Array.from({ length: count - 1 }, () => addressOf(start())));
  return {
    address,
    async stop() {
      isStopping = true;
      const ended = [...running].map((worker) => once(worker, 'exit'));
      for (const worker of running) if (worker.isConnected()) worker.send({ type: 'end' } satisfies Told);
      await Promise.all(ended);
    },
  };
}

function admit(log: SlidingLog, worker: Worker, told: Extract<Told, { type: 'admit' }>): void {
  const admission = log.admit(told.key, told.windowMs, told.max);
  if (worker.isConnected()) worker.send({ type: 'admitted', id: told.id, ...admission } satisfies Told);
}

/** Where a worker listens, or its exit code if it ends before. */
function addressOf(worker: Worker): Promise<string | number> {
  return new Promise((resolve) => {
    worker.on('message', (told: Told) => {
      if (told.type === 'listening') resolve(told.address);
    });
    worker.once('exit', (exit) => resolve(exit ?? 1));
  });
}
