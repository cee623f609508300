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
  const refused = (error: RpcError, id: string | number | null = null) => ({ error, id });
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
