import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { LockedError, WithheldError } from '../../src/errors.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { ask } from '../../src/questions/answering.ts';
import { changes } from '../../src/questions/changes.ts';
import { feed } from '../../src/questions/feed.ts';
import { history } from '../../src/questions/history.ts';
import { politician } from '../../src/questions/politicians.ts';
import { record } from '../../src/questions/record.ts';
import { topics } from '../../src/questions/topics.ts';
import { currentPosition, recordIdsSince, wasAtPosition } from '../../src/store/journal.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { shadowBallotTables } from '../../src/store/saving/ballot-tables.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { withhold } from '../../src/store/saving/withhold.ts';
import { countTombstones, createTombstone } from '../../src/store/tombstones.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

const person = 'oceane-bruyevre';
const kinds = ['promise', 'position', 'quote', 'speech', 'content'] as const;

/** A text that stands nowhere else, and a word of it that no analysis changes. */
const seedOf = (at: number) => `zqseed${String(at).padStart(3, '0')}xw une phrase que personne d’autre ne dit`;

function save(
  mirror: Mirror,
  kind: (typeof kinds)[number] | 'source' | 'party',
  documents: Document[],
  at = '2026-11-02T06:00:00.000Z',
) {
  transaction(mirror, () => {
    const saver = createSaver(mirror, kindOf(kind), { at });
    for (const document of documents) saver.save(document);
    saver.finish();
  });
}

/** Bytes of the mirror's file and of its log. */
function bytesOf(db: string): Buffer {
  return Buffer.concat([db, `${db}-wal`].filter(existsSync).map((path) => readFileSync(path)));
}

describe('a record that is withheld', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  beforeEach(async () => {
    demo = await createDemoMirror();
    mirror = openWritableMirror(demo.db);
  });
  afterEach(() => {
    mirror.close();
    demo.remove();
  });
  const saveAny = (kind: 'source' | 'party', documents: Document[]) =>
    save(mirror, kind, documents, '2026-11-08T06:00:00.000Z');
  const hold = (kind: 'politician' | (typeof kinds)[number], key: string) =>
    withhold(mirror, [createTombstone(mirror, { kind, key, reason: 'objection' })]);

  it('leaves no byte of it in the file: rows, versions, profiles, index', () => {
    const ids = Array.from({ length: 100 }, (_, at) => ({ kind: kinds[at % 5]!, id: `seeded-${at}`, at }));
    for (const kind of kinds)
      for (const night of [1, 2])
        save(
          mirror,
          kind,
          ids
            .filter((each) => each.kind === kind)
            .map(({ id, at }) => ({ id, politician: person, text: `${seedOf(at)} ${night}` })),
          `2026-11-0${1 + night}T06:00:00.000Z`,
        );
    const embedded = (kind: string) =>
      ids.filter((each) => each.kind === kind).map(({ id, at }) => ({ id, text: seedOf(at) }));
    const profile = { slug: person, positions: embedded('position'), quotes: embedded('quote') };
    transaction(mirror, () => {
      saveDetail(mirror, kindOf('politician'), profile, { at: '2026-11-04T06:00:00.000Z' });
    });
    mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    expect(bytesOf(demo.db).includes('zqseed042xw')).to.equal(true);
    const erased = withhold(
      mirror,
      ids.map(({ kind, id }) => createTombstone(mirror, { kind, key: id, reason: 'objection' })),
    );
    expect(erased).to.have.length(100);
    const remainingBytes = bytesOf(demo.db);
    expect(ids.filter(({ at }) => remainingBytes.includes(`zqseed${String(at).padStart(3, '0')}xw`))).to.deep.equal([]);
    expect(mirror.database.pragma('integrity_check', { simple: true })).to.equal('ok');
  });

  it('is erased also after ballots were read whose tables are behind, on the same connection', () => {
    mirror.sql("UPDATE meta SET value = 'other rules' WHERE key = 'ballot_tables'").run();
    shadowBallotTables(mirror);
    expect(hold('politician', person).length).to.be.greaterThan(0);
  });

  it('takes every record about a politician along, and the name out of their party', async () => {
    const name = 'Océane Bruyèvre';
    expect(bytesOf(demo.db).includes(name)).to.equal(true);
    expect(hold('politician', person)).to.have.length.greaterThan(10);
    for (const kind of kinds)
      expect(mirror.column('SELECT count(*) FROM record WHERE kind = ? AND politician = ?').get(kind, person)).to.equal(
        0,
      );
    const { items } = await ask(mirror, changes, { limit: 100 });
    for await (const { politician, key } of items) expect([politician, key]).not.to.include(person);
    const own = mirror.column<string>("SELECT coalesce(detail, row) FROM record WHERE kind = 'party'").all();
    expect(own.filter((text) => text.includes(person))).to.deep.equal([]);
  });

  it('is refused by its key with day and reason, and no near names', async () => {
    hold('politician', person);
    const refused = await ask(mirror, politician, { slug: person }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(WithheldError);
    expect(`${(refused as Error).message}`).to.match(
      /^this politician has been withheld since \d{4}-\d\d-\d\d: objection$/,
    );
    const [key] = mirror.column<string>("SELECT key FROM record WHERE kind = 'promise'").all();
    hold('promise', key!);
    const other = await ask(mirror, record, { kind: 'promise', key }).catch((error: unknown) => error);
    expect(other).to.be.instanceOf(WithheldError);
    const versions = await ask(mirror, history, { kind: 'politician', key: person }).catch((error) => error);
    expect(versions).to.be.instanceOf(WithheldError);
  });

  it('stays away from every later list, profile and feed, and is counted by lists that lack it', async () => {
    save(mirror, 'promise', [{ id: 'seeded', politician: person, text: seedOf(1) }]);
    hold('promise', 'seeded');
    save(mirror, 'promise', [{ id: 'seeded', politician: person, text: seedOf(1) }], '2026-11-09T06:00:00.000Z');
    transaction(mirror, () =>
      saveDetail(
        mirror,
        kindOf('politician'),
        { slug: person, promises: [{ id: 'seeded', text: seedOf(1) }] },
        { at: '2026-11-09T06:00:00.000Z' },
      ),
    );
    mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    expect(bytesOf(demo.db).includes('zqseed001xw')).to.equal(false);
    const answer = await ask(mirror, feed, { types: 'promise' });
    expect(answer.extra).to.include({ withheld: 1 });
    expect(answer.notes!().map(String)).to.include('without 1 record withheld from this mirror');
  });

  it('keeps its number, so that followers miss no record that comes after it', () => {
    save(mirror, 'promise', [{ id: 'seeded', politician: person, text: seedOf(1) }]);
    const position = currentPosition(mirror, kindOf('promise'));
    hold('promise', 'seeded');
    expect(wasAtPosition(mirror, kindOf('promise'), position)).to.equal(true);
    save(mirror, 'promise', [{ id: 'after', politician: person, text: 'what came after' }], '2026-11-10T06:00:00.000Z');
    const behind = [...recordIdsSince(mirror, kindOf('promise'), position)];
    const keys = behind.map((id) => mirror.column<string>('SELECT key FROM record WHERE id = ?').get(id));
    expect(keys).to.deep.equal(['after']);
  });

  it('takes sources along that nothing else rests on, and keeps them out', () => {
    const source = { id: 'src-own', title: 'zqsourcexw', url: 'https://source.example/own' };
    const shared = { id: 'src-shared', title: 'Programme' };
    const saveSources = () => saveAny('source', [source, shared]);
    saveSources();
    const own = {
      id: 'seeded',
      politician: person,
      text: 'Une phrase',
      source_ids: ['src-own', 'src-shared'],
    };
    save(mirror, 'promise', [own, { id: 'other', text: 'Une autre', source_ids: ['src-shared'] }]);
    hold('promise', 'seeded');
    saveSources();
    mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    expect(bytesOf(demo.db).includes('zqsourcexw')).to.equal(false);
    const keys = mirror.column("SELECT key FROM record WHERE key LIKE 'src-%' AND key IN ('src-own', 'src-shared')");
    expect(keys.all()).to.deep.equal(['src-shared']);
  });

  it('takes sources along by their numbers, too, and leaves those that another record cites so', () => {
    saveAny(
      'source',
      [1, 2, 3].map((id) => ({ id, title: `Programme ${id}` })),
    );
    const own = { id: 'seeded', politician: person, text: 'Une phrase', source_ids: ['1', 2, 3] };
    save(mirror, 'promise', [own, { id: 'other', text: 'Une autre', source_ids: [1, '2'] }]);
    hold('promise', 'seeded');
    const keys = mirror.column("SELECT key FROM record WHERE kind = 'source' AND key IN ('1', '2', '3') ORDER BY 1");
    expect(keys.all()).to.deep.equal(['1', '2']);
  });

  it('is known in other spellings of a politician, and in lists of bare keys', () => {
    hold('politician', person);
    save(mirror, 'promise', [{ id: 'seeded', politician_slug: person, text: seedOf(1) }]);
    saveAny('party', [{ slug: 'un-parti', name: 'Un parti', members: [person, 'une-autre'] }]);
    expect(mirror.column("SELECT row FROM record WHERE key = 'un-parti'").get()).not.to.include(person);
    expect(mirror.column("SELECT key FROM record WHERE key = 'seeded'").get()).to.equal(undefined);
  });

  it('is said of each record that went with its politician, and of figures about all kinds', async () => {
    save(mirror, 'promise', [{ id: 'seeded', politician: person, text: seedOf(1) }]);
    const erased = hold('politician', person);
    const refusal = (question: Promise<unknown>) => question.catch((error: unknown) => error);
    expect(await refusal(ask(mirror, record, { kind: 'promise', key: 'seeded' }))).to.be.instanceOf(WithheldError);
    expect(await refusal(ask(mirror, history, { kind: 'promise', key: 'seeded' }))).to.be.instanceOf(WithheldError);
    expect((await ask(mirror, topics, {})).extra).to.include({ withheld: erased.length });
    const tombstones = countTombstones(mirror);
    expect(tombstones).to.have.length(1);
    expect(tombstones[0]!.kinds).to.include({ politician: 1 });
  });

  it('is erased by the next run where one was killed, and not called erased while a reader keeps its bytes', () => {
    save(mirror, 'promise', [{ id: 'seeded', politician: person, text: seedOf(1) }]);
    mirror.database.pragma('busy_timeout = 0');
    const reader = new Database(demo.db);
    try {
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM record').get();
      expect(() => hold('promise', 'seeded')).to.throw(LockedError, /another process still reads the old data/);
    } finally {
      reader.close();
    }
    withhold(mirror, []);
    expect(bytesOf(demo.db).includes('zqseed001xw')).to.equal(false);
  });

  it('is said by readers of the file that were open before', async () => {
    const reader = openMirror(demo.db);
    try {
      expect((await ask(reader, politician, { slug: person })).item.slug).to.equal(person);
      hold('politician', person);
      const refused = await ask(reader, politician, { slug: person }).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(WithheldError);
    } finally {
      reader.close();
    }
  });
});
