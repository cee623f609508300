import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { mostBytes, type RpcError, readMessage, rpcErrors } from './message.ts';

/** Concurrent requests; reading pauses at this number. */
export const mostInFlight = 16;

const newline = 0x0a;

/**
 * JSON-RPC over lines. Invalid messages get an error response; bytes of lines beyond `mostBytes` are dropped.
 * Reading pauses while the output is full or too many requests are in flight.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void;
  /** Resolves once it is closed. */
  readonly ended: Promise<void>;
  readonly #closed: () => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #waiting = new Map<string | number, number>();
  /** Bytes read but not scanned yet, and the parts of the current line. */
  #rest: Buffer = Buffer.alloc(0);
  #line: Buffer[] = [];
  #length = 0;
  #isClosed = false;
  #isFull = false;
  #isEnded = false;

  constructor({ input, output }: { input: Readable; output: Writable }) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#closed = resolve;
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#output.on('error', () => void this.close());
    this.#output.on('drain', () => {
      this.#isFull = false;
      this.#read();
    });
    this.#input.on('readable', () => this.#read());
    this.#input.once('end', () => this.#end());
    this.#input.once('error', () => void this.close());
    this.#input.once('close', () => this.#end());
    if (this.#input.destroyed) this.#end();
    this.#read();
  }

  /** Resolves once the message is written to the output stream. */
  async send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = !('method' in message) && message.id !== undefined && message.id !== null;
    if (isAnswer) this.#settle(message.id as string | number);
    this.#write(message);
    if (this.#isEnded && this.#inFlight() === 0) await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.destroy();
    this.#line = [];
    this.#rest = Buffer.alloc(0);
    this.onclose?.();
    this.#closed();
  }

  #write(message: object): void {
    if (this.#isClosed || this.#output.destroyed) return;
    this.#isFull = !this.#output.write(`${JSON.stringify(message)}\n`);
    // Lets pending responses go out before more is read.
    if (!this.#isFull) setImmediate(() => this.#read());
  }

  #read(): void {
    while (!this.#isClosed && !this.#isFull && this.#inFlight() < mostInFlight) {
      const chunk = this.#rest.length > 0 ? this.#rest : (this.#input.read() as Buffer | null);
      if (chunk === null) break;
      const end = chunk.indexOf(newline);
      this.#rest = end < 0 ? Buffer.alloc(0) : chunk.subarray(end + 1);
      this.#keep(end < 0 ? chunk : chunk.subarray(0, end));
      if (end >= 0) this.#take();
    }
    if (this.#input.readableEnded && this.#rest.length === 0) this.#end();
  }

  /** Appends to the current line, or drops the line once it is too long. */
  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= mostBytes) this.#line.push(part);
    else this.#line = [];
  }

  #take(): void {
    const [bytes, length] = [Buffer.concat(this.#line), this.#length];
    this.#line = [];
    this.#length = 0;
    const isBlank =
      length <= mostBytes && bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
    if (isBlank) return;
    const read = length > mostBytes ? { error: rpcErrors.tooLong, id: null } : readMessage(bytes);
    if ('error' in read) this.#refuse(read.error, read.id);
    else this.#pass(read.message as JSONRPCMessage);
  }

  #pass(message: JSONRPCMessage): void {
    const { method, id, params } = message as { method?: string; id?: string | number; params?: object };
    if (isAnswered(method) && id !== undefined) this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1);
    // A cancelled request gets no response.
    if (method === 'notifications/cancelled') this.#settle((params as { requestId?: never })?.requestId);
    this.onmessage?.(message);
  }

  #refuse(error: RpcError, id: string | number | null): void {
    this.#write({ jsonrpc: '2.0', id, error });
  }

  #inFlight(): number {
    let sum = 0;
    for (const count of this.#waiting.values()) sum += count;
    return sum;
  }

  #settle(id: string | number | undefined): void {
    const count = id === undefined ? undefined : this.#waiting.get(id);
    if (count === undefined) return;
    if (count > 1) this.#waiting.set(id!, count - 1);
    else this.#waiting.delete(id!);
  }

  /** Finishes the requests read before the input ended, then closes. */
  #end(): void {
    if (this.#isEnded || this.#rest.length > 0) return;
    this.#isEnded = true;
    if (this.#length > 0) this.#take();
    if (this.#inFlight() === 0) void this.close();
  }
}

/** True for a method that gets one response; a subscription lasts as long as its connection. */
function isAnswered(method: string | undefined): boolean {
  return method !== undefined && method !== 'subscriptions/listen';
}
