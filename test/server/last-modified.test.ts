import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { validatorsOf } from '../../src/server/headers.ts';
import { readEdition } from '../../src/store/records/contents.ts';
import { beginRun } from '../../src/store/syncs/runs.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createTemporaryMirror, syncOnce, wholeScope } from '../helpers/sync-run.ts';
import { askPlainly, type DemoServer, saveAll, startDemoServer } from './demo-server.ts';

const moment = (day: number) => () => Date.parse(`2033-03-0${day}T06:00:00Z`);
const firstDay = moment(1);
const secondDay = moment(2);
const thirdDay = moment(3);

describe('the date of answers', () => {
  let service: FakeService;
  let mirror: ReturnType<typeof createTemporaryMirror>;
  let server: DemoServer | null;
  let now: number;

  beforeEach(async () => {
    service = await startFakeService(dialects[0]!);
    mirror = createTemporaryMirror();
    server = null;
    now = moment(9)();
  });
  afterEach(async () => {
    await server?.close();
    mirror.remove();
    await service.close();
  });

  const sync = (now: () => number, scope = wholeScope) => syncOnce(mirror, service.baseUrl, { now, scope });

  /** Asks a server that is started anew, and so remembers nothing. */
  async function askAnew(path: string, headers: Record<string, string> = {}) {
    await server?.close();
    server = await startDemoServer({ db: mirror.mirror.path, clock: () => now });
    return askPlainly(`${server.url}/api/v1${path}`, headers);
  }

  async function interrupt(now: () => number): Promise<void> {
    service.faults.push({
      path: /^\/politicians\/[^?]+/,
      times: 1000,
      answer: (request) => request.socket.destroy(),
    });
    expect((await sync(now)).report.exit).to.equal(6);
    service.faults.length = 0;
  }

  function editUpstream(): string {
    const [party] = service.records.parties!;
    party!.description = 'Une autre description.';
    service.records.politicians![0]!.updated_at = '2033-12-01';
    return `/parties/${party!.slug}`;
  }

  it('is when a sync last ended, one that was interrupted or one of some kinds too', async () => {
    await sync(firstDay);
    const path = editUpstream();
    const first = await askAnew(path);
    expect(first.headers['last-modified']).to.equal('Tue, 01 Mar 2033 06:00:00 GMT');
    await interrupt(secondDay);
    const second = await askAnew(path, { 'if-modified-since': first.headers['last-modified']! });
    expect([second.status, second.headers['last-modified']]).to.deep.equal([200, 'Wed, 02 Mar 2033 06:00:00 GMT']);
    expect(second.bytes.toString()).to.include('Une autre description.');
    await sync(thirdDay, { ...wholeScope, only: [kindOf('party').name] });
    const third = await askAnew(path);
    expect(third.headers['last-modified']).to.equal('Thu, 03 Mar 2033 06:00:00 GMT');
    expect((await askAnew(path, { 'if-none-match': second.headers.etag! })).status).to.equal(304);
  });

  it('is when the records changed, of what a running sync or no sync at all has changed since', async () => {
    await sync(firstDay);
    const before = await askAnew('/parties');
    saveAll(mirror.mirror, 'party', [{ slug: 'parti-neuf', name: 'Parti neuf' }]);
    const after = await askAnew('/parties', { 'if-modified-since': before.headers['last-modified']! });
    expect([after.status, after.headers['last-modified']]).to.deep.equal([200, 'Tue, 01 Mar 2033 06:00:01 GMT']);
    expect((await askAnew('/parties', { 'if-modified-since': after.headers['last-modified']! })).status).to.equal(304);
  });

  it('is a second before a change while that second lasts, in which another may follow', async () => {
    await sync(firstDay);
    saveAll(mirror.mirror, 'party', [{ slug: 'parti-neuf', name: 'Parti neuf' }]);
    now = firstDay() + 1500;
    const within = await askAnew('/parties');
    expect(within.headers['last-modified']).to.equal('Tue, 01 Mar 2033 06:00:00 GMT');
    saveAll(mirror.mirror, 'party', [{ slug: 'parti-neuf', name: 'Parti renommé' }]);
    const again = await askAnew('/parties', { 'if-modified-since': within.headers['last-modified']! });
    expect(again.status).to.equal(200);
    expect(again.bytes.toString()).to.include('Parti renommé');
  });

  it('goes with another tag on a page, which says when it was retrieved, and on what is asked since the last sync', async () => {
    const tagOf = async (path: string) => (await askPlainly(server!.url + path)).headers.etag;
    const paths = ['/parties', '/api/v1/changes', '/api/v1/brief', '/api/v1/parties'];
    await sync(firstDay);
    await askAnew('/parties');
    const before = await Promise.all(paths.map(tagOf));
    await sync(secondDay);
    const after = await Promise.all(paths.map(tagOf));
    expect(paths.filter((_, at) => after[at] === before[at])).to.deep.equal(['/api/v1/parties']);
  });

  it('is never later than the answer, and then says of no answer that it still holds', async () => {
    await sync(secondDay);
    now = firstDay();
    const early = await askAnew('/parties');
    expect(early.headers['last-modified']).to.equal('Tue, 01 Mar 2033 06:00:00 GMT');
    const again = await askAnew('/parties', { 'if-modified-since': early.headers['last-modified']! });
    expect(again.status).to.equal(200);
  });

  it('is known of a mirror of an older program whose last sync was killed', async () => {
    await sync(firstDay);
    mirror.mirror.sql("DELETE FROM meta WHERE key = 'changed_at'").run();
    expect((await askAnew('/parties')).headers['last-modified']).to.equal('Tue, 01 Mar 2033 06:00:00 GMT');
    beginRun(mirror.mirror, service.baseUrl, new Date(secondDay()).toISOString());
    expect((await askAnew('/parties')).headers['last-modified']).to.equal('Wed, 02 Mar 2033 06:00:00 GMT');
  });

  it('is never that of the import while its files come, of which each changes the records', async () => {
    const files = findImportFiles(new URL('../../fixtures/demo', import.meta.url).pathname);
    const lastModifiedDates: string[] = [];
    const progress = (_file: unknown, saved: number) => {
      if (saved > 0) return;
      const { lastModified } = validatorsOf(readEdition(mirror.mirror), '', Date.now() + 1500);
      lastModifiedDates.push(String(lastModified));
    };
    const at = '2026-03-01T06:00:00.400Z';
    await importFiles(mirror.mirror, files, { at, progress });
    expect(lastModifiedDates.slice(1)).not.to.include('Sun, 01 Mar 2026 06:00:00 GMT');
  });
});
