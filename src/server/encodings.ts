import type { Transform } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';

/** The content codings in which an answer may travel, the best first. */
export const encodings = ['br', 'zstd', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

/** An answer waits for its compression: a twentieth more bytes take half of the time. A stream is compressed as it is read. */
const levels = {
  whole: { br: brotliOf(4), gzip: { level: 3 } },
  stream: { br: brotliOf(5), gzip: { level: 6 } },
};

const codecs: Record<Encoding, { whole: (bytes: Buffer) => Buffer; stream: () => Transform }> = {
  br: {
    whole: (bytes) => brotliCompressSync(bytes, levels.whole.br),
    stream: () => createBrotliCompress(levels.stream.br),
  },
  zstd: { whole: (bytes) => zstdCompressSync(bytes), stream: () => createZstdCompress() },
  gzip: {
    // A window that all of it fits into is made in half the time, and finds the same.
    whole: (bytes) => gzipSync(bytes, { ...levels.whole.gzip, windowBits: bytes.length < 2 ** 14 ? 14 : 15 }),
    stream: () => createGzip(levels.stream.gzip),
  },
};

/** The bytes in that coding. */
export function encode(encoding: Encoding, bytes: Buffer): Buffer {
  return codecs[encoding].whole(bytes);
}

/** A stream that encodes what is written to it. */
export function createEncoder(encoding: Encoding): Transform {
  return codecs[encoding].stream();
}

/** The coding that `Accept-Encoding` prefers (RFC 9110, section 12.5.3), the best of ours among equals; null for none. */
export function chooseEncoding(header: string | string[] | undefined): Encoding | null {
  if (header === undefined) return null;
  const weights = new Map(String(header).toLowerCase().split(',').map(weightOf));
  let chosen: Encoding | null = null;
  let most = 0;
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > most) [chosen, most] = [encoding, weight];
  }
  return most > 0 && most >= (weights.get('identity') ?? 0) ? chosen : null;
}

function weightOf(item: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
  const stated = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = stated === undefined ? 1 : Number(stated);
  return [coding, weight >= 0 && weight <= 1 ? weight : 0];
}
