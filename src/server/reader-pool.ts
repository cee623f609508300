import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RefusalStatus } from '../errors.ts';
import { say, saying } from '../words/speech.ts';
import type { Bounds } from './bounds.ts';
import { type ProblemExtras, RefusedForNowError, RefusedRequestError } from './problem.ts';
import { type MadeText, type Reader, type ReadRequest, readHere } from './reader.ts';
import type { ServedMirror } from './served-mirror.ts';

/** Reply of a reader process: the response text, a refusal, or a failure. */
export type ReaderReply =
  | MadeText
  | { refusal: { status: RefusalStatus; detail: string; inFrench: string; extras: ProblemExtras } }
  | { failure: string };

/** Acknowledgement that a request has arrived. */
export const received = 'received';

export type ReaderPoolOptions = {
  /** Program of a reader process. */
  program: string;
  mirrorPath: string;
  /** Number of processes. */
  most: number;
  /** Time that a request may wait, and time that it may run. */
  limitMs: number;
};

type Question = {
  asked: ReadRequest;
  take: (made: MadeText) => void;
  refuse: (reason: unknown) => void;
  /** Failed deliveries to a process. */
  undelivered: number;
};

/** A queued request with its timeout. */
type Waiting = Question & { timer: NodeJS.Timeout };

/** Most redeliveries of a request; also ends the attempts of a program that cannot start. */
const maxRedeliveries = 2;

/** Queue length; further requests are refused at once. */
const mostWaiting = 64;

/**
 * Pool of reader processes, started on demand, so that a long query blocks nobody and can be killed. Threads would not do:
 * a query inside SQLite ends only with its process, and `worker.terminate()` waits for it.
 */
export class ReaderPool implements Reader {
  readonly #options: ReaderPoolOptions;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  readonly #queue: Waiting[] = [];
  /** Killed processes that have the replaced file open. */
  readonly #former = new WeakSet<ChildProcess>();
  #isClosed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
  }

  read(asked: ReadRequest): Promise<MadeText> {
    return new Promise((take, refuse) => {
      if (this.#isClosed || this.#queue.length >= mostWaiting) {
        refuse(this.#busy());
        return;
      }
      this.#wait({ asked, take, refuse, undelivered: 0 });
      this.#next();
    });
  }

  /** Restarts all processes after the mirror was replaced; running requests are repeated. */
  renew(): void {
    for (const child of this.#all) {
      this.#former.add(child);
      child.kill('SIGKILL');
    }
    this.#idle.length = 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse, timer } of this.#queue.splice(0)) {
      clearTimeout(timer);
      refuse(this.#busy());
    }
    const ended = [...this.#all].map((child) => once(child, 'exit'));
    for (const child of this.#all) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  #wait(question: Question): void {
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      question.refuse(this.#busy());
    }, this.#options.limitMs);
    const waiting: Waiting = { ...question, timer };
    this.#queue.push(waiting);
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

  async #run(child: ChildProcess, { timer, ...question }: Waiting): Promise<void> {
    const { asked, take, refuse } = question;
    clearTimeout(timer);
    const { limitMs } = this.#options;
    const cut = setTimeout(() => {
      const detail = say`The answer took longer than ${limitMs / 1000} s and was cut; ask for fewer or longer words, or less at a time.`;
      refuse(new RefusedForNowError(503, detail, Math.ceil(limitMs / 1000)));
      child.kill('SIGKILL');
    }, limitMs);
    try {
      const found = await ask(child, asked);
      if (!child.killed) this.#idle.push(child);
      if (this.#former.has(child)) this.#wait(question);
      else if ('text' in found) take(found);
      else refuse(failureOf(found));
    } catch (error) {
      // The mirror was replaced, or the idle process had died: retry in another one.
      const isUndelivered = error instanceof UndeliveredError && question.undelivered < maxRedeliveries;
      const isToAskAgain = this.#former.has(child) || isUndelivered;
      if (isToAskAgain && !this.#isClosed)
        this.#wait({ ...question, undelivered: question.undelivered + Number(isUndelivered) });
      else refuse(error);
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

/** Sends a request and resolves with the reply; rejects if the process ends first. */
function ask(child: ChildProcess, asked: ReadRequest): Promise<ReaderReply> {
  return new Promise((resolve, reject) => {
    const settle = () => child.off('message', onFound).off('exit', onExit).off('error', onError);
    let isReceived = false;
    const onFound = (found: unknown) => {
      if (found === received) {
        isReceived = true;
        return;
      }
      settle();
      resolve(found as ReaderReply);
    };
    const onExit = (exit: number | null, signal: string | null) => {
      settle();
      const message = `a process that reads ended (${signal ?? `exit ${exit}`})`;
      // A request sent to an ending process may never have arrived.
      reject(isReceived ? new Error(message) : new UndeliveredError(message));
    };
    const onError = (error: Error) => {
      settle();
      reject(error);
    };
    child.on('message', onFound).on('exit', onExit).on('error', onError);
    child.send(asked, (error) => {
      if (error) onError(new UndeliveredError(error.message));
    });
  });
}

/** A request did not reach its process. */
class UndeliveredError extends Error {}

function failureOf(told: Exclude<ReaderReply, MadeText>): Error {
  if ('failure' in told) return new Error(told.failure);
  const { status, detail, inFrench, extras } = told.refusal;
  const said = saying(({ language }) => (language === 'fr' ? inFrench : detail));
  return new RefusedRequestError(status, said, extras);
}

/** The reader of long queries: a process pool, or this process without a reader program. */
export function createReader(
  mirror: ServedMirror,
  { readers, readMs }: Pick<Bounds, 'readers' | 'readMs'>,
  program?: string,
): Reader {
  if (program === undefined) return readHere(mirror);
  const pool = new ReaderPool({ program, mirrorPath: mirror.path, most: readers, limitMs: readMs });
  mirror.onReplaced(() => pool.renew());
  return pool;
}
