import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

/** A thread beside this one that answers each message, in the order in which they came. */
export type Thread<Message, Answer> = {
  /** The answer to a message; what is in `moved` is gone from here at once. Rejected where the thread failed. */
  ask(message: Message, moved?: readonly Transferable[]): Promise<Answer>;
  /** How many messages are not answered yet. */
  waiting(): number;
  end(): Promise<void>;
};

/** Starts a thread that runs the file of `src/` named without its ending, `data` given to it. */
export function startThread<Message, Answer>(
  file: string,
  { data, limits = {} }: { data?: unknown; limits?: ResourceLimits } = {},
): Thread<Message, Answer> {
  // As it stands in `src/`, or where the build puts it for all that it cuts into chunks.
  const path = import.meta.url.endsWith('.ts') ? `../${file}.ts` : `./${file}.js`;
  const worker = new Worker(new URL(path, import.meta.url), { workerData: data, resourceLimits: limits });
  const asked: { resolve(answer: Answer): void; reject(error: unknown): void }[] = [];
  let failure: unknown = null;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  worker.on('message', (answer: Answer) => asked.shift()?.resolve(answer));
  worker.on('error', fail);
  worker.on('messageerror', fail);
  worker.on('exit', (exit) => fail(new Error(`the thread of ${file} ended (${exit})`)));
  return {
    waiting: () => asked.length,
    ask(message, moved = []) {
      const answer = new Promise<Answer>((resolve, reject) => {
        if (failure !== null) reject(failure);
        else asked.push({ resolve, reject });
      });
      // Whoever gives up before its turn comes asks no more.
      answer.catch(() => {});
      worker.postMessage(message, moved);
      return answer;
    },
    async end() {
      await worker.terminate();
    },
  };
}
