/** The lines of a UTF-8 text, which end with LF alone: `node:readline` also ends one at U+2028, valid in values. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of chunks) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = lines.pop()!;
    yield* lines;
  }
  if (pending !== '') yield pending;
}
