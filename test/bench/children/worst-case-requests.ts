import { request } from 'node:http';
import { createInterface } from 'node:readline';
import type { WorstRequest } from '../../helpers/route-table.ts';

/** Simultaneous requests of one client. */
export type RequestBurst = { clientAddress: string; requests: WorstRequest[] };

const origin = new URL(process.argv[2]!);

// Each input line is a burst. Once all its responses have ended, their statuses are printed as one line.
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { clientAddress, requests }: RequestBurst = JSON.parse(line);
  const statuses = await Promise.all(requests.map((each) => send(clientAddress, each)));
  process.stdout.write(`${JSON.stringify(statuses)}\n`);
});

/** Resolves with the status of the response, or with 0 if the connection failed. */
function send(localAddress: string, { method, url, body, headers }: WorstRequest): Promise<number> {
  return new Promise((resolve) => {
    const { hostname, port } = origin;
    const outgoing = request({ hostname, port, method, path: url, headers, localAddress, agent: false });
    outgoing.on('response', (response) => response.resume().once('close', () => resolve(response.statusCode!)));
    outgoing.once('error', () => resolve(0));
    outgoing.end(body);
  });
}
