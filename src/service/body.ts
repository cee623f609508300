import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { orNull, ServiceAnswerError } from '../errors.ts';
import { type Json, parseExactJson } from '../model/document.ts';
import { dataSize, say } from '../words/speech.ts';
import { diskError } from './failure.ts';
import type { RequestTally } from './options.ts';
import type { RawResponse } from './transport.ts';

/** Address and limits of a body; after `rateAfterMs` (default: 20 s) it must average at least 200 bytes a second. */
type BodyLimits = { url: string; maxBytes: number; tally: RequestTally; rateAfterMs?: number };

/** Yields a body and adds its bytes to the tally; throws a ServiceAnswerError if it is too large or too slow. */
export async function* limitBody(
  response: Pick<RawResponse, 'body'>,
  { url, maxBytes, tally, rateAfterMs = 20_000 }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  const beganMs = performance.now();
  let total = 0;
  for await (const chunk of response.body()) {
    total += chunk.byteLength;
    tally.bytes += chunk.byteLength;
    if (total > maxBytes) throw new ServiceAnswerError(url, say`the answer is larger than ${dataSize(maxBytes)}`);
    const elapsedMs = performance.now() - beganMs;
    if (elapsedMs > rateAfterMs && total < elapsedMs / 5)
      throw new ServiceAnswerError(url, say`the answer comes with less than 200 bytes a second`);
    yield chunk;
  }
}

/** The whole body in memory. */
export const collectBytes = async (body: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(body));

/** Streams a body to a file; returns its bytes and SHA-256. Throws a BadTargetError for an error of the disk. */
export async function writeBody(body: AsyncIterable<Uint8Array>, file: string) {
  const digest = createHash('sha256');
  const target = createWriteStream(file);
  async function* hashChunks(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      digest.update(chunk);
      yield chunk;
    }
  }
  await pipeline(body, hashChunks, target).catch((error: unknown) => {
    throw diskError(file, error) ?? error;
  });
  return { bytes: target.bytesWritten, sha256: digest.digest('hex') };
}

/** Parses a body as JSON; throws a ServiceAnswerError that says what the body is instead. */
export function parseJson(url: string, body: Uint8Array, contentType: string | null): Json {
  const text = decodeText(url, body, contentType).trim();
  if (text === '') throw new ServiceAnswerError(url, say`the answer is empty`);
  if (text.startsWith('<')) throw new ServiceAnswerError(url, say`the answer is a web page (HTML), not JSON`);
  try {
    return parseExactJson(text).value;
  } catch (error) {
    const { message } = error as Error;
    // V8 reports no position when the text ends early.
    const isEarlyEnd = /end of JSON|Unterminated/i.test(message);
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? (isEarlyEnd ? text.length : 0));
    if (position >= text.length) throw new ServiceAnswerError(url, say`the answer is JSON that ends too early`);
    const excerpt = JSON.stringify(text.slice(Math.max(0, position - 20), position === 0 ? 40 : position + 20));
    if (position === 0) throw new ServiceAnswerError(url, say`the answer is not JSON: it begins with ${excerpt}`);
    throw new ServiceAnswerError(url, say`the answer is not JSON at character ${position + 1}: ${excerpt}`);
  }
}

/** The message in an error body: `detail`, `message`, `error` or `title` of JSON, else its text without tags; or ''. */
export function errorSentence(body: string): string {
  const text = body.trim();
  // Null for HTML or plain text.
  const problem = orNull(() => JSON.parse(text));
  const inner = problem?.detail ?? problem?.message ?? problem?.error?.message ?? problem?.error ?? problem?.title;
  if (typeof inner === 'string') return inner.slice(0, 300);
  if (inner !== undefined) return JSON.stringify(inner).slice(0, 300);
  const plainText = text.replace(/(?:<[^<>]*>|\s)+/g, ' ');
  return plainText.trim().slice(0, 200);
}

/** Decodes as UTF-8, else by the declared charset; throws a ServiceAnswerError if both fail. */
function decodeText(url: string, body: Uint8Array, contentType: string | null): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType ?? '')?.[1];
  for (const label of ['utf-8', charset ?? 'utf-8']) {
    // Null for an unknown or wrong charset: the next one may decode it.
    const text = orNull(() => new TextDecoder(label, { fatal: true }).decode(body));
    if (text !== null) return text;
  }
  throw new ServiceAnswerError(url, say`the answer is not UTF-8 text`);
}
