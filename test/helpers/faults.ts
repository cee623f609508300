import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Limits } from '../../src/service/options.ts';

/** One way in which a part of a service fails, and the exit code of a sync that meets it there and is answered elsewhere. */
export type FaultRow = {
  name: string;
  /** How many requests meet it; a fault that stays meets them all. */
  times: number;
  exit: number;
  /** True if the service asks to be left alone, at all of its addresses. */
  isOfService?: true;
  limits?: Partial<Limits>;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
};

const always = 1000;
const noise = Buffer.alloc(300, 0xa7);
const say = (status: number, body: string | Buffer, headers: Record<string, string> = {}) =>
  ((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  }) satisfies FaultRow['answer'];
const refuse = (status: number, headers: Record<string, string> = {}) => say(status, '{"detail":"no"}', headers);
/** Long enough for what is answered on a busy machine: the other addresses are asked within it too. */
const impatient = { attempts: 2, totalJsonMs: 1000, totalFileMs: 1000 };

/** Faults that any request can meet; a passing one is met once, and the sync goes on by itself. */
export const anyFault: FaultRow[] = [
  { name: '429 with Retry-After in seconds', times: 1, exit: 0, answer: refuse(429, { 'retry-after': '7' }) },
  {
    name: '429 with Retry-After as a date',
    times: 2,
    exit: 0,
    answer: refuse(429, {
      date: 'Sun, 01 Nov 2026 12:00:00 GMT',
      'retry-after': 'Sun, 01 Nov 2026 12:00:30 GMT',
    }),
  },
  { name: '429 without Retry-After', times: 1, exit: 0, answer: refuse(429) },
  { name: '429 that stays', times: always, exit: 7, answer: refuse(429, { 'retry-after': '1' }) },
  {
    name: '429 that asks for a day',
    times: 1,
    exit: 7,
    isOfService: true,
    answer: refuse(429, { 'retry-after': '86400' }),
  },
  { name: '500', times: 1, exit: 5, answer: refuse(500) },
  { name: '502', times: 1, exit: 0, answer: refuse(502) },
  { name: '503 with Retry-After', times: 1, exit: 0, answer: refuse(503, { 'retry-after': '3' }) },
  { name: '504 that stays', times: always, exit: 5, answer: refuse(504) },
  { name: '401', times: 1, exit: 4, answer: refuse(401) },
  {
    name: 'a connection cut before the answer',
    times: 1,
    exit: 0,
    answer: (request) => request.socket.destroy(),
  },
  {
    name: 'a connection that is always cut',
    times: always,
    exit: 6,
    answer: (request) => request.socket.destroy(),
  },
  {
    name: 'a connection cut within the body',
    times: 1,
    exit: 0,
    answer(request, response) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write('{"items":[', () => setImmediate(() => request.socket.destroy()));
    },
  },
  {
    name: 'a body cut by its compression',
    times: 1,
    exit: 0,
    answer: say(200, gzipSync(JSON.stringify({ items: [], pad: 'x'.repeat(4000) })).subarray(0, 20), {
      'content-encoding': 'gzip',
    }),
  },
  { name: 'half of a JSON document', times: 1, exit: 5, answer: say(200, '{"items":[{"id":"a"') },
  {
    name: 'a web page with status 200',
    times: 1,
    exit: 5,
    answer: say(200, '<!doctype html><title>Maintenance</title>', { 'content-type': 'text/html' }),
  },
  {
    name: 'bytes that are not UTF-8',
    times: 1,
    exit: 5,
    answer: say(200, Buffer.from('id,slug,title\n"\xe9","\xe9","\xe9"\n', 'latin1')),
  },
  {
    name: 'an error with status 200',
    times: 1,
    exit: 5,
    answer: say(200, '{"error":"no such thing"}'),
  },
  { name: 'nothing', times: 1, exit: 5, answer: say(200, '') },
  {
    name: 'a gzip bomb',
    times: 1,
    exit: 5,
    answer: say(200, gzipSync(Buffer.alloc(4_000_000, 32)), { 'content-encoding': 'gzip' }),
  },
  {
    name: 'headers of 20 kB',
    times: always,
    exit: 5,
    answer: say(200, '{}', { 'x-long': 'x'.repeat(20_000) }),
  },
  {
    name: 'something that is not HTTP',
    times: always,
    exit: 5,
    answer: (request) => request.socket.end('HTTP/9.9 what\r\n\r\n'),
  },
  { name: 'damaged Brotli', times: always, exit: 5, answer: say(200, noise, { 'content-encoding': 'br' }) },
  {
    name: 'damaged Zstandard',
    times: always,
    exit: 5,
    answer: say(200, noise, { 'content-encoding': 'zstd' }),
  },
  {
    name: 'a redirect to TLS that is none',
    times: always,
    exit: 5,
    answer: (request, response) =>
      response.writeHead(302, { location: `https://${request.headers.host}/api/v1/` }).end(),
  },
  { name: 'silence', times: always, exit: 6, limits: impatient, answer: () => {} },
  {
    name: 'a slow drip',
    times: always,
    exit: 6,
    limits: impatient,
    answer(request, response) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 40);
      request.socket.once('close', () => clearInterval(drip));
    },
  },
  {
    name: 'a redirect in a circle',
    times: always,
    exit: 5,
    answer: (request, response) => response.writeHead(302, { location: request.url }).end(),
  },
  {
    name: 'a redirect to another host',
    times: 1,
    exit: 5,
    answer: (_request, response) => response.writeHead(302, { location: 'http://stranger.example/api/v1/' }).end(),
  },
];
