import { LRUCache } from 'lru-cache';
import { type Encoding, encode } from './encodings.ts';

/** The bytes of an answer, as they are and in every coding that was asked for. */
export type Body = { plain: Buffer; encoded: Partial<Record<Encoding, Buffer>> };

/** What is kept under a key: a body, or what somebody else remembers; `isFixed` where it outlives an edition. */
type Entry = { value: unknown; bytes: number; isFixed: boolean };

/** Shorter bodies gain nothing: they fit into one packet as they are. */
const leastEncoded = 1000;

/** What an entry takes beside its bytes, roughly. */
const entryBytes = 500;

/**
 * The one cache of a server, the longest unused forgotten first: bodies in all codings, and the headers that they went
 * out with, never more than `maxBytes` in all. Who keeps a key keeps nothing alive.
 */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry> | null;
  #edition: unknown = null;

  /** A cache of that many bytes; of 0 it keeps nothing. */
  constructor(maxBytes: number) {
    this.#entries =
      maxBytes === 0
        ? null
        : new LRUCache({
            maxSize: maxBytes,
            maxEntrySize: Math.ceil(maxBytes / 4) + entryBytes,
            sizeCalculation: ({ bytes }) => entryBytes + bytes,
          });
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  /** Forgets everything that comes from the mirror if the edition is another one than before. */
  turnTo(edition: unknown): void {
    if (edition === this.#edition) return;
    this.#edition = edition;
    for (const [key, { isFixed }] of this.#entries?.entries() ?? []) if (!isFixed) this.#entries!.delete(key);
  }

  /** True if a body is held under that key; it counts as used. */
  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** The body under that key. */
  get(key: string): Body | undefined {
    return this.#entries?.get(key)?.value as Body | undefined;
  }

  /** Keeps a text under a key; what is larger than a quarter of the cache is not kept. */
  put(key: string, text: string, { isFixed = false } = {}): Body {
    const body: Body = { plain: Buffer.from(text), encoded: {} };
    this.#entries?.set(key, { value: body, bytes: body.plain.length, isFixed });
    return body;
  }

  /** The bytes of a body in a coding, made once; null where the body is too short for it. */
  encoded(key: string, body: Body, encoding: Encoding | null): Buffer | null {
    if (encoding === null || body.plain.length < leastEncoded) return null;
    const made = body.encoded[encoding];
    if (made) return made;
    const bytes = encode(encoding, body.plain);
    body.encoded[encoding] = bytes;
    const entry = this.#entries?.get(key);
    // Set anew, so that the cache counts what the body has become.
    if (entry?.value === body) this.#entries!.set(key, { ...entry, bytes: entry.bytes + bytes.length });
    return bytes;
  }

  /** The bytes that are sent for a key in a coding; undefined where its body is no longer held. */
  bytesOf(key: string, encoding: Encoding | null): Buffer | undefined {
    const body = this.get(key);
    return body && (this.encoded(key, body, encoding) ?? body.plain);
  }

  /** Remembers something of this edition that takes about so many bytes. */
  remember(key: string, value: unknown, bytes: number): void {
    this.#entries?.set(key, { value, bytes, isFixed: false });
  }

  /** What was remembered under that key. */
  recall(key: string): unknown {
    return this.#entries?.get(key)?.value;
  }

  /** Forgets what was kept under that key. */
  forget(key: string): void {
    this.#entries?.delete(key);
  }
}
