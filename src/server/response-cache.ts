import { LRUCache } from 'lru-cache';
import { codecs, type Encoding } from './encodings.ts';

/** A response body, plain and in each encoding requested so far. */
export type Body = { plain: Buffer; encoded: Partial<Record<Encoding, Buffer>> };

/** Returns a body that is not cached. */
export function bodyOf(text: string | Buffer): Body {
  return { plain: typeof text === 'string' ? Buffer.from(text) : text, encoded: {} };
}

/** A cached body; `isFixed` if it outlives an edition of the mirror. */
type Entry = { body: Body; bytes: number; isFixed: boolean };

/** Shorter bodies are not compressed: they fit into one packet. */
const leastEncoded = 1000;

const entryBytes = 500;

/** LRU cache of a server: bodies in all encodings, at most `maxBytes` in all. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>;
  #edition: unknown = null;

  /** With 0 bytes nothing is cached. */
  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      maxEntrySize: maxBytes === 0 ? 1 : Math.ceil(maxBytes / 4) + entryBytes,
      sizeCalculation: ({ bytes }) => entryBytes + bytes,
    });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Drops everything that came from the mirror if the edition has changed. */
  setEdition(edition: unknown): void {
    if (edition === this.#edition) return;
    this.#edition = edition;
    for (const [key, { isFixed }] of this.#entries.entries()) if (!isFixed) this.#entries.delete(key);
  }

  get(key: string): Body | undefined {
    return this.#entries.get(key)?.body;
  }

  /** Caches a text, unless it is larger than a quarter of the cache. */
  put(key: string, text: string | Buffer, { isFixed = false } = {}): Body {
    const body = bodyOf(text);
    this.#entries.set(key, { body, bytes: body.plain.length, isFixed });
    return body;
  }

  /** Returns a body in an encoding, compressed once; null if it is too short to compress. */
  encoded(key: string, body: Body, encoding: Encoding | null): Buffer | null {
    if (encoding === null || body.plain.length < leastEncoded) return null;
    const cachedBytes = body.encoded[encoding];
    if (cachedBytes) return cachedBytes;
    const bytes = codecs[encoding].whole(body.plain);
    body.encoded[encoding] = bytes;
    const entry = this.#entries.get(key);
    // Set again, so that the cache counts the added bytes.
    if (entry?.body === body) this.#entries.set(key, { ...entry, bytes: entry.bytes + bytes.length });
    return bytes;
  }
}
