import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BadMirrorError } from '../../src/errors.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { openScratchMirror, openWritableMirror } from '../../src/store/open.ts';
import { asyncTransaction, transaction } from '../../src/store/transaction.ts';
import { importFiles } from '../../src/sync/import.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { dialects } from '../helpers/dialects.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service.ts';
import { createTemporaryMirror, syncOnce } from '../helpers/sync-run.ts';

const wordy = dialects[0]!;

/** What may become of a mirror while it is written, and what is said of it. */
const fates: [name: string, happen: (folder: string, db: string) => void, told: RegExp][] = [
  ['was deleted', (_, db) => rmSync(db), /is gone: it was deleted, moved or unmounted/],
  ['was moved', (folder, db) => renameSync(db, join(folder, 'moved.db')), /is gone/],
  ['is gone with its folder', (folder) => renameSync(folder, `${folder}-moved`), /is gone/],
  [
    'was replaced by another mirror',
    (folder, db) => {
      openWritableMirror(join(folder, 'other.db')).close();
      renameSync(join(folder, 'other.db'), db);
    },
    /is another file now: it was replaced/,
  ],
  [
    'was replaced by a copy of itself',
    (folder, db) => {
      copyFileSync(db, join(folder, 'copy.db'));
      renameSync(join(folder, 'copy.db'), db);
    },
    /is another file now/,
  ],
];

describe('a mirror that stands at its path no more', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  beforeEach(async () => {
    demo = await createDemoMirror();
  });
  afterEach(() => {
    demo.remove();
    rmSync(`${demo.folder}-moved`, { recursive: true, force: true });
  });

  for (const [name, happen, messagePattern] of fates) {
    it(`because it ${name} lets nothing pass for saved`, async () => {
      const mirror = openWritableMirror(demo.db);
      const save = () => saveMeta(mirror, 'synced_at', '2026-11-02T00:00:00.000Z');
      transaction(mirror, save);
      happen(demo.folder, demo.db);
      const failures = [
        () => transaction(mirror, save),
        () => asyncTransaction(mirror, async () => save()),
        () => importFiles(mirror, [], { at: '2026-11-02T00:00:00.000Z' }),
      ];
      for (const fail of failures) {
        const error = await Promise.resolve()
          .then(fail)
          .catch((thrown) => thrown);
        expect(error).to.be.instanceOf(BadMirrorError);
        expect(error.exit).to.equal(10);
        expect(error.message).to.match(messagePattern).and.to.include(demo.db);
      }
      mirror.close();
    });
  }

  it('is no matter for one in memory', () => {
    const scratch = openScratchMirror(demo.db);
    rmSync(demo.db);
    transaction(scratch, () => saveMeta(scratch, 'synced_at', '2026-11-02T00:00:00.000Z'));
    scratch.close();
  });

  describe('during a sync', () => {
    let service: FakeService;
    let own: ReturnType<typeof createTemporaryMirror>;
    beforeEach(async () => {
      service = await startFakeService(wordy);
      own = createTemporaryMirror();
    });
    afterEach(async () => {
      await service.close();
      own.remove();
    });

    it('ends it at the next page with exit 10, and does not write to what stands there now', async () => {
      mkdirSync(join(own.folder, 'elsewhere'));
      service.onRequest = (count) => {
        if (count === 8) renameSync(own.mirror.path, join(own.folder, 'elsewhere/mirror.db'));
      };
      const { report, error } = await syncOnce(own, service.baseUrl);
      expect(error).to.be.instanceOf(BadMirrorError);
      expect(report.exit).to.equal(10);
      expect(service.requests.length).to.be.within(8, 10);
    });
  });
});
