import { expect } from 'chai';
import { attributionOf } from '../../src/model/attribution.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { citationOf } from '../../src/store/records/contents.ts';
import { readClosure } from '../../src/store/syncs/service.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { askProgram } from '../helpers/program.ts';
import { createTemporaryMirror, firstSync, syncOnce } from '../helpers/sync-run.ts';
import { startDemoServer } from '../server/demo-server.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const since = new Date(noon).toISOString();
const dayMs = 86_400_000;
const citationSettings = { citation: { name: null, siteUrl: null }, baseUrl: null };

type Answer = FakeService['faults'][number]['answer'];
const cut: Answer = (request) => request.socket.destroy();

describe('a service that answers no more', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
    await firstSync(own, service, noon);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const night = async (n: number) => (await syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs })).report;
  const silent = (answer: Answer) => service.faults.push({ path: /./, times: 1e6, answer });
  const goneSince = () => citationOf(citationSettings, own.mirror).goneSince ?? null;

  for (const [how, answer] of [
    ['cuts every connection', cut],
    ['shows a page of whoever took its name', (_request, response) => response.end('<html>parked</html>')],
  ] as [string, Answer][])
    it(`is gone after a month of runs in vain where it ${how}, and is cited so; nothing is withdrawn`, async () => {
      silent(answer);
      for (const n of [1, 29, 30.9]) {
        expect((await night(n)).exit).to.be.within(5, 6);
        expect(goneSince()).to.equal(null);
      }
      await night(31);
      expect(goneSince()).to.equal(since);
      expect(Date.parse(readClosure(own.mirror)!.nextAt) - noon).to.be.within(37 * dayMs, 38 * dayMs);
      const { gone_since, text } = attributionOf(citationOf(citationSettings, own.mirror), {
        retrievedAt: since,
      });
      expect([gone_since, text]).to.deep.equal([
        since,
        `Source: Public Political Information Service (${new URL(service.baseUrl).origin}), retrieved 2026-11-01, last known state: the service has not responded since 2026-11-01; free for non-commercial use`,
      ]);
      expect([...listChanges(own.mirror, { since })]).to.deep.equal([]);
      service.faults.length = 0;
      await night(38);
      expect([goneSince(), readClosure(own.mirror)]).to.deep.equal([null, null]);
    });

  it('is not gone where it refuses, nor where nobody asked it for a month', async () => {
    silent((_request, response) => response.writeHead(401).end());
    for (const n of [1, 20, 40]) await night(n);
    expect(goneSince()).to.equal(null);
    service.faults.length = 0;
    silent(cut);
    await night(90);
    expect(goneSince()).to.equal(null);
  });

  it('is cited as gone on pages, and by mirrors that follow this one', async () => {
    silent(cut);
    for (const n of [1, 32]) await night(n);
    const server = await startDemoServer({
      db: own.mirror.path,
      settings: { citation: citationOf(citationSettings, own.mirror) },
    });
    const { body } = await server.app.inject({ url: '/politicians', headers: { accept: 'text/html' } });
    expect(body).to.include('The service has not responded since 1 November 2026');
    const follower = createTemporaryMirror();
    await syncOnce(follower, `${server.url}/api/v1`);
    expect(citationOf(citationSettings, follower.mirror).goneSince).to.equal(since);
    follower.remove();
    await server.close();
  });

  it('is asked once a week by `sync`, told by `status` and `cite`, and asked no more where a setting says so', async () => {
    silent(cut);
    for (const n of [-40, -1]) await night(Math.floor((Date.now() - noon) / dayMs) + n);
    const env = { HOME: own.folder, HEMICYCLE_DB: own.mirror.path, HEMICYCLE_BASE_URL: service.baseUrl };
    service.requests.length = 0;
    const syncRun = await askProgram(['sync'], { env });
    expect([syncRun.exit, service.requests.length]).to.deep.equal([6, 0]);
    expect(syncRun.stderr).to.match(
      /has not responded since .* the last known state\n.*next attempt is after .*, then weekly/,
    );
    const status = await askProgram(['status'], { env });
    expect(status.stdout + status.stderr).to.include('last known state: the service has not responded since');
    const cited = await askProgram(['cite', 'politician:oceane-bruyevre', '--style', 'bibtex'], { env });
    expect(cited.stdout).to.include('last known state');
    const set = { env: { ...env, HEMICYCLE_SERVICE_GONE: '31/10/2026' } };
    const laterRun = await askProgram(['sync'], set);
    expect([laterRun.exit, service.requests.length, laterRun.stderr.includes('since 2026-10-31')]).to.deep.equal([
      0,
      0,
      true,
    ]);
    const listed = JSON.parse((await askProgram(['parties', '--json'], set)).stdout);
    expect(listed.attribution.gone_since).to.equal('2026-10-31');
    const wrong = await askProgram(['status'], { env: { ...env, HEMICYCLE_SERVICE_GONE: 'soon' } });
    expect([wrong.exit, wrong.stderr.includes('service-gone: "soon" is not a past date')]).to.deep.equal([10, true]);
  });
});
