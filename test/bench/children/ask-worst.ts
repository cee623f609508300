import { request } from 'node:http';
import { createInterface } from 'node:readline';
import type { WorstRequest } from '../../helpers/route-table.ts';

/** Requests of one caller, made at one time. */
export type Onslaught = { from: string; requests: WorstRequest[] };

const origin = new URL(process.argv[2]!);

// Each line is an onslaught; it is answered with the statuses once all of them have ended.
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { from, requests }: Onslaught = JSON.parse(line);
  const statuses = await Promise.all(requests.map((each) => ask(from, each)));
  process.stdout.write(`${JSON.stringify(statuses)}\n`);
});

function ask(localAddress: string, { method, url, body, headers }: WorstRequest): Promise<number> {
  return new Promise((resolve) => {
    const { hostname, port } = origin;
    const outgoing = request({ hostname, port, method, path: url, headers, localAddress, agent: false });
    outgoing.on('response', (answer) => answer.resume().once('close', () => resolve(answer.statusCode!)));
    outgoing.once('error', () => resolve(0));
    outgoing.end(body);
  });
}
