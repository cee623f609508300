import { LRUCache } from 'lru-cache';
import { codecs, type Encoding } from './encodings.ts';

/** A response body, plain and in each encoding requested so far; `isStatic` if it does not depend on the mirror. */
export type Body = { plain: Buffer; encoded: Partial<Record<Encoding, Buffer>>; isStatic: boolean };

/** Wraps a text or bytes as a body without encodings; does not cache it. */
export function bodyOf(text: string | Buffer, { isStatic = false } = {}): Body {
  return { plain: typeof text === 'string' ? Buffer.from(text) : text, encoded: {}, isStatic };
}

const minEncodedBytes = 1000; // shorter bodies are not compressed: they fit into one packet
const entryOverheadBytes = 500; // estimated memory of an entry besides its bodies

/** LRU cache of a server: bodies in all encodings, at most `maxBytes` in all. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Body>;
  #edition: unknown = null;

  /** With 0 bytes nothing is cached. */
  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      maxEntrySize: maxBytes === 0 ? 1 : Math.ceil(maxBytes / 4) + entryOverheadBytes,
      sizeCalculation: ({ plain, encoded }) =>
        [plain, ...Object.values(encoded)].reduce((sum, { length }) => sum + length, entryOverheadBytes),
    });
  }

  /** Drops all bodies that depend on the mirror if `edition`, which identifies its data, has changed. */
  setEdition(edition: unknown): void {
    if (edition === this.#edition) return;
    this.#edition = edition;
    for (const [key, { isStatic }] of this.#entries.entries()) if (!isStatic) this.#entries.delete(key);
  }

  get(key: string): Body | undefined {
    return this.#entries.get(key);
  }

  /** Caches a text, unless it is larger than a quarter of the cache; returns its body. */
  put(key: string, text: string | Buffer, options: { isStatic?: boolean } = {}): Body {
    const body = bodyOf(text, options);
    this.#entries.set(key, body);
    return body;
  }

  /** Returns a body in an encoding, compressed once; null without an encoding, or if it is too short to compress. */
  encode(key: string, body: Body, encoding: Encoding | null): Buffer | null {
    if (encoding === null || body.plain.length < minEncodedBytes) return null;
    const cachedBytes = body.encoded[encoding];
    if (cachedBytes) return cachedBytes;
    const bytes = codecs[encoding].whole(body.plain);
    body.encoded[encoding] = bytes;
    // A new object, so that the cache counts the added bytes.
    if (this.#entries.get(key)?.plain === body.plain) this.#entries.set(key, { ...body });
    return bytes;
  }
}
