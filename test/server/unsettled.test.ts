import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { markSettled } from '../../src/store/meta.ts';
import { readEdition } from '../../src/store/records/contents.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createTemporaryMirror, syncOnce, wholeScope } from '../helpers/sync-run.ts';
import { askPlainly, type DemoServer, demoRecords, saveAll, startDemoServer } from './demo-server.ts';

const moment = (day: number) => () => Date.parse(`2026-03-0${day}T06:00:00Z`);
const [firstDay, secondDay, thirdDay] = [moment(1), moment(2), moment(3)];

describe('the date of answers', () => {
  let service: FakeService;
  let mirror: ReturnType<typeof createTemporaryMirror>;
  let server: DemoServer | null;

  beforeEach(async () => {
    service = await startFakeService(dialects[0]!);
    mirror = createTemporaryMirror();
    server = null;
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
    server = await startDemoServer({ db: mirror.mirror.path });
    return askPlainly(`${server.url}/api/v1${path}`, headers);
  }

  async function interrupt(now: () => number): Promise<void> {
    service.faults.push({
      path: /^\/politicians\/[^?]+/,
      times: 1000,
      answer: (request) => request.socket.destroy(),
    });
    expect((await sync(now)).report.exit).to.equal(5);
    service.faults.length = 0;
  }

  function editUpstream(): string {
    const [party] = service.records.parties!;
    party!.description = 'Une autre description.';
    service.records.politicians![0]!.updated_at = '2026-12-01';
    return `/parties/${party!.slug}`;
  }

  it('is left out after a sync that was interrupted, also by a server that starts later', async () => {
    await sync(firstDay);
    const path = editUpstream();
    const before = await askAnew(path);
    const known = { 'if-modified-since': before.headers['last-modified']! };
    expect(before.headers['last-modified']).to.equal('Sun, 01 Mar 2026 06:00:00 GMT');
    await interrupt(secondDay);
    const after = await askAnew(path, known);
    expect([after.status, after.headers['last-modified']]).to.deep.equal([200, undefined]);
    expect(after.bytes.toString()).to.include('Une autre description.');
    expect((await askAnew(path, { 'if-none-match': before.headers.etag! })).status).to.equal(200);
    await sync(thirdDay);
    const ended = await askAnew(path, known);
    expect([ended.status, ended.headers['last-modified']]).to.deep.equal([
      200,
      'Tue, 03 Mar 2026 06:00:00 GMT',
    ]);
  });

  it('is left out after a sync of one kind that changed something, and stays where it changed nothing', async () => {
    await sync(firstDay);
    const only = { ...wholeScope, only: [kindOf('party').name] };
    await sync(secondDay, only);
    expect((await askAnew('/parties')).headers['last-modified']).to.equal('Sun, 01 Mar 2026 06:00:00 GMT');
    editUpstream();
    await sync(secondDay, only);
    expect((await askAnew('/parties')).headers['last-modified']).to.equal(undefined);
  });

  it('is left out of a mirror of an older program whose last sync did not end well', async () => {
    await sync(firstDay);
    const forget = () => mirror.mirror.sql("DELETE FROM meta WHERE key LIKE 'settled%'").run();
    forget();
    expect((await askAnew('/parties')).headers['last-modified']).to.equal('Sun, 01 Mar 2026 06:00:00 GMT');
    editUpstream();
    await interrupt(secondDay);
    forget();
    expect((await askAnew('/parties')).headers['last-modified']).to.equal(undefined);
  });

  it('is left out while files are being imported, and after two states within a second', async () => {
    const files = findImportFiles(new URL('../../fixtures/demo', import.meta.url).pathname);
    const seen: (boolean | undefined)[] = [];
    const at = '2026-03-01T06:00:00.400Z';
    const progress = (_file: unknown, saved: number) => {
      if (saved === 0) seen.push(readEdition(mirror.mirror).isSettled);
    };
    await importFiles(mirror.mirror, files, { at, progress });
    expect(seen.slice(1)).to.deep.equal(files.slice(1).map(() => false));
    expect(readEdition(mirror.mirror).isSettled).to.equal(true);
    const [party] = demoRecords(kindOf('party'));
    saveAll(mirror.mirror, 'party', [{ ...party!, description: 'Une autre.' }]);
    markSettled(mirror.mirror, '2026-03-01T06:00:00.900Z');
    expect(readEdition(mirror.mirror).isSettled).to.equal(false);
    markSettled(mirror.mirror, '2026-03-01T06:00:01.000Z');
    expect(readEdition(mirror.mirror).isSettled).to.equal(true);
  });
});
