import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { say, saying } from '../words/speech.ts';
import type { Bounds } from './bounds.ts';
import { RefusedForNowError, RefusedRequestError } from './problem.ts';
import { createTextReader, isLong, type Reader, type ReadRequest, type ReadResult } from './reader.ts';
import type { Caller } from './response-observers.ts';
import { Semaphore } from './semaphore.ts';
import type { ServedMirror } from './served-mirror.ts';

/** Reply of a reader process: a result, a refusal for the caller, or the stack of an unexpected error. */
export type ReaderReply = ReadResult | { refusal: TransferredRefusal } | { failure: string };

type TransferredRefusal = Pick<RefusedRequestError, 'status' | 'extras' | 'isAmbiguousName'> & {
  detail: BilingualText;
  hint: BilingualText | null;
};

type BilingualText = { en: string; fr: string };

/** Message of a reader process: the read has arrived. */
export const receivedAck = 'received';

/** Signals with which a reader process kills itself when a read takes too much memory or CPU time. */
export const memorySignal = 'SIGTERM';
export const cpuSignal = 'SIGINT';

/** Returns the refusal of a read whose process was killed by `signal`, or, if null, after `readWallMs`. */
function limitRefusal({ readMs, readWallMs }: ReaderPoolOptions, signal: string | null): RefusedForNowError {
  const detail =
    signal === memorySignal
      ? say`The query was stopped at 256 MB; use a smaller range.`
      : signal === cpuSignal
        ? say`The query was stopped after ${readMs / 1000} s of CPU time; use a smaller range or a narrower filter.`
        : say`The query was stopped after ${readWallMs / 1000} s; use a smaller range or a narrower filter.`;
  return new RefusedForNowError(503, detail, Math.ceil(readMs / 1000));
}

type ReaderBounds = Pick<Bounds, 'readers' | 'readersPerCaller' | 'readMs' | 'readWallMs'>;

export type ReaderPoolOptions = ReaderBounds & {
  program: string; // path of the module that a reader process runs
  mirrorPath: string;
  /** Identifies the state of the mirror: equal reads share a result only in the same state. */
  edition: () => unknown;
};

/** A read that waits for a process, or runs in one; simultaneous equal requests share it. */
type Job = PromiseWithResolvers<ReadResult> & {
  readRequest: ReadRequest;
  isWaiting: boolean;
  failedDeliveries: number;
  timer?: NodeJS.Timeout;
};

type ScheduledJob = { job: Job; caller: string; release: () => void };

const maxRedeliveries = 2; // of one read; also limits attempts if the program cannot start

/** Maximum of waiting reads of one caller and of all reads; further ones are refused at once. */
const maxWaiting = { perCaller: 64, total: 1024 };

/** Pool of reader processes, started on demand; unlike threads they can be killed during a query inside SQLite. */
export class ReaderPool implements Reader {
  readonly #options: ReaderPoolOptions;
  readonly #idleProcesses: ChildProcess[] = [];
  readonly #processes = new Set<ChildProcess>();
  readonly #slots: Semaphore;
  /** Waiting reads by caller, each first in, first out; callers take turns in the order of this map. */
  readonly #queues = new Map<string, Job[]>();
  readonly #jobs = new Map<string, Job>();
  /** Processes killed because they have the replaced file open; their reads are repeated. */
  readonly #outdatedProcesses = new WeakSet<ChildProcess>();
  #isClosed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
    this.#slots = new Semaphore({ maxTotal: options.readers, maxPerCaller: options.readersPerCaller });
  }

  /** Runs a read in a process; rejects with a RefusedForNowError (503) if too many wait or it takes too long. */
  async read(readRequest: ReadRequest, { key: caller }: Pick<Caller, 'key'>): Promise<ReadResult> {
    const key = JSON.stringify([this.#options.edition(), readRequest]);
    const sharedJob = this.#jobs.get(key);
    const waitingJobs = this.#waitingJobsOf(caller);
    // A read that waits for another caller joins this queue too: the first turn of either caller runs it.
    if (sharedJob && (!sharedJob.isWaiting || waitingJobs.includes(sharedJob))) return sharedJob.promise;
    const isFull = waitingJobs.length >= maxWaiting.perCaller || this.#jobs.size >= maxWaiting.total;
    if (this.#isClosed || isFull) throw this.#busyRefusal();
    const job = sharedJob ?? this.#createJob(key, readRequest);
    this.#enqueue(job, caller);
    this.#startNext();
    return job.promise;
  }

  #createJob(key: string, readRequest: ReadRequest): Job {
    const job: Job = { ...Promise.withResolvers<ReadResult>(), readRequest, isWaiting: true, failedDeliveries: 0 };
    const forget = () => void this.#jobs.delete(key);
    job.promise.then(forget, forget);
    this.#jobs.set(key, job);
    return job;
  }

  /** Restarts all processes after the mirror was replaced; running reads are repeated. */
  restartProcesses(): void {
    for (const child of this.#processes) {
      this.#outdatedProcesses.add(child);
      child.kill('SIGKILL');
    }
    this.#idleProcesses.length = 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { isWaiting, reject, timer } of this.#jobs.values()) {
      if (!isWaiting) continue;
      clearTimeout(timer);
      reject(this.#busyRefusal());
    }
    const exits = [...this.#processes].map((child) => once(child, 'exit'));
    for (const child of this.#processes) child.kill('SIGKILL');
    await Promise.all(exits);
  }

  /** Adds a read to a caller's queue; starts its timeout unless it already waits in another caller's queue. */
  #enqueue(job: Job, caller: string): void {
    // Another caller with the same request must not prolong the wait of the first.
    if (job.timer === undefined || !job.isWaiting)
      job.timer = setTimeout(() => {
        job.isWaiting = false;
        job.reject(this.#busyRefusal());
      }, this.#options.readMs);
    job.isWaiting = true;
    this.#queues.set(caller, [...this.#waitingJobsOf(caller), job]);
  }

  #waitingJobsOf(caller: string): Job[] {
    return (this.#queues.get(caller) ?? []).filter(({ isWaiting }) => isWaiting);
  }

  #startNext(): void {
    while (!this.#isClosed && (this.#idleProcesses.length > 0 || this.#processes.size < this.#options.readers)) {
      const scheduledJob = this.#takeNextJob();
      if (scheduledJob === null) return;
      void this.#runJob(this.#idleProcesses.pop() ?? this.#startProcess(), scheduledJob);
    }
  }

  /** Returns the first read of the next caller who may use another process, or null. */
  #takeNextJob(): ScheduledJob | null {
    for (const caller of [...this.#queues.keys()]) {
      const [job, ...otherJobs] = this.#waitingJobsOf(caller);
      if (!job) {
        this.#queues.delete(caller); // all its reads timed out
        continue;
      }
      const releaseOrLimit = this.#slots.tryAcquire(caller);
      if (typeof releaseOrLimit === 'string') continue; // the caller, or all callers, have no free slot
      this.#queues.delete(caller);
      // Reinserted at the end of the map, behind all other callers.
      if (otherJobs.length > 0) this.#queues.set(caller, otherJobs);
      clearTimeout(job.timer);
      job.isWaiting = false;
      return { job, caller, release: releaseOrLimit };
    }
    return null;
  }

  #startProcess(): ChildProcess {
    const { program, mirrorPath, readMs } = this.#options;
    const child = fork(program, [mirrorPath, String(readMs)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // A separate process group: Ctrl-C reaches only the server, which finishes its requests.
      detached: true,
    });
    this.#processes.add(child);
    const forget = () => {
      this.#processes.delete(child);
      const index = this.#idleProcesses.indexOf(child);
      if (index >= 0) this.#idleProcesses.splice(index, 1);
      this.#startNext();
    };
    // A process that cannot start emits no exit; a killed one disconnects before it exits.
    child.once('exit', forget).once('error', forget).once('disconnect', forget);
    return child;
  }

  async #runJob(child: ChildProcess, { job, caller, release }: ScheduledJob): Promise<void> {
    using _timeout = setTimeout(() => {
      job.reject(limitRefusal(this.#options, null));
      child.kill('SIGKILL');
    }, this.#options.readWallMs);
    try {
      const reply = await send(child, job.readRequest, this.#options);
      if (!child.killed) this.#idleProcesses.push(child);
      if (this.#outdatedProcesses.has(child)) this.#enqueue(job, caller);
      else if ('text' in reply) job.resolve(reply);
      else job.reject(errorOf(reply));
    } catch (error) {
      // The mirror was replaced, or the idle process had died: retry in another one.
      const isUndelivered = error instanceof UndeliveredError && job.failedDeliveries < maxRedeliveries;
      if (isUndelivered) job.failedDeliveries += 1;
      if ((this.#outdatedProcesses.has(child) || isUndelivered) && !this.#isClosed) this.#enqueue(job, caller);
      else job.reject(error);
    } finally {
      release();
      this.#startNext();
    }
  }

  #busyRefusal(): RefusedForNowError {
    const detail = say`Too many long queries are running; try again later.`;
    return new RefusedForNowError(503, detail, Math.ceil(this.#options.readMs / 1000));
  }
}

/** Sends a read to a process and resolves with the reply; rejects if the process ends first. */
async function send(child: ChildProcess, readRequest: ReadRequest, limits: ReaderPoolOptions): Promise<ReaderReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ReaderReply>();
  let isReceived = false;
  const onMessage = (message: ReaderReply | typeof receivedAck) => {
    if (message === receivedAck) isReceived = true;
    else resolve(message);
  };
  const onExit = (exit: number | null, signal: string | null) => {
    const message = `a process that reads ended (${signal ?? `exit ${exit}`})`;
    if (isReceived && (signal === memorySignal || signal === cpuSignal)) return reject(limitRefusal(limits, signal));
    // A read sent to an ending process may never have arrived.
    reject(isReceived ? new Error(message) : new UndeliveredError(message));
  };
  child.on('message', onMessage).on('exit', onExit).on('error', reject);
  using _ = { [Symbol.dispose]: () => child.off('message', onMessage).off('exit', onExit).off('error', reject) };
  child.send(readRequest, (error) => {
    if (error) reject(new UndeliveredError(error.message));
  });
  return await promise;
}

/** The read did not reach its process, so it can be sent to another one. */
class UndeliveredError extends Error {}

function errorOf(reply: Exclude<ReaderReply, ReadResult>): Error {
  if ('failure' in reply) return new Error(reply.failure);
  const { status, detail, hint, extras, isAmbiguousName } = reply.refusal;
  const phraseOf = (text: BilingualText) => saying(({ language }) => text[language]);
  const error = Object.assign(new RefusedRequestError(status, phraseOf(detail), extras), { isAmbiguousName });
  if (hint) error.advice = phraseOf(hint);
  return error;
}

/** Returns a reader that runs long reads in a pool of processes; without `program` in this one, without time limit. */
export function createReader(mirror: ServedMirror, bounds: ReaderBounds, program?: string): Reader {
  const here = createTextReader(mirror);
  if (program === undefined) return { read: here.read, close: async () => here.close() };
  const pool = new ReaderPool({ ...bounds, program, mirrorPath: mirror.path, edition: mirror.edition });
  mirror.onReplaced(() => pool.restartProcesses());
  return {
    read: (readRequest, caller) => (isLong(readRequest) ? pool.read(readRequest, caller) : here.read(readRequest)),
    close: () => pool.close(),
  };
}
