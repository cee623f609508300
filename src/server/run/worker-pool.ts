import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Admission, AdmissionLog } from '../sliding-log.ts';

/** What a worker and the first process tell each other. */
type WorkerMessage =
  | { type: 'listening'; address: string }
  | { type: 'admit'; id: number; key: string; windowMs: number; max: number }
  | { type: 'counted'; id: number; admission: Admission | null }
  | { type: 'end' };

/** A worker that ends so soon after it began is not replaced at once. */
const soonMs = 1000;

/** How much longer than their answers may take workers are waited for when all are to end. */
const lateMs = 2000;

// Each worker takes its connections itself. Handed out by the first process, those on their way to a worker that is
// killed would stay open there for ever: https://github.com/nodejs/node/issues/21746
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** True in a process that another one started to answer beside it. */
export const isWorker = cluster.isWorker;

/** Counts requests in the first process, so that all workers hold one limit; for a worker. */
export function logOfFirst(): AdmissionLog {
  const waiting = new Map<number, (admission: Admission | null) => void>();
  let next = 0;
  cluster.worker!.on('message', (told: WorkerMessage) => {
    if (told.type !== 'counted') return;
    waiting.get(told.id)?.(told.admission);
    waiting.delete(told.id);
  });
  return {
    admit(key, windowMs, max) {
      next += 1;
      const id = next;
      tell({ type: 'admit', id, key, windowMs, max });
      return new Promise((resolve, reject) =>
        waiting.set(id, (admission) => {
          if (admission) resolve(admission);
          else reject(new Error('the first process cannot count now'));
        }),
      );
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
    cluster.worker!.on('message', (told: WorkerMessage) => {
      if (told.type === 'end') resolve();
    });
    cluster.worker!.once('disconnect', resolve);
  });
}

/** Lets this worker end: the channel to the first process would keep it. */
export function leaveFirst(): void {
  cluster.worker!.disconnect();
}

function tell(told: WorkerMessage): void {
  // Nobody listens any more where the first process was killed: this one ends too.
  if (cluster.worker!.isConnected()) cluster.worker!.send(told);
}

/** Several processes that answer on one address. */
export type Workers = { address: string; stop(): Promise<void> };

export type WorkersOptions = {
  /** Where the requests to all of them are counted. */
  admissions: AdmissionLog;
  graceMs: number;
  /** Is told why a worker ended. */
  onEnd: (reason: string) => void;
};

/**
 * Starts `count` workers, which run this same program with the same arguments, and replaces those that end by
 * themselves. Resolves with the exit code of the first one instead, if it ends before it listens. Those that are asked
 * to end are killed if that takes longer than `graceMs` and a little.
 */
export async function startWorkers(
  count: number,
  { admissions, graceMs, onEnd }: WorkersOptions,
): Promise<Workers | { exit: number }> {
  const running = new Set<Worker>();
  const answering = new Set<Worker>();
  let isStopping = false;
  const start = () => {
    const worker = cluster.fork();
    const begunMs = performance.now();
    running.add(worker);
    worker.on('message', (told: WorkerMessage) => {
      if (told.type === 'admit') void admit(admissions, worker, told);
      if (told.type === 'listening') answering.add(worker);
    });
    // What is sent to a worker that was killed cannot be written; its exit says all there is to say.
    worker.on('error', () => {});
    worker.once('exit', (exit, signal) => {
      running.delete(worker);
      answering.delete(worker);
      if (isStopping || !isListening) return;
      onEnd(`a worker ended (${signal ?? `exit ${exit}`}); another takes its place`);
      if (performance.now() - begunMs > soonMs) start();
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
      for (const worker of running) {
        // One that is starting does not hear what it is told, and answers nobody yet.
        if (answering.has(worker)) end(worker);
        else worker.process.kill('SIGKILL');
      }
      const cut = setTimeout(() => {
        for (const worker of running) worker.process.kill('SIGKILL');
      }, graceMs + lateMs);
      await Promise.all(ended);
      clearTimeout(cut);
    },
  };
}

function end(worker: Worker): void {
  if (worker.isConnected()) worker.send({ type: 'end' } satisfies WorkerMessage);
}

async function admit(
  admissions: AdmissionLog,
  worker: Worker,
  { id, key, windowMs, max }: Extract<WorkerMessage, { type: 'admit' }>,
): Promise<void> {
  let admission: Admission | null = null;
  try {
    admission = await admissions.admit(key, windowMs, max);
  } catch {
    // Whoever lost the store has said so.
  }
  if (worker.isConnected()) worker.send({ type: 'counted', id, admission } satisfies WorkerMessage);
}

/** Where a worker listens, or its exit code if it ends before. */
function addressOf(worker: Worker): Promise<string | number> {
  return new Promise((resolve) => {
    worker.on('message', (told: WorkerMessage) => {
      if (told.type === 'listening') resolve(told.address);
    });
    worker.once('exit', (exit) => resolve(exit ?? 1));
  });
}
