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
