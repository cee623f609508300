import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ServiceAnswerError } from '../errors.ts';
import { say } from '../words/speech.ts';

/** Decoders by content encoding; unlike a browser's, they reject truncated bodies. */
const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** Decompresses a body; throws a ServiceAnswerError for an encoding that was not requested. */
export function decodeBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string | null,
  url: string,
): AsyncIterable<Uint8Array> {
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return body;
  let stream: NodeJS.ReadableStream = Readable.from(body);
  for (const name of names.reverse()) {
    const create = decoders[name];
    if (!create)
      throw new ServiceAnswerError(url, say`the answer is compressed as "${name}", which was not requested`);
    // pipeline() passes every error on to the last stream, which the caller reads.
    stream = pipeline(stream, create(), () => {});
  }
  return stream as unknown as AsyncIterable<Uint8Array>;
}
