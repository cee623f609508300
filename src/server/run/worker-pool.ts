import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Admission, AdmissionLog } from '../sliding-log.ts';

type WorkerMessage =
  | { type: 'listening'; address: string }
  | { type: 'admit'; id: number; key: string; windowMs: number; max: number }
  | { type: 'counted'; id: number; admission: Admission | null }
  | { type: 'end' };

/** A worker that ends within this time of its start is replaced only after the same delay; else at once. */
const restartDelayMs = 1000;

/** Added to `graceMs` before workers are killed at shutdown. */
const killDelayMs = 2000;

// Each worker accepts its own connections: under round-robin, connections on their way to a killed worker stay open in
// the primary process forever: https://github.com/nodejs/node/issues/21746
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** True in a worker process. */
export const isWorker = cluster.isWorker;

/** Returns a worker's admission log, counted in the primary process so that all workers share one limit. */
export function createPrimaryAdmissions(): AdmissionLog {
  const pendingAdmissions = new Map<number, (admission: Admission | null) => void>();
  let lastId = 0;
  cluster.worker!.on('message', (message: WorkerMessage) => {
    if (message.type !== 'counted') return;
    pendingAdmissions.get(message.id)?.(message.admission);
    pendingAdmissions.delete(message.id);
  });
  return {
    admit(key, windowMs, max) {
      lastId += 1;
      const id = lastId;
      send(cluster.worker!, { type: 'admit', id, key, windowMs, max });
      const { promise, resolve, reject } = Promise.withResolvers<Admission>();
      const countError = new Error('the primary process cannot count now');
      pendingAdmissions.set(id, (admission) => (admission ? resolve(admission) : reject(countError)));
      return promise;
    },
  };
}

/** Sends this worker's address to the primary process. */
export function sendAddress(address: string): void {
  send(cluster.worker!, { type: 'listening', address });
}

/** Resolves when the primary process stops this worker, or has ended. */
export function endOfWorker(): Promise<void> {
  return new Promise((resolve) => {
    cluster.worker!.on('message', (message: WorkerMessage) => {
      if (message.type === 'end') resolve();
    });
    cluster.worker!.once('disconnect', resolve);
  });
}

/** Closes the channel to the primary process, which would keep this worker alive. */
export function leavePrimary(): void {
  cluster.worker!.disconnect();
}

/** Sends a message; one for a process that has ended is dropped. */
function send(worker: Worker, message: WorkerMessage): void {
  if (worker.isConnected()) worker.send(message);
}

/**
 * Starts `count` workers and replaces those that end; resolves with an exit code if the first ends before it listens.
 * `stop` kills workers still running soon after `graceMs`; `onEnd` gets the reason why one ended.
 */
export async function startWorkers(
  count: number,
  { admissions, graceMs, onEnd }: { admissions: AdmissionLog; graceMs: number; onEnd: (reason: string) => void },
) {
  const workers = new Set<Worker>();
  const listeningWorkers = new Set<Worker>();
  let isStopping = false;
  let isListening = false;
  /** Resolves with the address of a new worker, or its exit code if it ends before it listens. */
  const start = () => {
    const { promise, resolve } = Promise.withResolvers<string | number>();
    const worker = cluster.fork();
    const startMs = performance.now();
    workers.add(worker);
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'admit') void admit(admissions, worker, message);
      if (message.type !== 'listening') return;
      listeningWorkers.add(worker);
      resolve(message.address);
    });
    // Sending to a killed worker fails; its exit event is enough.
    worker.on('error', () => {});
    worker.once('exit', (exit, signal) => {
      resolve(exit ?? 1);
      workers.delete(worker);
      listeningWorkers.delete(worker);
      if (isStopping || !isListening) return;
      onEnd(`a worker ended (${signal ?? `exit ${exit}`}); another takes its place`);
      if (performance.now() - startMs > restartDelayMs) void start();
      else setTimeout(() => isStopping || start(), restartDelayMs).unref();
    });
    return promise;
  };
  const address = await start();
  if (typeof address === 'number') return { exit: address };
  isListening = true;
  await Promise.all(Array.from({ length: count - 1 }, start));
  return {
    address,
    async stop() {
      isStopping = true;
      const exits = [...workers].map((worker) => once(worker, 'exit'));
      for (const worker of workers) {
        // A starting worker does not receive messages yet, and has no requests to finish.
        if (listeningWorkers.has(worker)) send(worker, { type: 'end' });
        else worker.process.kill('SIGKILL');
      }
      const killTimer = setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      }, graceMs + killDelayMs);
      await Promise.all(exits);
      clearTimeout(killTimer);
    },
  };
}

async function admit(
  admissions: AdmissionLog,
  worker: Worker,
  { id, key, windowMs, max }: Extract<WorkerMessage, { type: 'admit' }>,
): Promise<void> {
  const count = async () => admissions.admit(key, windowMs, max);
  // The loss of a limit store has been reported.
  const admission = await count().catch(() => null);
  send(worker, { type: 'counted', id, admission });
}
