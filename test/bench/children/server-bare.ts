import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kindOf } from '../../../src/model/kinds.ts';
import { openMirror } from '../../../src/store/open.ts';
import { listPoliticians } from '../../../src/store/records/politicians.ts';
import { wholeRecord } from '../../../src/store/records/profile.ts';

// The limit: node:http over the same queries, without routing, validation or validators.
const mirror = openMirror(process.argv[2]!);
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(Buffer.from(answerTo(request)));
});

function answerTo(request: IncomingMessage): string {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname.endsWith('/politicians')) {
    const { items, total, nextCursor } = listPoliticians(mirror, {
      limit: Number(url.searchParams.get('limit')),
    });
    return `{"items":[${items.join(',')}],"total":${total},"next_cursor":${JSON.stringify(nextCursor)}}`;
  }
  return JSON.stringify(wholeRecord(mirror, kindOf('politician'), url.pathname.split('/').at(-1)!));
}

server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
process.on('SIGTERM', () => process.exit(0));
