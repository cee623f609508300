import { type Encoding, encode } from './encodings.ts';

/** The bytes of an answer, as they are and in every coding that was asked for. */
export type Body = { plain: Buffer; encoded: Partial<Record<Encoding, Buffer>> };

/** Shorter bodies gain nothing: they fit into one packet as they are. */
const leastEncoded = 1000;

/** What an entry takes beside its bytes, roughly. */
const entryBytes = 500;

/** The bodies of answers of one edition, the longest unused forgotten first; never more than `mostBytes` in all. */
export class BodyCache {
  readonly #mostBytes: number;
  readonly #bodies = new Map<string, Body>();
  #bytes = 0;
  #edition: unknown = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets everything if the edition is another one than before. */
  turnTo(edition: unknown): void {
    if (edition === this.#edition) return;
    this.#edition = edition;
    this.#bodies.clear();
    this.#bytes = 0;
  }

  /** True if the bytes of that key are held; they count as used. */
  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): Body | undefined {
    const body = this.#bodies.get(key);
    if (!body) return undefined;
    this.#bodies.delete(key);
    this.#bodies.set(key, body);
    return body;
  }

  /** Keeps a text under a key; what is larger than a quarter of the cache is not kept. */
  put(key: string, text: string): Body {
    const body: Body = { plain: Buffer.from(text), encoded: {} };
    if (body.plain.length > this.#mostBytes / 4) return body;
    this.#bodies.set(key, body);
    this.#grow(entryBytes + body.plain.length);
    return body;
  }

  /** The bytes of a body in a coding, made once; null where the body is too short for it. */
  encoded(key: string, body: Body, encoding: Encoding | null): Buffer | null {
    if (encoding === null || body.plain.length < leastEncoded) return null;
    const made = body.encoded[encoding];
    if (made) return made;
    const bytes = encode(encoding, body.plain);
    body.encoded[encoding] = bytes;
    if (this.#bodies.get(key) === body) this.#grow(bytes.length);
    return bytes;
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    for (const [key, body] of this.#bodies) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#bodies.delete(key);
      this.#bytes -= sizeOf(body);
    }
  }
}

function sizeOf({ plain, encoded }: Body): number {
  return Object.values(encoded).reduce((sum, { length }) => sum + length, entryBytes + plain.length);
}
