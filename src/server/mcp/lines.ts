import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isTextTooDeep } from '../../model/bounds.ts';
import { isDocument } from '../../model/document.ts';

/** Longest message in bytes, many times the longest valid arguments. */
export const mostBytes = 256 * 1024;

/** A JSON-RPC error. */
export type RpcError = { code: number; message: string };

/** Errors for invalid messages (https://www.jsonrpc.org/specification#error_object). */
export const rpcErrors = {
  parse: { code: -32700, message: 'This is not JSON in UTF-8.' },
  tooLong: { code: -32600, message: `A message is at most ${mostBytes} bytes long.` },
  tooDeep: { code: -32600, message: 'The message is nested too deep.' },
  batch: { code: -32600, message: 'Send one message at a time: batches are not taken.' },
  invalid: { code: -32600, message: 'A message is an object with "jsonrpc": "2.0" and a method.' },
} as const satisfies Record<string, RpcError>;

/** A valid message, or its error with the id of the request, if it has one. */
export type ReadMessage = { message: object } | { error: RpcError; id: string | number | null };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses one JSON-RPC message. */
export function readMessage(bytes: Uint8Array): ReadMessage {
  const refused = (error: RpcError, id: string | number | null = null) => ({ id, error });
  if (bytes.length > mostBytes) return refused(rpcErrors.tooLong);
  let message: unknown;
  try {
    const text = utf8.decode(bytes);
    if (isTextTooDeep(text)) return refused(rpcErrors.tooDeep);
    message = JSON.parse(text);
  } catch {
    return refused(rpcErrors.parse);
  }
  if (Array.isArray(message)) return refused(rpcErrors.batch);
  if (!isDocument(message)) return refused(rpcErrors.invalid);
  const { id } = message;
  const isMessage =
    message.jsonrpc === '2.0' &&
    (typeof message.method === 'string' || 'result' in message || 'error' in message) &&
    (id === undefined || isId(id)) &&
    (message.params === undefined || isDocument(message.params));
  return isMessage ? { message } : refused(rpcErrors.invalid, isId(id) ? id : null);
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' ? id.length <= 200 : Number.isSafeInteger(id);
}

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
  /** Ids of the requests in flight; clients may use one twice. */
  readonly #inFlight: (string | number)[] = [];
  #wake = () => {};
  #isClosed = false;

  constructor({ input, output }: { input: Readable; output: Writable }) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#closed = resolve;
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#output.on('error', () => void this.close());
    this.#output.on('drain', () => this.#wake());
    void this.#run();
  }

  /** Resolves once the message is written to the output stream. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) this.#settle(message.id);
    this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.destroy();
    this.#wake();
    this.onclose?.();
    this.#closed();
  }

  /** Takes lines until the input ends, then finishes the requests in flight and closes. */
  async #run(): Promise<void> {
    try {
      for await (const line of linesOf(this.#input)) {
        this.#take(line);
        await this.#until(() => !this.#output.writableNeedDrain && this.#inFlight.length < mostInFlight);
      }
    } catch {
      // The input broke off, or this transport was closed.
    }
    await this.#until(() => this.#inFlight.length === 0);
    await this.close();
  }

  async #until(isMet: () => boolean): Promise<void> {
    while (!this.#isClosed && !isMet())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  #write(message: object): void {
    if (!this.#isClosed && !this.#output.destroyed) this.#output.write(`${JSON.stringify(message)}\n`);
  }

  #take({ bytes, length }: Line): void {
    if (length <= mostBytes && /^[ \t\r]*$/.test(bytes.toString('latin1'))) return;
    const read = length > mostBytes ? { id: null, error: rpcErrors.tooLong } : readMessage(bytes);
    if ('error' in read) this.#write({ jsonrpc: '2.0', ...read });
    else this.#pass(read.message as JSONRPCMessage);
  }

  #pass(message: JSONRPCMessage): void {
    const { method, id, params } = message as { method?: string; id?: string | number; params?: object };
    // A subscription lasts as long as its connection.
    if (method !== undefined && method !== 'subscriptions/listen' && id !== undefined)
      this.#inFlight.push(id);
    // A cancelled request gets no response.
    if (method === 'notifications/cancelled') this.#settle((params as { requestId?: never })?.requestId);
    this.onmessage?.(message);
  }

  #settle(id: string | number | null | undefined): void {
    const at = this.#inFlight.indexOf(id!);
    if (at >= 0) this.#inFlight.splice(at, 1);
    this.#wake();
  }
}

/** A line of input; beyond `mostBytes` its bytes are dropped. */
type Line = { bytes: Buffer; length: number };

async function* linesOf(input: Readable): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    length += part.length;
    if (length <= mostBytes) parts.push(part);
    else parts = [];
  };
  const ended = (): Line => {
    const line = { bytes: Buffer.concat(parts), length };
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, end));
      yield ended();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield ended();
}
