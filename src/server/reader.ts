import { LRUCache } from 'lru-cache';
import { type KindName, kindOf } from '../model/kinds.ts';
import type { Parameters, Values } from '../questions/parameter.ts';
import type { Question } from '../questions/question.ts';
import { sql } from '../questions/sql.ts';
import { questions } from '../questions/table.ts';
import type { FollowedMirror } from '../store/followed-mirror.ts';
import { openPast } from '../store/history/past.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Edition, readEdition } from '../store/records/contents.ts';
import { readSnapshot } from '../store/transaction.ts';
import { type AnswerInput, type AnswerText, answerText } from './answer-text.ts';
import type { RequestedPage } from './pages/page-context.ts';
import { pageText, previewFile, viewOf } from './pages/page-text.ts';
import { batchText, type ReconcileBatch } from './reconcile/batch.ts';
import type { Caller } from './response-observers.ts';

/** A read as plain data: a question with its values, an HTML page, or a batch of names to reconcile. */
export type ReadRequest = (AnswerInput & { question: string }) | RequestedPage | ReconcileBatch;

/** Text of a response or picture (base64), with the edition of the mirror; one with `trouble` must not be cached. */
export type ReadResult = AnswerText & { edition: Edition; isBase64?: true };

/** Reads from the served mirror: short reads in this process, long ones in reader processes if the server has some. */
export type Reader = {
  /** Throws or rejects with a RefusedRequestError: 404, 422, or 503 on timeout. Waiting callers take turns. */
  read(readRequest: ReadRequest, caller: Pick<Caller, 'key'>): ReadResult | Promise<ReadResult>;
  close(): Promise<void>;
};

// `sql`, a question of the command line, has no route: only the pool of a local command reads it.
const byName = new Map<string, Question>([...questions, sql].map((question) => [question.name, question]));

const maxPastMirrors = 2; // past mirrors kept open between requests
const pastIdleMs = 10_000; // then they close: an open snapshot prevents the WAL from being truncated

/** Returns a reader in this process, each read in one transaction; one with `asOf` reads a mirror of that moment. */
export function createTextReader(followedMirror: FollowedMirror) {
  const pastMirrors = new LRUCache<string, Mirror>({
    max: maxPastMirrors,
    ttl: pastIdleMs,
    ttlAutopurge: true,
    dispose: (pastMirror) => pastMirror.close(),
  });
  const closePastMirrors = () => pastMirrors.clear();
  const openPastMirror = (mirror: Mirror, at: string, kinds: readonly KindName[]): Mirror => {
    const cacheKey = JSON.stringify([readEdition(mirror), at, kinds]);
    const open = () => followedMirror.openReader((path) => openPast(path, at, kinds.map(kindOf)), closePastMirrors);
    const pastMirror = pastMirrors.get(cacheKey) ?? open();
    pastMirrors.set(cacheKey, pastMirror); // for one already cached, restarts the idle time
    return pastMirror;
  };
  const read = (readRequest: ReadRequest): ReadResult | Promise<ReadResult> => {
    const currentMirror = followedMirror.current();
    const moment = pastMomentOf(readRequest);
    const mirror = moment ? openPastMirror(currentMirror, moment.at, moment.kinds) : currentMirror;
    const readResult = readSnapshot(mirror, () => ({
      edition: readEdition(mirror),
      ...('batch' in readRequest
        ? { text: batchText(mirror, readRequest) }
        : 'page' in readRequest
          ? { text: pageText({ mirror, currentMirror }, readRequest) }
          : answerText(mirror, byName.get(readRequest.question)!, readRequest)),
    }));
    return isPicture(readRequest) ? encodePng(readResult) : readResult;
  };
  return { close: closePastMirrors, read };
}

/** Returns the past moment and kinds of a read; null if it reads the current mirror, as with `looksBack`. */
function pastMomentOf(readRequest: ReadRequest): { at: string; kinds: readonly KindName[] } | null {
  if ('batch' in readRequest || readRequest.reading.asOf === null) return null;
  const at = readRequest.reading.asOf;
  if ('page' in readRequest) {
    const view = viewOf(readRequest.page);
    return { at, kinds: view.kindsRead(view.questionValues(readRequest.values)) };
  }
  const { looksBack, kindsRead } = byName.get(readRequest.question)!;
  return looksBack ? null : { at, kinds: kindsRead(readRequest.values as Values<Parameters>) };
}

/** True for a read that runs a statement written by a user. */
export function runsStatement(readRequest: ReadRequest): boolean {
  if ('batch' in readRequest) return false;
  const question = 'page' in readRequest ? viewOf(readRequest.page).question : byName.get(readRequest.question);
  return question?.runsStatement === true;
}

/** Returns the result with the PNG in base64 in place of the SVG text. */
async function encodePng(readResult: ReadResult): Promise<ReadResult> {
  const { renderPng } = await import('../format/png.ts');
  return { ...readResult, text: (await renderPng(readResult.text)).toString('base64'), isBase64: true };
}

const isPicture = (readRequest: ReadRequest): boolean => 'page' in readRequest && readRequest.form === previewFile;

/** True for a read that may take long: of a question or page that may, a CSV page, the past, a batch, a picture. */
export function isLong(readRequest: ReadRequest): boolean {
  if ('batch' in readRequest || readRequest.reading.asOf !== null) return true;
  if (isPicture(readRequest) || ('page' in readRequest && readRequest.form === 'csv')) return true;
  const definition = 'page' in readRequest ? viewOf(readRequest.page) : byName.get(readRequest.question)!;
  return definition.isLong === true || (definition.isLong === 'with words' && readRequest.values.q !== undefined);
}
