import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ServiceAnswerError } from '../errors.ts';
import type { Json } from '../model/document.ts';
import { readExactly } from '../model/exact-json.ts';
import { say } from '../words/speech.ts';
import { diskError } from './failure.ts';
import type { RequestTally } from './options.ts';
import type { RawResponse } from './transport.ts';

/** A body up to a number of bytes, which are counted; throws a ServiceAnswerError beyond it. */
export async function* limitBody(
  response: RawResponse,
  { url, maxBytes, tally }: { url: string; maxBytes: number; tally: RequestTally },
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of response.body()) {
    total += chunk.byteLength;
    tally.bytes += chunk.byteLength;
    if (total > maxBytes) throw new ServiceAnswerError(url, say`the answer is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** The whole body in memory. */
export async function collectBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Streams a body to disk; a disk that refuses is our own fault and no reason to ask again. */
export async function writeBody(
  body: AsyncIterable<Uint8Array>,
  file: string,
): Promise<{ bytes: number; sha256: string }> {
  const digest = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(
      body,
      async function* (source) {
        for await (const chunk of source) {
          bytes += chunk.byteLength;
          digest.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(file),
    );
  } catch (error) {
    throw diskError(file, error) ?? error;
  }
  return { bytes, sha256: digest.digest('hex') };
}

/** The body as JSON; throws a ServiceAnswerError that names what came instead. */
export function parseJson(url: string, body: Uint8Array, contentType: string | null): Json {
  const text = decodeText(url, body, contentType).trim();
  if (text === '') throw new ServiceAnswerError(url, say`the answer is empty`);
  if (text.startsWith('<')) throw new ServiceAnswerError(url, say`the answer is a web page (HTML), not JSON`);
  try {
    return readExactly(text).value;
  } catch (error) {
    const isCut = errorPosition(error as Error, text) >= text.length;
    throw new ServiceAnswerError(
      url,
      isCut
        ? say`the answer is JSON that ends too early`
        : say`the answer is not JSON: it begins with ${JSON.stringify(text.slice(0, 40))}`,
    );
  }
}

/** Where parsing stopped: V8 names the position, except where the text ends. */
function errorPosition({ message }: Error, text: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined && /end of JSON|Unterminated/i.test(message)
    ? text.length
    : Number(position ?? 0);
}

/** The sentence in an error body: `detail`, `message` or `error` of JSON, the title of a page, or the text. */
export function errorSentence(body: string): string {
  const text = body.trim();
  try {
    const problem = JSON.parse(text);
    const inner =
      problem.detail ?? problem.message ?? problem.error?.message ?? problem.error ?? problem.title;
    if (typeof inner === 'string') return inner.slice(0, 300);
    if (inner !== undefined) return JSON.stringify(inner).slice(0, 300);
  } catch {
    // Not JSON: a page or plain text follows.
  }
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return (
    title ||
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 200)
  );
}

/** JSON is UTF-8; another charset is believed only where the bytes are not UTF-8. */
function decodeText(url: string, body: Uint8Array, contentType: string | null): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    const charset = /charset="?([\w-]+)/i.exec(contentType ?? '')?.[1];
    if (charset && !/^utf-?8$/i.test(charset)) {
      try {
        return new TextDecoder(charset, { fatal: true }).decode(body);
      } catch {
        // An unknown or wrong charset is an unreadable answer, as below.
      }
    }
    throw new ServiceAnswerError(url, say`the answer is not UTF-8 text`);
  }
}
