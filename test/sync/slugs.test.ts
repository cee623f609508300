import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { readRecord } from '../../src/store/record.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

const noon = Date.parse('2026-11-01T12:00:00Z');
const dayMs = 86_400_000;

describe('a slug', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let service: FakeService;
  beforeEach(async () => {
    own = createTemporaryMirror();
    service = await startFakeService(dialects[0]!);
  });
  afterEach(async () => {
    own.remove();
    await service.close();
  });

  it('that is a segment of paths fails no sync', async () => {
    const people = service.records.politicians!;
    for (const [at, slug] of ['.', '..'].entries()) people[at] = { ...people[at]!, slug };
    service.bent = { path: /^\/(politicians\/?)?$/, send: (_, response) => void response.writeHead(200).end('[]') };
    for (const n of [0, 1]) {
      const { report } = await syncOnce(own, service.baseUrl, { now: () => noon + n * dayMs });
      expect(report.exit).to.equal(0);
    }
    expect(readRecord(own.mirror, kindOf('politician'), '..')).to.include({ slug: '..' });
  });
});
