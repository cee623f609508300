import { type KindName, kindOf } from '../model/kinds.ts';
import type { Values } from '../questions/parameter.ts';
import type { Question } from '../questions/question.ts';
import { sql } from '../questions/sql.ts';
import { questions } from '../questions/table.ts';
import type { FollowedMirror } from '../store/followed-mirror.ts';
import { openPast } from '../store/history/past.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';
import { readSnapshot } from '../store/transaction.ts';
import { type AnswerInput, type AnswerText, answerText } from './answer-text.ts';
import type { Caller } from './observed.ts';
import type { RequestedPage } from './pages/page-context.ts';
import { kindsOfPage, pageText, shareForm, viewOf } from './pages/page-text.ts';
import { batchText, type ReconcileBatch } from './reconcile/batch.ts';

type QuestionRequest = AnswerInput & { question: string };

/** A read to send to another process: a question with its values, an HTML page, or a batch of names to reconcile. */
export type ReadRequest = QuestionRequest | RequestedPage | ReconcileBatch;

/** Text of a response, and the mirror's edition that it was read from; with `trouble` it must not be cached. */
export type MadeText = AnswerText & { edition: Edition; isBase64?: true };

/** Reads from the served mirror: short reads in this process at once, long ones in another if there are any. */
export type Reader = {
  /** Throws or rejects with a RefusedRequestError: 404, 422, or 503 on timeout; `caller` takes turns with others. */
  read(readRequest: ReadRequest, caller: Pick<Caller, 'key'>): MadeText | Promise<MadeText>;
  close(): Promise<void>;
};

// The command line alone accepts free statements: no route leads to them.
const byName = new Map<string, Question>([...questions, sql].map((question) => [question.name, question]));

/** Past mirrors kept open between requests. */
const mostPast = 2;

/** Idle time before they close: an open snapshot prevents the WAL from being truncated. */
const pastIdleMs = 10_000;

/** Returns a reader in this process, each request in one transaction; with `asOf` from a past mirror. */
export function createTextReader(followed: FollowedMirror) {
  const past = new Map<string, Mirror>();
  let idle: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(idle);
    for (const each of past.values()) each.close();
    past.clear();
  };
  const open = (mirror: Mirror, at: string, kinds: readonly KindName[]): Mirror => {
    const state = JSON.stringify([readEdition(mirror), at, kinds]);
    clearTimeout(idle);
    idle = setTimeout(close, pastIdleMs).unref();
    const cachedMirror = past.get(state);
    if (cachedMirror) return cachedMirror;
    if (past.size >= mostPast) close();
    const opened = followed.beside((path) => openPast(path, at, kinds.map(kindOf)), close);
    past.set(state, opened);
    return opened;
  };
  const read = (readRequest: ReadRequest): MadeText => {
    const now = followed.current();
    const moment = pastOf(readRequest);
    const mirror = moment ? open(now, moment.at, moment.kinds) : now;
    return readSnapshot(mirror, () => ({
      edition: readEdition(mirror),
      ...('batch' in readRequest
        ? { text: batchText(mirror, readRequest) }
        : 'page' in readRequest
          ? { text: pageText({ mirror, now }, readRequest) }
          : answerText(mirror, byName.get(readRequest.question)!, readRequest)),
    }));
  };
  return { close, read };
}

/** Returns the past moment that a read needs, with the kinds that it reads; null for the current mirror. */
function pastOf(readRequest: ReadRequest): { at: string; kinds: readonly KindName[] } | null {
  if ('batch' in readRequest || readRequest.reading.asOf === null) return null;
  const at = readRequest.reading.asOf;
  if ('page' in readRequest) return { at, kinds: kindsOfPage(readRequest) };
  const question = byName.get(readRequest.question)!;
  if (question.looksBack) return null;
  return { at, kinds: question.reads(readRequest.values as Values<typeof question.parameters>) };
}

/** True for a read that runs a statement written by a user. */
export function runsStatement(readRequest: ReadRequest): boolean {
  if ('batch' in readRequest) return false;
  const question = 'page' in readRequest ? viewOf(readRequest.page).question : byName.get(readRequest.question);
  return question?.runsStatement === true;
}

/** Returns the text that was read; a picture becomes the bytes of its PNG in base64. */
export async function drawn(readRequest: ReadRequest, madeText: MadeText): Promise<MadeText> {
  if (!isPicture(readRequest)) return madeText;
  const { pngOf } = await import('../format/png.ts');
  return { ...madeText, text: (await pngOf(madeText.text)).toString('base64'), isBase64: true };
}

/** True for a picture, which takes long to draw. */
export const isPicture = (readRequest: ReadRequest): boolean => 'page' in readRequest && readRequest.form === shareForm;

/** True for a read that may take long: a question or page with `isLong`, a past moment, a batch, or a picture. */
export function isLong(readRequest: ReadRequest): boolean {
  if ('batch' in readRequest || readRequest.reading.asOf !== null) return true;
  if (isPicture(readRequest)) return true;
  return ('page' in readRequest ? viewOf(readRequest.page) : byName.get(readRequest.question)!).isLong === true;
}
