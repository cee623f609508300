import { pipeline, Readable } from 'node:stream';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzipSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { ServiceAnswerError } from '../errors.ts';
import { say } from '../words/speech.ts';

type Decoder = {
  stream: () => NodeJS.ReadWriteStream;
  atOnce: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
};

const gzip: Decoder = { stream: () => createGunzip(), atOnce: gunzipSync };

/** How each encoding that we ask for is undone; unlike a browser, none of them takes a body that ends too early. */
const decoders: Record<string, Decoder> = {
  gzip,
  'x-gzip': gzip,
  deflate: { stream: () => createInflate(), atOnce: inflateSync },
  br: { stream: () => createBrotliDecompress(), atOnce: brotliDecompressSync },
  zstd: { stream: () => createZstdDecompress(), atOnce: zstdDecompressSync },
};

/** A body of so many bytes is undone at once, which takes a third of what a stream does, where no more than so many come of it. */
const [maxWholeInput, maxWholeOutput] = [64 * 2 ** 10, 2 * 2 ** 20];

/** A body with its compression undone; throws a ServiceAnswerError for an encoding that nobody asked for. */
export async function* decodeBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string | null,
  url: string,
): AsyncGenerator<Uint8Array> {
  const used = decoderChain(encoding, url);
  if (used.length === 0) {
    yield* body;
    return;
  }
  const rest = body[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let [size, isWhole] = [0, false];
  while (!isWhole && size <= maxWholeInput) {
    const next = await rest.next();
    if (next.done) isWhole = true;
    else {
      head.push(next.value);
      size += next.value.byteLength;
    }
  }
  const undone = isWhole ? decodeWhole(Buffer.concat(head), used) : null;
  if (undone !== null) yield undone;
  else yield* decodeStream(prependChunks(head, rest), used);
}

/** The decoders of a body, in the order in which they undo what was done to it. */
function decoderChain(encoding: string | null, url: string): Decoder[] {
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  return names.reverse().map((name) => {
    const decoder = decoders[name];
    if (!decoder)
      throw new ServiceAnswerError(url, say`the answer is compressed as "${name}", which was not asked for`);
    return decoder;
  });
}

/** What comes of a whole body, or null where that is more than is held at once. */
function decodeWhole(bytes: Uint8Array, used: Decoder[]): Uint8Array | null {
  try {
    return used.reduce((read, { atOnce }) => atOnce(read, { maxOutputLength: maxWholeOutput }), bytes);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

function decodeStream(body: AsyncIterable<Uint8Array>, used: Decoder[]): AsyncIterable<Uint8Array> {
  let stream: NodeJS.ReadableStream = Readable.from(body);
  // Whatever fails reaches the reader through the last stream.
  for (const { stream: create } of used) stream = pipeline(stream, create(), () => {});
  return stream as unknown as AsyncIterable<Uint8Array>;
}

async function* prependChunks(
  head: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  yield* { [Symbol.asyncIterator]: () => rest };
}
