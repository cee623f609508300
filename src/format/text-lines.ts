const chunkLength = 65_536;

/** Joins texts to chunks of about 64 kB, to save writes. */
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

/** The lines of a UTF-8 text, which end with LF alone: `node:readline` also ends one at U+2028, valid in values. */
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
