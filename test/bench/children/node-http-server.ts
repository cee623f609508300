import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kindOf } from '../../../src/model/kinds.ts';
import type { Mirror } from '../../../src/store/mirror.ts';
import { openMirror } from '../../../src/store/open.ts';
import { listPoliticians } from '../../../src/store/records/politicians.ts';
import { readCompleteRecord } from '../../../src/store/records/profile.ts';

// The peer of `serve`: node:http over the same queries, without routing, validation or ETag. The argument is a mirror,
// or `constant`: then every response is the same 3 kB.
const mirror = process.argv[2] === 'constant' ? null : openMirror(process.argv[2]!);
const constantBody = Buffer.alloc(3000, 'x');
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(mirror === null ? constantBody : Buffer.from(bodyOf(mirror, request)));
});

function bodyOf(mirror: Mirror, request: IncomingMessage): string {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname.endsWith('/politicians')) {
    const isInterface = true; // only the fields of the service's API, as in the server's response
    const filter = { limit: Number(url.searchParams.get('limit')) };
    const { items, total, nextCursor } = listPoliticians(mirror, filter, isInterface);
    return `{"items":[${items.join(',')}],"total":${total},"next_cursor":${JSON.stringify(nextCursor)}}`;
  }
  return JSON.stringify(readCompleteRecord(mirror, kindOf('politician'), url.pathname.split('/').at(-1)!));
}

server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
process.on('SIGTERM', () => process.exit(0));
