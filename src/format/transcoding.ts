import { BadInputError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';

/** Encodings of lists that users supply; the output keeps the encoding of the input. */
export const listEncodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type ListEncoding = (typeof listEncodings)[number];

/** A list decoded to UTF-8 (`source`), and the encoder for its output. */
export type Transcoding = Awaited<ReturnType<typeof transcode>>;

/** The encoder of UTF-8, which changes nothing. */
export const plainUtf8 = {
  encoding: 'utf-8',
  encode: (text: string): string | Uint8Array => text,
  /** True if the encoding can represent the whole text. */
  canEncode: (_text: string): boolean => true,
} as const;

/** Decodes a list by the declared encoding, else its byte order mark, else as UTF-8; errors name it by `name`. */
export async function transcode(
  source: AsyncIterable<Uint8Array>,
  { declaredEncoding, name }: { declaredEncoding: ListEncoding | null; name: string },
) {
  const chunks = source[Symbol.asyncIterator]();
  const firstBytes = await readAhead(chunks, (_, length) => length >= 2);
  const encoding = declaredEncoding ?? detectEncoding(firstBytes);
  const wholeSource = prependBytes(firstBytes, chunks);
  if (encoding === 'utf-8') return { ...plainUtf8, source: wholeSource };
  const encoder = encoding === 'windows-1252' ? windows1252Encoder() : utf16Encoder(encoding);
  return { encoding, source: decodeChunks(wholeSource, encoding, name), ...encoder };
}

function detectEncoding(firstBytes: Uint8Array): ListEncoding {
  const [first, second] = firstBytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Reads chunks ahead until `hasEnough` accepts the last chunk and the total number of bytes. */
export async function readAhead(
  chunks: AsyncIterator<Uint8Array>,
  hasEnough: (chunk: Uint8Array, length: number) => boolean,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let length = 0; ; ) {
    const { done, value } = await chunks.next();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (hasEnough(value, length)) break;
  }
  return Buffer.concat(parts);
}

/** Yields the bytes that were read ahead, then the remaining chunks. */
export async function* prependBytes(firstBytes: Uint8Array, chunks: AsyncIterator<Uint8Array>) {
  if (firstBytes.length > 0) yield firstBytes;
  yield* { [Symbol.asyncIterator]: () => chunks } as AsyncIterable<Uint8Array>;
}

async function* decodeChunks(source: AsyncIterable<Uint8Array>, encoding: ListEncoding, name: string) {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let offset = 0;
  const decode = (chunk?: Uint8Array) => {
    const text = orNull(() => decoder.decode(chunk, { stream: chunk !== undefined }));
    if (text !== null) return Buffer.from(text);
    const hint = say`choose another one with --encoding: ${listEncodings.join(', ')}`;
    throw new BadInputError(name, say`is not ${encoding} text (near byte ${offset})`, hint);
  };
  for await (const chunk of source) {
    yield decode(chunk);
    offset += chunk.length;
  }
  yield decode();
}

function utf16Encoder(encoding: ListEncoding) {
  return {
    encode(text: string) {
      const bytes = Buffer.from(text, 'utf16le');
      return encoding === 'utf-16be' ? bytes.swap16() : bytes;
    },
    canEncode: (_text: string) => true,
  };
}

/** windows-1252 maps every byte (https://encoding.spec.whatwg.org), so decoding and encoding lose nothing. */
function windows1252Encoder() {
  const allCharacters = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const bytes = new Map([...allCharacters].map((character, byte) => [character, byte]));
  return {
    encode: (text: string) => Uint8Array.from(text, (letter) => bytes.get(letter)!),
    canEncode: (text: string) => [...text].every((letter) => bytes.has(letter)),
  };
}
