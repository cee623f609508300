import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RefusalStatus } from '../errors.ts';
import type { Asked, MadeText, Reader } from './answer-text.ts';
import { type ProblemExtras, RefusedForNowError, RefusedRequestError } from './problem.ts';

/** What a process that reads tells of one question: its answer, or why there is none. */
export type Told =
  | MadeText
  | { refusal: { status: RefusalStatus; detail: string; extras: ProblemExtras } }
  | { failure: string };

export type ReaderPoolOptions = {
  /** The file that a process runs which reads. */
  program: string;
  mirrorPath: string;
  /** How many may read at a time. */
  most: number;
  /** How long a question may wait, and how long it may take. */
  limitMs: number;
};

type Waiting = {
  asked: Asked;
  take: (made: MadeText) => void;
  refuse: (reason: unknown) => void;
  /** Ends a wait that became too long. */
  timer: NodeJS.Timeout;
};

/** Questions that wait while all processes are busy; more are refused at once. */
const mostWaiting = 64;

/**
 * Reads in a pool of processes, started when they are needed, so that nobody waits for another one's search and one that
 * takes too long can be killed. Threads would not do: what runs inside SQLite ends with its process only, and
 * `worker.terminate()` waits for it.
 */
export class ReaderPool implements Reader {
  readonly #options: ReaderPoolOptions;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
  }

  read(asked: Asked): Promise<MadeText> {
    return new Promise((take, refuse) => {
      if (this.#isClosed || this.#queue.length >= mostWaiting) {
        refuse(this.#busy());
        return;
      }
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        refuse(this.#busy());
      }, this.#options.limitMs);
      const waiting: Waiting = { asked, take, refuse, timer };
      this.#queue.push(waiting);
      this.#next();
    });
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
      // In a group of its own: Ctrl-C reaches the server alone, which finishes what it began.
      detached: true,
    });
    this.#all.add(child);
    const forget = () => {
      this.#all.delete(child);
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#next();
    };
    // A process that cannot be started has no exit.
    child.once('exit', forget).once('error', forget);
    return child;
  }

  async #run(child: ChildProcess, { asked, take, refuse, timer }: Waiting): Promise<void> {
    clearTimeout(timer);
    const { limitMs } = this.#options;
    const cut = setTimeout(() => {
      const detail = `The answer took longer than ${limitMs / 1000} s and was cut; ask for fewer or longer words, or less at a time.`;
      refuse(new RefusedForNowError(503, detail, Math.ceil(limitMs / 1000)));
      child.kill('SIGKILL');
    }, limitMs);
    try {
      const found = await ask(child, asked);
      if (!child.killed) this.#idle.push(child);
      if ('text' in found) take(found);
      else refuse(failureOf(found));
    } catch (error) {
      refuse(error);
    } finally {
      clearTimeout(cut);
      this.#next();
    }
  }

  #busy(): RefusedForNowError {
    const seconds = Math.ceil(this.#options.limitMs / 1000);
    return new RefusedForNowError(
      503,
      'Too many questions that take long are being answered; try again later.',
      seconds,
    );
  }
}

/** Sends a question and resolves with what comes back; rejects if the process ends instead. */
function ask(child: ChildProcess, asked: Asked): Promise<Told> {
  return new Promise((resolve, reject) => {
    const settle = () => child.off('message', onFound).off('exit', onExit).off('error', onError);
    const onFound = (found: unknown) => {
      settle();
      resolve(found as Told);
    };
    const onExit = (exit: number | null, signal: string | null) => {
      settle();
      reject(new Error(`a process that reads ended (${signal ?? `exit ${exit}`})`));
    };
    const onError = (error: Error) => {
      settle();
      reject(error);
    };
    child.on('message', onFound).on('exit', onExit).on('error', onError);
    child.send(asked);
  });
}

function failureOf(told: Exclude<Told, MadeText>): Error {
  if ('failure' in told) return new Error(told.failure);
  const { status, detail, extras } = told.refusal;
  return new RefusedRequestError(status, detail, extras);
}
