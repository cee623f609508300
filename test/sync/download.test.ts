import { expect } from 'chai';
import { openWritableMirror } from '../../src/store/open.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { createTemporaryMirror, hashesOf, syncOnce } from '../helpers/sync-run.ts';

describe('a dataset that is downloaded', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  const sync = () => syncOnce(own, service.baseUrl);
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
    await sync();
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  const failures: [string, FakeService['faults'][number]['answer']][] = [
    [
      'breaks off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100_000 });
        response.write('id,text\n1,"half', () => response.destroy());
      },
    ],
    ['cannot be read to its end', (_request, response) => response.end('id,text\n1,"a"\n2,"b\n')],
    ['lost too many rows', (_request, response) => response.end('id,text\n1,"a"\n')],
    ['has another key', (_request, response) => response.end('number,text\n1,"a"\n')],
  ];
  for (const [what, answer] of failures) {
    it(`leaves the records as they are when the next download ${what}`, async () => {
      const before = hashesOf(own.mirror, 'quote');
      service.faults.push({ path: /^\/export\/dataset\?entity=quotes/, times: 10, answer });
      const { report } = await sync();
      expect(report.exit).to.be.oneOf([5, 6]);
      expect(hashesOf(own.mirror, 'quote')).to.deep.equal(before);
    });
  }

  it('leaves none of its bytes, nor do those stay that an older program kept', () => {
    const { path } = own.mirror;
    makeOlder(own.mirror.database, 4);
    own.mirror.database.exec(`
      INSERT INTO download VALUES ('quote', 'csv', ',', '[]', 1, 1, 'x', '2026-11-01T12:00:00.000Z');
      INSERT INTO download_part VALUES ('quote', 0, x'00')`);
    own.mirror.close();
    own.mirror = openWritableMirror(path);
    const tables = own.mirror.column("SELECT name FROM sqlite_schema WHERE name LIKE 'download%'").all();
    expect(tables).to.deep.equal([]);
  });
});
