import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RefusalStatus } from '../errors.ts';
import { say, saying } from '../words/speech.ts';
import type { Bounds } from './bounds.ts';
import { type ProblemExtras, RefusedForNowError, RefusedRequestError } from './problem.ts';
import { createTextReader, isLong, type MadeText, type Reader, type ReadRequest } from './reader.ts';
import type { ServedMirror } from './served-mirror.ts';

/** Reply of a reader process: the response text, a refusal, or a failure. */
export type ReaderReply =
  | MadeText
  | { refusal: { status: RefusalStatus; detail: string; inFrench: string; extras: ProblemExtras } }
  | { failure: string };

/** Acknowledgement that a read has arrived. */
export const received = 'received';

export type ReaderPoolOptions = {
  /** Program of a reader process. */
  program: string;
  mirrorPath: string;
  /** Number of processes. */
  most: number;
  /** Time that a read may wait, and time that it may run. */
  limitMs: number;
};

/** A read that waits for a process, or runs in one. */
type Job = PromiseWithResolvers<MadeText> & {
  asked: ReadRequest;
  /** Failed deliveries to a process. */
  undelivered: number;
  /** Ends the wait. */
  timer?: NodeJS.Timeout;
};

/** Most redeliveries of a read; also ends the attempts of a program that cannot start. */
const maxRedeliveries = 2;

/** Queue length; further reads are refused at once. */
const mostWaiting = 64;

/**
 * Pool of reader processes, started on demand, so that a long query blocks nobody and can be killed. Threads would not do:
 * a query inside SQLite ends only with its process, and `worker.terminate()` waits for it.
 */
export class ReaderPool implements Reader {
  readonly #options: ReaderPoolOptions;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  /** Waiting reads, first in, first out. */
  readonly #queue: Job[] = [];
  /** Killed processes that have the replaced file open. */
  readonly #former = new WeakSet<ChildProcess>();
  #isClosed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
  }

  async read(asked: ReadRequest): Promise<MadeText> {
    if (this.#isClosed || this.#queue.length >= mostWaiting) throw this.#busy();
    const job: Job = { ...Promise.withResolvers<MadeText>(), asked, undelivered: 0 };
    this.#enqueue(job);
    this.#next();
    return job.promise;
  }

  /** Restarts all processes after the mirror was replaced; running reads are repeated. */
  renew(): void {
    for (const child of this.#all) {
      this.#former.add(child);
      child.kill('SIGKILL');
    }
    this.#idle.length = 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject, timer } of this.#queue.splice(0)) {
      clearTimeout(timer);
      reject(this.#busy());
    }
    const ended = [...this.#all].map((child) => once(child, 'exit'));
    for (const child of this.#all) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  #enqueue(job: Job): void {
    job.timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(job), 1);
      job.reject(this.#busy());
    }, this.#options.limitMs);
    this.#queue.push(job);
  }

  #next(): void {
    while (this.#queue.length > 0 && !this.#isClosed) {
      const child = this.#idle.pop() ?? (this.#all.size < this.#options.most ? this.#start() : undefined);
      if (child === undefined) return;
      void this.#run(child, this.#queue.shift()!);
    }
  }

  #start(): ChildProcess {
    const { program, mirrorPath } = this.#options;
    const child = fork(program, [mirrorPath], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // A separate process group: Ctrl-C reaches only the server, which finishes its requests.
      detached: true,
    });
    this.#all.add(child);
    const forget = () => {
      this.#all.delete(child);
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#next();
    };
    // A process that cannot start emits no exit; a killed one disconnects before it exits.
    child.once('exit', forget).once('error', forget).once('disconnect', forget);
    return child;
  }

  async #run(child: ChildProcess, job: Job): Promise<void> {
    clearTimeout(job.timer);
    const { limitMs } = this.#options;
    const cut = setTimeout(() => {
      const detail = say`The answer took longer than ${limitMs / 1000} s and was cut; ask for fewer or longer words, or less at a time.`;
      job.reject(new RefusedForNowError(503, detail, Math.ceil(limitMs / 1000)));
      child.kill('SIGKILL');
    }, limitMs);
    try {
      const reply = await send(child, job.asked);
      if (!child.killed) this.#idle.push(child);
      if (this.#former.has(child)) this.#enqueue(job);
      else if ('text' in reply) job.resolve(reply);
      else job.reject(errorOf(reply));
    } catch (error) {
      // The mirror was replaced, or the idle process had died: retry in another one.
      const isUndelivered = error instanceof UndeliveredError && job.undelivered < maxRedeliveries;
      if (isUndelivered) job.undelivered += 1;
      if ((this.#former.has(child) || isUndelivered) && !this.#isClosed) this.#enqueue(job);
      else job.reject(error);
    } finally {
      clearTimeout(cut);
      this.#next();
    }
  }

  #busy(): RefusedForNowError {
    const seconds = Math.ceil(this.#options.limitMs / 1000);
    return new RefusedForNowError(
      503,
      say`Too many questions that take long are being answered; try again later.`,
      seconds,
    );
  }
}

/** Sends a read to a process and resolves with the reply; rejects if the process ends first. */
async function send(child: ChildProcess, asked: ReadRequest): Promise<ReaderReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ReaderReply>();
  let isReceived = false;
  const onMessage = (message: ReaderReply | typeof received) => {
    if (message === received) isReceived = true;
    else resolve(message);
  };
  const onExit = (exit: number | null, signal: string | null) => {
    const message = `a process that reads ended (${signal ?? `exit ${exit}`})`;
    // A read sent to an ending process may never have arrived.
    reject(isReceived ? new Error(message) : new UndeliveredError(message));
  };
  child.on('message', onMessage).on('exit', onExit).on('error', reject);
  child.send(asked, (error) => {
    if (error) reject(new UndeliveredError(error.message));
  });
  try {
    return await promise;
  } finally {
    child.off('message', onMessage).off('exit', onExit).off('error', reject);
  }
}

/** A read did not reach its process. */
class UndeliveredError extends Error {}

function errorOf(reply: Exclude<ReaderReply, MadeText>): Error {
  if ('failure' in reply) return new Error(reply.failure);
  const { status, detail, inFrench, extras } = reply.refusal;
  const said = saying(({ language }) => (language === 'fr' ? inFrench : detail));
  return new RefusedRequestError(status, said, extras);
}

/** Reads what takes long in a process pool; all in this process, without a time limit, if there is no program. */
export function createReader(
  mirror: ServedMirror,
  { readers, readMs }: Pick<Bounds, 'readers' | 'readMs'>,
  program?: string,
): Reader {
  const here = createTextReader(mirror);
  if (program === undefined) return { read: here.read, close: async () => here.close() };
  const pool = new ReaderPool({ program, mirrorPath: mirror.path, most: readers, limitMs: readMs });
  mirror.onReplaced(() => pool.renew());
  return { read: (asked) => (isLong(asked) ? pool : here).read(asked), close: () => pool.close() };
}
