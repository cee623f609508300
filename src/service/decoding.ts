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

/** Decoders by content encoding; unlike a browser's, they reject truncated bodies. */
const decoders: Record<string, Decoder> = {
  gzip,
  'x-gzip': gzip,
  deflate: { stream: () => createInflate(), atOnce: inflateSync },
  br: { stream: () => createBrotliDecompress(), atOnce: brotliDecompressSync },
  zstd: { stream: () => createZstdDecompress(), atOnce: zstdDecompressSync },
};

/** Small bodies are decoded synchronously, in a third of the time that a stream takes. */
const [maxWholeInput, maxWholeOutput] = [64 * 2 ** 10, 2 * 2 ** 20];

/** Decompresses a body; throws a ServiceAnswerError for an encoding that was not requested. */
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

/** Decoders for a `Content-Encoding` header, last encoding first. */
function decoderChain(encoding: string | null, url: string): Decoder[] {
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  return names.reverse().map((name) => {
    const decoder = decoders[name];
    if (!decoder)
      throw new ServiceAnswerError(url, say`the answer is compressed as "${name}", which was not requested`);
    return decoder;
  });
}

/** Decodes a complete body, or returns null if the output is too large to hold. */
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
  // pipeline() passes every error on to the last stream, which the caller reads.
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
