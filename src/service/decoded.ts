import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ServiceAnswerError } from '../errors.ts';

/** How each encoding that we ask for is undone; unlike a browser, none of them takes a body that ends too early. */
const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** A body with its compression undone; throws a ServiceAnswerError for an encoding that nobody asked for. */
export function decoded(body: Readable, encoding: string | null, url: string): AsyncIterable<Uint8Array> {
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  let stream: NodeJS.ReadableStream = body;
  for (const name of names.reverse()) {
    const decoder = decoders[name];
    if (!decoder)
      throw new ServiceAnswerError(url, `the answer is compressed as "${name}", which was not asked for`);
    // Whatever fails reaches the reader through the last stream.
    stream = pipeline(stream, decoder(), () => {});
  }
  return stream as unknown as AsyncIterable<Uint8Array>;
}
