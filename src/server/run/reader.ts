import process from 'node:process';
import { HemicycleError } from '../../errors.ts';
import { followMirrorFile } from '../../store/followed-mirror.ts';
import { openMirror } from '../../store/open.ts';
import { loadLanguage, textIn } from '../../words/speech.ts';
import { RefusedRequestError, refusalOf } from '../problem.ts';
import { createTextReader, type ReadRequest } from '../reader.ts';
import { type ReaderReply, received } from '../reader-pool.ts';

// Program of a reader process: reads one mirror for a server, until the server kills it or exits.
let reader: ReturnType<typeof createTextReader> | null = null;

const learnt = loadLanguage('fr');

process.on('message', async (asked: ReadRequest) => {
  process.send!(received);
  await learnt;
  process.send!(answerTo(asked));
});
process.on('disconnect', () => process.exit(0));

function answerTo(asked: ReadRequest): ReaderReply {
  try {
    reader ??= createTextReader(followMirrorFile(openMirror(process.argv[2]!)));
    return reader.read(asked);
  } catch (error) {
    const isForeseen = error instanceof RefusedRequestError || error instanceof HemicycleError;
    if (!isForeseen)
      return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { status, message: detail, said, extras } = refusalOf(error);
    return { refusal: { status, detail, inFrench: textIn(said, 'fr'), extras } };
  }
}
