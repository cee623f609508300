import { isUtf8 } from 'node:buffer';
import { BadInputError } from '../errors.ts';
import { say } from '../words/speech.ts';

const chunkLength = 65_536;

/** Joins texts into chunks of at least 65,536 characters, to save writes; only the last is shorter. */
export function* chunksOf(texts: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Yields the lines of UTF-8 text, split at LF only: `node:readline` also splits at U+2028, which JSON may contain. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let remainder = '';
  for await (const chunk of chunks) {
    const lines = (remainder + decoder.decode(chunk, { stream: true })).split('\n');
    remainder = lines.pop()!;
    yield* lines;
  }
  if (remainder !== '') yield remainder;
}

/** Decodes the chunks of a UTF-8 file in order, the end by a call without a chunk; a BadInputError names a bad line. */
export function createUtf8Decoder(path: string): (chunk?: Buffer<ArrayBuffer>) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1; // in which the next chunk begins
  return (chunk) => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
      return text;
    } catch {
      throw new BadInputError(`${path}:${line + (chunk ? linesBeforeFault(chunk) : 0)}`, say`is not UTF-8 text`);
    }
  };
}

/** Number of lines before the first in a chunk that is not UTF-8, apart from characters cut off at its ends; or 0. */
function linesBeforeFault(chunk: Buffer): number {
  const bytes = chunk.toString('latin1').replace(/^[\x80-\xBF]+|[\xC2-\xF4][\x80-\xBF]{0,2}$/g, '');
  const faultAt = bytes.split('\n').findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  return Math.max(0, faultAt);
}
