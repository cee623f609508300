import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { HemicycleError } from '../../errors.ts';
import { followMirrorFile } from '../../store/followed-mirror.ts';
import { openMirror } from '../../store/open.ts';
import { loadLanguage, textIn, type UserText } from '../../words/speech.ts';
import { RefusedRequestError, refusalOf } from '../problem.ts';
import { createTextReader, drawn, type ReadRequest, runsStatement } from '../reader.ts';
import { type ReaderReply, received, tooMuchMemory } from '../reader-pool.ts';

// Program of a reader process: reads one mirror for a server, until the server kills it or exits.
let reader: ReturnType<typeof createTextReader> | null = null;

const learnt = loadLanguage('fr');

process.on('message', async (readRequest: ReadRequest) => {
  process.send!(received);
  await learnt;
  process.send!(await answerTo(readRequest));
  guard?.postMessage(null);
});
process.on('disconnect', () => process.exit(0));

const statementBounds = { ms: 5000, bytes: 256 * 2 ** 20 };

let guard: Worker | null = null;

/** Starts a thread that kills this process for a statement beyond its bounds, server or not: SQLite blocks this one. */
function createGuard(): Worker {
  const program = `
    const { parentPort } = require('node:worker_threads');
    let timer;
    parentPort.on('message', (bounds) => {
      clearInterval(timer);
      if (bounds === null) return;
      const [begun, before] = [performance.now(), process.memoryUsage.rss()];
      timer = setInterval(() => {
        if (process.memoryUsage.rss() - before > bounds.bytes) process.kill(process.pid, '${tooMuchMemory}');
        if (performance.now() - begun > bounds.ms) process.kill(process.pid, 'SIGKILL');
      }, 20);
    });`;
  return new Worker(program, { eval: true });
}

async function answerTo(readRequest: ReadRequest): Promise<ReaderReply> {
  try {
    // A mirror that is read into memory does not count for the statement.
    reader ??= createTextReader(followMirrorFile(openMirror(process.argv[2]!)));
    if (runsStatement(readRequest)) {
      guard ??= createGuard();
      guard.postMessage(statementBounds);
    }
    return await drawn(readRequest, reader.read(readRequest));
  } catch (error) {
    const isForeseen = error instanceof RefusedRequestError || error instanceof HemicycleError;
    if (!isForeseen) return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { status, userText, advice, extras } = refusalOf(error);
    const inBoth = (text: UserText) => ({ en: textIn(text, 'en'), fr: textIn(text, 'fr') });
    return {
      refusal: { status, detail: inBoth(userText), hint: advice === null ? null : inBoth(advice), extras },
    };
  }
}
