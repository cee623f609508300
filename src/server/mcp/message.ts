import { isTextTooDeep } from '../../model/bounds.ts';
import { isDocument } from '../../model/document.ts';

/** Longest message, in bytes: the longest arguments that tools take fit many times. */
export const mostBytes = 256 * 1024;

/** An error of JSON-RPC. */
export type RpcError = { code: number; message: string };

/** Why a message is not looked at, as JSON-RPC has it (https://www.jsonrpc.org/specification#error_object). */
export const rpcErrors = {
  parse: { code: -32700, message: 'This is not JSON in UTF-8.' },
  tooLong: { code: -32600, message: `A message is at most ${mostBytes} bytes long.` },
  tooDeep: { code: -32600, message: 'The message is nested too deep.' },
  batch: { code: -32600, message: 'Send one message at a time: batches are not taken.' },
  invalid: { code: -32600, message: 'A message is an object with "jsonrpc": "2.0" and a method.' },
} as const satisfies Record<string, RpcError>;

/** A message, or why it is none; `id` is that of a request which can be answered. */
export type ReadMessage = { message: object } | { error: RpcError; id: string | number | null };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads one message of JSON-RPC from its bytes. */
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
