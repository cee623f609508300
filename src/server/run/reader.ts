import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { HemicycleError } from '../../errors.ts';
import { followMirrorFile } from '../../store/followed-mirror.ts';
import { openMirror } from '../../store/open.ts';
import { loadLanguage, type Phrase, textIn } from '../../words/speech.ts';
import { RefusedRequestError, refusalOf } from '../problem.ts';
import { createTextReader, type ReadRequest, runsStatement } from '../reader.ts';
import { cpuSignal, memorySignal, type ReaderReply, receivedAck } from '../reader-pool.ts';

// Program of a reader process: reads one mirror for a server, until the server kills it or exits.
const [, , mirrorPath = '', cpuMs] = process.argv;
let reader: ReturnType<typeof createTextReader> | null = null;

const languageLoaded = loadLanguage('fr');

process.on('message', async (readRequest: ReadRequest) => {
  process.send!(receivedAck);
  await languageLoaded;
  process.send!(await replyTo(readRequest));
  watchdog?.postMessage(null);
});
process.on('disconnect', () => process.exit(0));

/** Memory that a statement written by a user may take. */
const statementBytes = 256 * 2 ** 20;

let watchdog: Worker | null = null;

/** Starts a thread that kills this process when a read exceeds its bounds, since SQLite blocks the main thread. */
function createWatchdog(): Worker {
  const program = `
    const { parentPort } = require('node:worker_threads');
    const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    let timer;
    parentPort.on('message', (bounds) => {
      clearInterval(timer);
      if (bounds === null) return;
      const startCpuMs = cpuMs();
      const startBytes = process.memoryUsage.rss();
      timer = setInterval(() => {
        if (process.memoryUsage.rss() - startBytes > bounds.bytes) process.kill(process.pid, '${memorySignal}');
        if (cpuMs() - startCpuMs > bounds.cpuMs) process.kill(process.pid, '${cpuSignal}');
      }, 20);
    });`;
  return new Worker(program, { eval: true });
}

async function replyTo(readRequest: ReadRequest): Promise<ReaderReply> {
  try {
    // Opened before the watchdog starts, so that a mirror read into memory does not count for the statement.
    reader ??= createTextReader(followMirrorFile(openMirror(mirrorPath)));
    watchdog ??= createWatchdog();
    const bytes = runsStatement(readRequest) ? statementBytes : Number.POSITIVE_INFINITY;
    watchdog.postMessage({ bytes, cpuMs: Number(cpuMs) });
    return await reader.read(readRequest);
  } catch (error) {
    const isExpected = error instanceof RefusedRequestError || error instanceof HemicycleError;
    if (!isExpected) return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { status, userText, advice, extras, isAmbiguousName } = refusalOf(error);
    const inBoth = (text: Phrase) => ({ en: textIn(text, 'en'), fr: textIn(text, 'fr') });
    const hint = advice === null ? null : inBoth(advice);
    return { refusal: { status, detail: inBoth(userText), hint, extras, isAmbiguousName } };
  }
}
