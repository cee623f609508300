import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { exportColumns } from '../../src/store/columns.ts';
import { replicaText } from '../../src/store/following/replica.ts';
import { readHistory } from '../../src/store/history/history.ts';
import { saveKindState } from '../../src/store/kind-state.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { listRecords } from '../../src/store/records/feed.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const audit = kindOf('audit');
const secret = 'jean.ondoyer@valombre.example';

describe('a moderation log that an older program kept', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, audit, { at: '2026-11-01T06:00:00.000Z' });
      saver.save({ id: 'a', role: 'editor', date: '2026-10-01' });
      saver.save({ id: 'b', role: 'moderator', date: '2026-10-02' });
      saver.finish();
      const entry = JSON.stringify({ id: 'a', role: 'editor', date: '2026-10-01', meta: { email: secret } });
      own.mirror.sql("UPDATE record SET row = ? WHERE key = 'a'").run(entry);
      own.mirror
        .sql(
          `INSERT INTO version SELECT id, 'row', row, 'x', first_seen, last_seen, 'edited' FROM record WHERE key = 'a'`,
        )
        .run();
      saveKindState(own.mirror, audit, { columns: ['id', 'role', 'date', 'meta'] });
      own.mirror.sql("DELETE FROM meta WHERE key = 'anonymous_log'").run();
    });
  });
  afterEach(() => own.remove());

  const auditText = (mirror: ReturnType<typeof openMirror>) =>
    JSON.stringify([
      listRecords(mirror, { kind: 'audit', limit: 9 }),
      readHistory(mirror, audit, 'a'),
      exportColumns(mirror, audit),
      replicaText(mirror, mirror.column<number>("SELECT id FROM record WHERE key = 'a'").get()!),
    ]);

  it('is read without what may identify a person, before anybody writes to the mirror', () => {
    const mirror = openMirror(own.mirror.path);
    expect(auditText(mirror)).to.not.include(secret);
    expect(listRecords(mirror, { kind: 'audit', limit: 9 }).items.map((each) => JSON.parse(each))).to.deep.equal([
      { id: 'b', role: 'moderator', date: '2026-10-02' },
      { id: 'a', role: 'editor', date: '2026-10-01' },
    ]);
    mirror.close();
    expect(own.mirror.sql("SELECT 1 FROM record WHERE row LIKE '%ondoyer%'").get()).to.not.equal(undefined);
  });

  it('loses it for good, and no entry, once the mirror is opened to be written', () => {
    own.mirror.close();
    const writable = openWritableMirror(own.mirror.path);
    expect(auditText(writable)).to.not.include(secret);
    writable.close();
    expect(readFileSync(own.mirror.path, 'latin1')).to.not.include(secret);
    const mirror = openMirror(own.mirror.path);
    expect(listRecords(mirror, { kind: 'audit', limit: 9 }).total).to.equal(2);
    mirror.close();
  });
});
