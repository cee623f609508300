import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createServiceClient } from '../../src/service/client.ts';
import { quotaWaits } from '../../src/service/headers.ts';
import { createPace } from '../../src/service/pace.ts';
import { openBudget } from '../../src/store/budget.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

describe('the quotas that a service declares', () => {
  for (const [policy, ...waits] of [
    ['"burst";q=1;w=1', 1000],
    ['"burst";w=1;q=1', 1000],
    ['"burst"; q=1; w=1', 1000],
    ['"default";q=20;w=60', 3000],
    ['"day";q=1000;w=86400, "burst";q=2;w=10', 5000],
    ['"a, \\"b";q=1;w=2, "c";q=1;w=1', 2000, 1000],
    ['"burst";q=1;w=1;qu="requests";pk=:cHNvZ:', 1000],
    // The form of drafts 04 to 07.
    ['1;w=1', 1000],
    ['100;w=60;burst=1000, 5;w=10', 2000],
    // Our own pace keeps these.
    ['"anonymous";q=60;w=60'],
    ['"burst";q=12;w=1'],
    ['"hour";q=10;w=3600'],
    // These count something else, or nothing.
    ['"bytes";q=1;w=1;qu="content-bytes"'],
    ['"burst";q=1'],
    ['"burst";q=0;w=1'],
    ['"burst";q=-1;w=1'],
    ['"burst";q=1.5;w=1'],
    ['"burst";q=1;w=0'],
    ['burst'],
    ['"'],
    [''],
  ] as const)
    it(`ask for ${waits.join(' and ') || 'no'} ms after a response where it says: ${policy}`, () => {
      expect(quotaWaits(new Headers({ 'ratelimit-policy': policy }))).to.deep.equal(waits);
    });

  it('ask for nothing where no window is named', () => {
    expect(quotaWaits(new Headers({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' }))).to.deep.equal([]);
  });

  for (const [policy, quota, windowMs, rate] of [
    ['"burst";q=1;w=1', 1, 1000, 60],
    ['"burst";q=1;w=1', 1, 1000, 600],
    ['"default";q=10;w=60', 10, 60_000, 60],
  ] as const)
    it(`are kept from the first response on, at ${rate} a minute, where it says: ${policy}`, async () => {
      const own = createTemporaryMirror();
      let nowMs = Date.parse('2026-11-01T12:00:00Z');
      const now = () => nowMs;
      const sleep = async (ms: number) => {
        nowMs += ms;
      };
      const startsMs: number[] = [];
      let refusedCount = 0;
      const server = createServer((_request, response) => {
        const isRefused = startsMs.filter((atMs) => nowMs - atMs < windowMs).length >= quota;
        if (isRefused) refusedCount += 1;
        else startsMs.push(nowMs);
        // The answer takes a while.
        nowMs += 20;
        const headers = { 'content-type': 'application/json', 'ratelimit-policy': policy };
        response.writeHead(isRefused ? 429 : 200, headers).end('{}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const budget = openBudget(join(own.folder, 'budget.db'), { account: 'any', limit: rate, spreadsRequests: true });
      const client = await createServiceClient({
        baseUrl,
        token: null,
        authHeader: 'Authorization: Bearer {token}',
        userAgent: 'hemicycle-test',
        pace: createPace({ rate: 10_000, budget, now, sleep }),
        now,
        sleep,
      });
      for (let nth = 0; nth < 30; nth += 1) await client.getJson(`/${nth}`);
      expect([refusedCount, startsMs.length]).to.deep.equal([0, 30]);
      await client.close();
      budget.close();
      server.closeAllConnections();
      server.close();
      own.remove();
    });
});
