import { expect } from 'chai';
import type { ServiceAnswerError } from '../../../src/errors.ts';
import { parseTableName } from '../../../src/export/tables.ts';
import { historyTable } from '../../../src/export/warehouse.ts';
import type { Document } from '../../../src/model/document.ts';
import { type KindName, kindOf, kinds } from '../../../src/model/kinds.ts';
import { currentKey } from '../../../src/names/database.ts';
import { createApp } from '../../../src/server/app.ts';
import { changeCounts } from '../../../src/store/history/change-counts.ts';
import { listChanges } from '../../../src/store/history/changes.ts';
import { readHistory } from '../../../src/store/history/history.ts';
import { journalName } from '../../../src/store/journal.ts';
import { saveKindState } from '../../../src/store/kind-state.ts';
import { type Mirror, mirrorVersion, saveMeta } from '../../../src/store/mirror.ts';
import { openMirror } from '../../../src/store/open.ts';
import { readRecord } from '../../../src/store/record.ts';
import { citationOf, listGaps, readContents, saveGap } from '../../../src/store/records/contents.ts';
import { saveDetail } from '../../../src/store/saving/detail.ts';
import { refreshIndexes } from '../../../src/store/saving/indexes.ts';
import { saveObservation, saveUnlisted } from '../../../src/store/saving/missing-records.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { withdraw } from '../../../src/store/saving/withdrawals.ts';
import { replaceTombstones, withhold } from '../../../src/store/saving/withhold.ts';
import { readReplication } from '../../../src/store/syncs/following.ts';
import { beginRun, endRun, lastFillStart, lastRun, saveFollowedSyncs } from '../../../src/store/syncs/runs.ts';
import { countTombstones, createTombstone, deleteTombstone } from '../../../src/store/tombstones.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { planSync } from '../../../src/sync/stages.ts';
import { listeningServers } from '../../helpers/loopback-servers.ts';
import { createTemporaryMirror, syncOnce, wholeScope } from '../../helpers/sync-run.ts';
import { withdrawMissing } from '../../helpers/withdraw-missing.ts';
import { demoRecords } from '../../server/demo-server.ts';

type Own = ReturnType<typeof createTemporaryMirror>;
const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T06:00:00.000Z`;

/** All that a mirror holds of its records, without the numbers that are its own. */
function wholeOf(mirror: Mirror): unknown {
  const rows = (sql: string) => mirror.database.prepare(sql).all();
  return {
    records: rows(
      `SELECT kind, key, row, hash, detail, detail_hash, name, sort_name, politician, party, topic, date, updated_at,
       first_seen, last_seen, last_changed, withdrawn, detail_at, detail_since FROM record ORDER BY kind, key`,
    ),
    versions: rows(
      `SELECT kind, key, part, json, version.hash, seen_from, seen_to, ended_by FROM version JOIN record ON id = record
       ORDER BY kind, key, version.rowid`,
    ),
    kinds: rows('SELECT kind, columns, origin, retrieved_at, enumerated_at, row_count FROM kind_state ORDER BY kind'),
    retrievals: rows('SELECT * FROM retrieval ORDER BY kind, at'),
    gaps: rows('SELECT * FROM gap'),
    missingRecords: rows('SELECT kind, key, since FROM unseen JOIN record ON id = record ORDER BY kind, key'),
  };
}

describe('a mirror that follows another Hemicycle', () => {
  let source: Own;
  const opened: { close: () => unknown }[] = [];
  const own = () => {
    const created = createTemporaryMirror();
    opened.push({ close: created.remove });
    return created;
  };
  beforeEach(() => {
    source = own();
    for (const kind of kinds) enumerate(source.mirror, kind.name, demoRecords(kind), day(1));
    saveMeta(source.mirror, 'synced_at', day(1));
  });
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  /** A complete enumeration of a kind, as a dataset brings it. */
  function enumerate(mirror: Mirror, name: KindName, documents: Document[], at: string): void {
    transaction(mirror, () => {
      const kind = kindOf(name);
      const saver = createSaver(mirror, kind, { at });
      for (const document of documents) saver.save(document);
      withdrawMissing(mirror, kind, { seenNumbers: saver.seenNumbers, at });
      saver.finish();
    });
  }

  async function serve({ mirror }: Own, siteUrl: string | null = null): Promise<string> {
    const reader = openMirror(mirror.path);
    const app = await createApp({
      mirror: reader,
      settings: { citation: { name: 'Test', siteUrl }, rateLimit: false, semantic: false },
    });
    opened.push({ close: () => reader.close() }, { close: () => app.close() });
    return `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
  }

  it('withholds what the other withholds, says whose tombstone it is, and takes back what is withheld no more', async () => {
    const follower = own();
    const address = await serve(source);
    await syncOnce(follower, address);
    const [first] = demoRecords(kindOf('promise'));
    const key = String(first!.id);
    const tombstone = createTombstone(source.mirror, { kind: 'promise', key, reason: 'objection' });
    withhold(source.mirror, [tombstone]);
    await syncOnce(follower, address);
    expect(countTombstones(follower.mirror)[0]).to.include({ reason: 'objection', of: address });
    const storedKey = () =>
      follower.mirror.column('SELECT key FROM record WHERE kind = ? AND key = ?').get('promise', key);
    expect(storedKey()).to.equal(undefined);
    expect(readReplication(follower.mirror, address)!.version, 'no whole download').to.equal(
      mirrorVersion(follower.mirror),
    );
    deleteTombstone(source.mirror, tombstone);
    enumerate(source.mirror, 'promise', demoRecords(kindOf('promise')), day(5));
    await syncOnce(follower, address);
    expect(storedKey()).to.equal(key);
    expect(wholeOf(follower.mirror)).to.deep.equal(wholeOf(source.mirror));
  });

  it('takes no tombstone of what nobody may withhold', () => {
    const follower = own();
    const tombstoneFields = {
      salt: 's',
      hash: 'h',
      day: '2026-01-01',
      reason: 'x'.repeat(10_000),
      of: null,
      under: null,
    };
    for (const received of [
      {},
      [{ ...tombstoneFields, kind: 'ballot' }, { ...tombstoneFields, kind: 'party' }, 1, null],
      'x',
    ])
      transaction(follower.mirror, () => replaceTombstones(follower.mirror, received, 'https://other.example'));
    expect(countTombstones(follower.mirror)).to.deep.equal([]);
    transaction(follower.mirror, () =>
      replaceTombstones(follower.mirror, [{ ...tombstoneFields, kind: 'promise' }], 'https://other.example'),
    );
    expect(countTombstones(follower.mirror)[0]!.reason).to.have.length(500);
  });

  const politicians = () => demoRecords(kindOf('politician'));
  const edited = (role: string) => politicians().map((each, n) => (n === 2 ? { ...each, current_role: role } : each));

  it('holds every kind, with versions, withdrawals, moments and gaps, down a chain of three', async () => {
    enumerate(source.mirror, 'politician', edited('Ministre'), day(2));
    enumerate(source.mirror, 'promise', demoRecords(kindOf('promise')).slice(1), day(3));
    transaction(source.mirror, () => {
      const [first] = politicians();
      saveDetail(source.mirror, kindOf('politician'), { ...first, positions: [] }, { at: day(3) });
      saveDetail(source.mirror, kindOf('politician'), { ...first, positions: [{ title: 'Une' }] }, { at: day(4) });
      saveGap(source.mirror, { kind: 'audit', after_key: 'a', before_key: null, noticed_at: day(3) });
    });
    for (const n of [1, 3])
      saveKindState(source.mirror, kindOf('politician'), {
        retrievedAt: day(n),
        origin: 'https://service.example/api/v1',
      });
    const second = own();
    const third = own();
    const { report, error } = await syncOnce(second, await serve(source));
    expect([error, report.exit]).to.deep.equal([null, 0]);
    expect(wholeOf(second.mirror)).to.deep.equal(wholeOf(source.mirror));
    await syncOnce(third, await serve(second));
    expect(wholeOf(third.mirror)).to.deep.equal(wholeOf(source.mirror));
    expect(listGaps(third.mirror)).to.have.length(1);
  });

  it('has the histories that each sync of the other one left, none of what stood between its stages', async () => {
    const synced = (n: number, stages: [KindName, Document][]) => {
      const at = (second: number) => day(n).replace('00.000', `0${second}.000`);
      const run = beginRun(source.mirror, 'https://service.example', at(0));
      for (const [second, [name, document]] of stages.entries())
        transaction(source.mirror, () => {
          const saver = createSaver(source.mirror, kindOf(name), { at: at(second + 1) });
          saver.save(document);
          saver.finish();
        });
      endRun(source.mirror, run, { at: at(9), exit: 0, report: '{}' });
    };
    const historyOf = ({ mirror }: Own) => {
      const [table, citation] = [parseTableName('membership_days'), { name: 'Test', siteUrl: null }];
      return [...historyTable(mirror, table, { citation, isFlat: true }).rows()]
        .filter(({ politician }) => politician === 'aube')
        .map(({ party, kind, valid_from, valid_to }) => [party, kind, valid_from, valid_to]);
    };
    const person = (party: string) => ({ slug: 'aube', affiliations: [{ party, start: '2010-01-01' }] });
    synced(2, [
      ['politician', person('mer')],
      ['party', { slug: 'mer', kind: 'parti' }],
    ]);
    const second = own();
    const third = own();
    const address = await serve(source);
    const secondAddress = await serve(second);
    const follow = async () => {
      await syncOnce(second, address);
      await syncOnce(third, secondAddress);
    };
    await follow();
    synced(3, [
      ['politician', person('rive')],
      ['party', { slug: 'mer', kind: 'groupe' }],
    ]);
    await follow();
    await follow();
    const ends = [2, 3].map((n) => day(n).replace('00.000', '09.000'));
    expect(historyOf(source)).to.deep.equal([
      ['mer', 'parti', ends[0], ends[1]],
      ['rive', null, ends[1], null],
    ]);
    for (const follower of [second, third]) {
      expect(historyOf(follower)).to.deep.equal(historyOf(source));
      expect(lastRun(follower.mirror)!.id).to.equal(3);
    }
  });

  it('leaves out syncs of the other one that are none', () => {
    const { mirror } = own();
    const sync = { id: 1, started_at: day(1), ended_at: day(2), exit: 0 };
    const garbled = [
      { id: 'a' },
      { id: 2 ** 60 },
      { started_at: 'soon' },
      { started_at: '2026-02-31T00:00:00.000Z' },
      { ended_at: null },
      { exit: 'x' },
    ];
    saveFollowedSyncs(mirror, 'https://other.example', [
      ...garbled.map((fields) => ({ ...sync, ...fields }) as typeof sync),
      null as unknown as typeof sync,
    ]);
    expect(lastRun(mirror)).to.equal(undefined);
    saveFollowedSyncs(mirror, 'https://other.example', [sync]);
    expect(beginRun(mirror, 'https://own.example', day(3))).to.equal(1);
  });

  it('holds U+FFFD where the other one holds half a character, in keys and versions too', async () => {
    const [first] = politicians();
    const half = (role: string) => [...politicians(), { ...first!, slug: 'half-\ud83d', current_role: role }];
    enumerate(source.mirror, 'politician', half('a\ud800'), day(2));
    enumerate(source.mirror, 'politician', half('Ministre \u{1f600}'), day(3));
    const second = own();
    const address = await serve(source);
    for (const full of [false, true]) {
      const { error } = await syncOnce(second, address, { scope: { ...wholeScope, full } });
      expect(error).to.equal(null);
      const [now, before] = readHistory(second.mirror, kindOf('politician'), 'half-\ufffd').versions;
      expect(now!.document!.current_role).to.equal('Ministre \u{1f600}');
      expect(before!.document!.current_role).to.equal('a\ufffd');
    }
  });

  it('asks once where nothing changed, and is sent nothing but what did', async () => {
    const baseUrl = await serve(source);
    const follower = own();
    await syncOnce(follower, baseUrl);
    const again = await syncOnce(follower, baseUrl);
    expect(again.report.requests).to.equal(1);
    expect(again.report.records).to.deep.equal({});
    enumerate(source.mirror, 'politician', edited('Ministre'), day(2));
    enumerate(source.mirror, 'quote', demoRecords(kindOf('quote')).slice(1), day(2));
    enumerate(source.mirror, 'party', [...demoRecords(kindOf('party')), { slug: 'neuve', name: 'La Neuve' }], day(2));
    const { report } = await syncOnce(follower, baseUrl);
    expect(report.requests).to.equal(1);
    const { edited: politician } = report.records.politician!;
    const { withdrawn } = report.records.quote!;
    expect([politician, withdrawn, report.records.party!.added]).to.deep.equal([1, 1, 1]);
    expect(Object.values(report.records).map(({ same }) => same)).to.deep.equal([0, 0, 0]);
    expect(wholeOf(follower.mirror)).to.deep.equal(wholeOf(source.mirror));
  });

  it('is told of renames, and has not to be sent everything after them', async () => {
    const follower = own();
    const address = await serve(source);
    await syncOnce(follower, address);
    const [first, ...others] = demoRecords(kindOf('promise'));
    enumerate(source.mirror, 'promise', [...others, { ...first!, id: 'another-key' }], day(2));
    await syncOnce(follower, address);
    expect([...listChanges(follower.mirror, { since: day(1), only: ['renamed'] })]).to.have.length(1);
    expect(readReplication(follower.mirror, address)!.version).to.equal(mirrorVersion(follower.mirror));
  });

  it('has the renames and merges that the other decided, also those that it would decide in another way', async () => {
    const quote = (id: string) => ({
      id,
      politician: 'ada',
      text: 'Nous voterons contre ce texte',
      date: '2026-01-01',
    });
    const night = (n: number, ids: string[]) => {
      enumerate(source.mirror, 'quote', [...demoRecords(kindOf('quote')), ...ids.map(quote)], day(n));
      refreshIndexes(source.mirror);
    };
    night(1, ['one', 'rival']);
    night(2, ['rival', 'other']);
    night(4, ['other']);
    const [latter, ...formers] = demoRecords(kindOf('politician')).slice(0, 3);
    for (const { slug } of formers) {
      const id = source.mirror.column<number>("SELECT id FROM record WHERE kind = 'politician' AND key = ?").get(slug)!;
      saveObservation(source.mirror, id, { route: 'moved', finding: String(latter!.slug), at: day(5) });
      transaction(source.mirror, () => withdraw(source.mirror, id, day(6)));
    }
    refreshIndexes(source.mirror);
    const follower = own();
    await syncOnce(follower, await serve(source));
    const answersOf = ({ mirror }: Own) => ({
      changes: [...listChanges(mirror, { since: day(1) })],
      counts: changeCounts(mirror, { since: day(1) }),
      histories: ['one', 'rival', 'other'].map((key) => readHistory(mirror, kindOf('quote'), key)),
      successors: formers.map(({ slug }) => currentKey(mirror, 'politician', String(slug))),
    });
    const { changes, successors } = answersOf(source);
    expect(changes.filter(({ change }) => change === 'renamed').map((each) => each.former_key)).to.have.members([
      'one',
      ...formers.map(({ slug }) => slug),
    ]);
    expect(successors).to.deep.equal([latter!.slug, latter!.slug]);
    expect(answersOf(follower)).to.deep.equal(answersOf(source));
  });

  it('knows what was once not seen, without asking more for it, and that it was seen again', async () => {
    const follower = own();
    const third = own();
    const baseUrl = await serve(source);
    const second = await serve(follower);
    await syncOnce(follower, baseUrl);
    const quotes = demoRecords(kindOf('quote'));
    const listed = (at: string, documents: Document[]) =>
      transaction(source.mirror, () => {
        const saver = createSaver(source.mirror, kindOf('quote'), { at });
        for (const document of documents) saver.save(document);
        saveUnlisted(source.mirror, kindOf('quote'), { listedNumbers: saver.seenNumbers, at });
        saver.finish();
      });
    for (const [at, documents, missingCount] of [
      [day(2), quotes.slice(3), 3],
      [day(3), quotes.slice(2), 2],
    ] as const) {
      listed(at, documents);
      expect((await syncOnce(follower, baseUrl)).report.requests).to.equal(1);
      await syncOnce(third, second);
      for (const each of [follower, third]) expect(wholeOf(each.mirror)).to.deep.equal(wholeOf(source.mirror));
      expect(readContents(third.mirror).find(({ kind }) => kind === 'quote')).to.include({
        unseen: missingCount,
      });
    }
  });

  it('takes records whose texts hold the line separators of Unicode', async () => {
    const document = { id: 'separators', text: 'Une ligne\u2028une autre\u2029la fin\u0085.' };
    transaction(source.mirror, () => {
      const saver = createSaver(source.mirror, kindOf('quote'), { at: day(2) });
      saver.save(document);
      saver.finish();
    });
    const follower = own();
    await syncOnce(follower, await serve(source, 'https://valombre.example'));
    expect(readRecord(follower.mirror, kindOf('quote'), 'separators')).to.deep.equal(document);
    expect(wholeOf(follower.mirror)).to.deep.equal(wholeOf(source.mirror));
  });

  it('knows whom to cite, though only the server of the first link is told', async () => {
    const follower = own();
    const third = own();
    await syncOnce(follower, await serve(source, 'https://valombre.example'));
    await syncOnce(third, await serve(follower));
    for (const { mirror } of [follower, third])
      expect(citationOf({ citation: { name: null, siteUrl: null }, baseUrl: null }, mirror)).to.deep.equal({
        name: 'Test',
        siteUrl: 'https://valombre.example',
      });
  });

  it('plans what it asks', async () => {
    const baseUrl = await serve(source);
    const follower = own();
    await syncOnce(follower, baseUrl);
    const plan = planSync(follower.mirror, baseUrl, { scope: wholeScope, rate: 60 });
    const { report } = await syncOnce(follower, baseUrl);
    expect([plan.requests, plan.stages.map(({ stage }) => stage)]).to.deep.equal([report.requests, ['follow']]);
  });

  it('tells what the last sync brought, whenever the other mirror had seen it', async () => {
    const baseUrl = await serve(source);
    const follower = own();
    const reportedChanges = () =>
      [...listChanges(follower.mirror, { since: lastFillStart(follower.mirror)! })].map(({ change, key }) => [
        change,
        key,
      ]);
    await syncOnce(follower, baseUrl);
    expect(reportedChanges().length).to.be.greaterThan(20);
    enumerate(source.mirror, 'politician', edited('Ministre'), day(2));
    await syncOnce(follower, baseUrl);
    expect(reportedChanges()).to.deep.equal([['edited', politicians()[2]!.slug]]);
    await syncOnce(follower, baseUrl);
    expect(reportedChanges()).to.deep.equal([]);
    const versions = readHistory(follower.mirror, kindOf('politician'), String(politicians()[2]!.slug)).versions;
    expect(versions.map(({ seen_from }) => seen_from)).to.deep.equal([day(2), day(1)]);
  });

  it('is as old as the mirror that it follows, unless only some kinds of it are asked for', async () => {
    const follower = own();
    const baseUrl = await serve(source);
    const filled = () => follower.mirror.column("SELECT value FROM meta WHERE key = 'synced_at'").get();
    await syncOnce(follower, baseUrl);
    expect(filled()).to.equal(day(1));
    saveMeta(source.mirror, 'synced_at', day(2));
    await syncOnce(follower, baseUrl, { scope: { ...wholeScope, only: ['politician'] } });
    expect(filled()).to.equal(day(1));
    await syncOnce(follower, baseUrl);
    expect(filled()).to.equal(day(2));
    source.mirror.sql("DELETE FROM meta WHERE key = 'synced_at'").run();
    enumerate(source.mirror, 'politician', edited('Ministre'), day(3));
    await syncOnce(follower, baseUrl);
    expect([...listChanges(follower.mirror, { since: day(2) })].length).to.equal(1);
    expect(filled()).to.equal(day(2));
  });

  it('finds words and ballots as the other one does', async () => {
    enumerate(source.mirror, 'politician', edited('Navigatrice hauturière'), day(2));
    const follower = own();
    const baseUrl = await serve(source);
    await syncOnce(follower, baseUrl);
    const ask = async (base: string, path: string) => {
      const answer = (await (await fetch(`${base}${path}`)).json()) as { items: Document[] };
      return answer.items;
    };
    const copy = await serve(follower);
    for (const path of ['/search?q=navigatrice', '/search?q=logement', '/ballots?limit=100', '/topics', '/feed']) {
      const one = await ask(baseUrl, path);
      const other = await ask(copy, path);
      expect(one, path).to.deep.equal(other);
      if (path !== '/search?q=logement') expect(one, path).not.to.deep.equal([]);
    }
  });

  it('mends what others wrote into it meanwhile', async () => {
    const baseUrl = await serve(source);
    const follower = own();
    await syncOnce(follower, baseUrl);
    enumerate(follower.mirror, 'politician', edited('Tout autre chose'), day(5));
    await syncOnce(follower, baseUrl);
    expect(wholeOf(follower.mirror)).to.deep.equal(wholeOf(source.mirror));
  });

  it('brings up to date only the kinds that were asked for, and the others later', async () => {
    const baseUrl = await serve(source);
    const follower = own();
    await syncOnce(follower, baseUrl, { scope: { ...wholeScope, only: ['party', 'quote'] } });
    const storedKinds = follower.mirror.database
      .prepare('SELECT DISTINCT kind FROM record ORDER BY kind')
      .pluck()
      .all();
    expect(storedKinds).to.deep.equal(['party', 'quote']);
    await syncOnce(follower, baseUrl);
    expect(wholeOf(follower.mirror)).to.deep.equal(wholeOf(source.mirror));
  });

  it('keeps its history where another mirror, or an older state, stands at the address', async () => {
    const baseUrl = await serve(source);
    const follower = own();
    enumerate(source.mirror, 'politician', edited('Ministre'), day(2));
    await syncOnce(follower, baseUrl);
    // What a backup brings back: the same journal, without its last note.
    source.mirror.database.exec('DELETE FROM journal');
    const { report, notes } = await syncOnce(follower, baseUrl, { isSteady: true });
    expect(notes.join()).to.include('now has another mirror');
    expect(report.exit).to.equal(0);
    const versions = readHistory(follower.mirror, kindOf('politician'), String(politicians()[2]!.slug)).versions;
    expect(versions.some(({ seen_to }) => seen_to === day(2))).to.equal(true);
  });

  it('says that another mirror stands at the address, and does not keep what that one lacks as current', async () => {
    const follower = own();
    const app = await createApp({
      mirror: openMirror(source.mirror.path),
      settings: { citation: { name: 'Test', siteUrl: null }, rateLimit: false, semantic: false },
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    await syncOnce(follower, `${address}/api/v1`);
    await app.close();
    const half = own();
    for (const kind of kinds) {
      const records = demoRecords(kind);
      enumerate(half.mirror, kind.name, records.slice(0, Math.ceil(records.length / 2)), day(1));
    }
    saveMeta(half.mirror, 'synced_at', day(2));
    const other = await createApp({
      mirror: openMirror(half.mirror.path),
      settings: { citation: { name: 'Test', siteUrl: null }, rateLimit: false, semantic: false },
    });
    opened.push({ close: () => other.close() });
    await other.listen({ host: '127.0.0.1', port: Number(new URL(address).port) });
    const { headers } = await fetch(`${address}/api/v1/export/dataset?entity=parties&format=csv`);
    expect(headers.get('hemicycle-mirror')).to.equal(journalName(half.mirror));
    const { report, notes } = await syncOnce(follower, `${address}/api/v1`);
    expect(notes.join(' ')).to.include('now has another mirror');
    expect(report.exit).to.equal(5);
    expect(report.quarantine.map(({ plural }) => plural)).to.include('quotes');
  });

  it('reads through the interface what was filled by other means, and keeps its history', async () => {
    const follower = own();
    enumerate(follower.mirror, 'politician', politicians(), day(1));
    enumerate(follower.mirror, 'politician', edited('Maire'), day(2));
    const { report } = await syncOnce(follower, await serve(source), { isSteady: true });
    expect(report.exit).to.equal(0);
    const versions = readHistory(follower.mirror, kindOf('politician'), String(politicians()[2]!.slug)).versions;
    expect(versions.map(({ document }) => document.current_role)).to.include('Maire');
  });

  it('is not told where files lie on the other machine', async () => {
    saveKindState(source.mirror, kindOf('politician'), { origin: '/home/ariane/politicians.csv' });
    const replicaText = await (await fetch(`${await serve(source)}/mirror`)).text();
    expect(replicaText).not.to.include('ariane');
  });

  it('says what the other one holds in part', async () => {
    saveMeta(source.mirror, 'base_url', 'https://service.example/api/v1');
    saveKindState(source.mirror, kindOf('politician'), { enumeratedAt: day(1) });
    const follower = own();
    const { report } = await syncOnce(follower, await serve(source));
    const partial = report.partial.map(({ kind }) => kind);
    expect(partial).to.include.members(['ballot', 'speech', 'audit']).and.not.include('politician');
    expect(readContents(follower.mirror).map(({ completeness }) => completeness)).to.deep.equal(
      readContents(source.mirror).map(({ completeness }) => completeness),
    );
  });

  describe('from a server that sends', () => {
    const servers = listeningServers();
    afterEach(() => servers.closeAll());
    let lines: string[];
    beforeEach(async () => {
      lines = (await (await fetch(`${await serve(source)}/mirror`)).text()).trimEnd().split('\n');
    });
    const sent = async (body: string[]) => {
      const follower = own();
      const baseUrl = await servers.serve((request, response) => {
        const isMirror = request.url!.startsWith('/api/v1/mirror');
        response.setHeader('hemicycle-mirror', '1');
        response.end(isMirror ? body.join('\n') : 'slug\nanne\n');
      });
      const { error } = await syncOnce(follower, baseUrl);
      expect(follower.mirror.column('SELECT count(*) FROM record').get(), 'records').to.equal(0);
      return error as ServiceAnswerError;
    };

    it('less than it announced, nothing is taken', async () => {
      const error = await sent(lines.filter((_, n) => n !== 5));
      expect([error.exit, error.message]).to.satisfy(
        ([exit, message]: [number, string]) => exit === 5 && message.includes('ends too early'),
      );
    });
    it('a document under the key of another, nothing is taken', async () => {
      const wrong = lines.map((line, n) => (n === 3 ? line.replace(/"key":"[^"]+"/, '"key":"other"') : line));
      expect((await sent(wrong)).message).to.match(/other: its document is of "/);
    });
    it('a moment that is none, nothing is taken', async () => {
      const wrong = lines.map((line, n) =>
        n === 3 ? line.replace(/"first_seen":"[^"]+"/, '"first_seen":"now"') : line,
      );
      expect((await sent(wrong)).message).to.include('"now" is not a valid time');
    });
    it('what is no mirror at all, nothing is taken', async () => {
      expect((await sent(['<html>'])).message).to.include('not what a Hemicycle sends');
    });
  });
});
