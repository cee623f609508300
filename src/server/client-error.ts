import type { Socket } from 'node:net';
import { problemText } from './problem.ts';

const answers: Record<string, [number, string, string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The address and headers are longer than 16 kB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
};

/** Answers what is not HTTP at all, or too long to be read, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const unreadable: [number, string, string] = [400, 'Bad Request', 'The request is not valid HTTP.'];
  const [status, title, detail] = answers[error.code ?? ''] ?? unreadable;
  const text = problemText(status, detail);
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${text}`,
    );
  }
  socket.destroySoon();
}
