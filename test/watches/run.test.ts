import { statSync } from 'node:fs';
import { expect } from 'chai';
import { DeliveryError } from '../../src/errors.ts';
import { changeFacts } from '../../src/format/change-text.ts';
import type { Document } from '../../src/model/document.ts';
import { countMessages, newestMessages, reviveDeadMessages } from '../../src/store/outbox.ts';
import { withhold } from '../../src/store/saving/withhold.ts';
import { createTombstone } from '../../src/store/tombstones.ts';
import { openWatches, readWatchBook, watchPath } from '../../src/store/watch-book.ts';
import { editWatch, listWatches, removeWatch } from '../../src/store/watches.ts';
import type { MessageChannel } from '../../src/watches/channel.ts';
import { channelKinds, mailChannel } from '../../src/watches/channels.ts';
import type { MessageBody } from '../../src/watches/message.ts';
import { checkWatch } from '../../src/watches/watch-check.ts';
import { say, speechOf, verbatim } from '../../src/words/speech.ts';
import { openDesk, promise, type WatchDesk, webhook } from './watch-desk.ts';

const hour = 3_600_000;

describe('a watch', () => {
  let desk: WatchDesk;
  beforeEach(() => {
    desk = openDesk();
    desk.fill('politician', [{ slug: 'une-elue', full_name: 'Une Élue' }]);
    desk.fill('source', [{ id: 's1', title: 'Programme', url: 'https://source.example/p' }]);
    desk.fill('promise', [promise('p1', 'Des logements'), promise('p2', 'Des trains'), promise('p3', 'Un logement')]);
  });
  afterEach(() => desk.remove());

  const later = (ms = hour) => {
    desk.clock.nowMs += ms;
  };
  const reportedChanges = () => desk.delivered.flatMap(({ data }) => data.changes);
  const sorts = () => reportedChanges().map(({ change, key }) => `${change} ${key}`);

  it('knows what there is, and tells what is new, edited and withdrawn, once', async () => {
    expect(await desk.add('logement', 'search logement --type promise')).to.equal(2);
    expect(await desk.run()).to.include({ watches: 1, changes: 0, told: 0 });
    later();
    desk.fill('promise', [promise('p1', 'Mille logements'), promise('p2', 'Des trains'), promise('p4', 'Logement')]);
    expect(await desk.run()).to.include({ changes: 3, told: 1, waiting: 0 });
    expect(sorts()).to.have.members(['edited p1', 'new p4', 'withdrawn p3']);
    later();
    expect(await desk.run()).to.include({ changes: 0, told: 0 });
    expect(desk.delivered).to.have.length(1);
  });

  it('takes the first answer of a new version of the program as its baseline, and reports what changes after it', async () => {
    const ballot = (id: string, position: string, other: string): Document => ({
      ...{ scrutin_id: id, chamber: 'AN', date: '2026-01-01', title: "l'amendement n° 1" },
      votes_by_party: [
        { party: 'a', party_name: 'A', for: 3, against: 0, abstention: 0, non_voting: 0, position },
        { party: 'b', party_name: 'B', for: 3, against: 0, abstention: 0, non_voting: 0, position: other },
      ],
    });
    desk.fill('ballot', [ballot('1', 'pour', 'pour')]);
    await desk.add('pair', 'compare a b');
    // As an older version leaves it: no version in the mark, and rows under other identifiers.
    desk.book.sql("UPDATE watch SET mark = json_remove(mark, '$.answers')").run();
    desk.book.sql("UPDATE known SET key = 'old ' || key").run();
    later();
    expect(await desk.run()).to.include({ changes: 0, told: 0 });
    later();
    desk.fill('ballot', [ballot('1', 'pour', 'pour'), ballot('2', 'pour', 'contre')]);
    expect(await desk.run()).to.include({ changes: 1, told: 1 });
    expect(reportedChanges()[0]!.change).to.equal('edited');
  });

  it('forgets what is withheld, sends none of it, and goes on telling', async () => {
    const file: typeof webhook = { ...webhook, kind: 'file', target: [desk.path('w.atom')] };
    await desk.add('w', 'changes', { channels: [file, webhook] });
    await desk.add('q', 'feed --types promise', { channels: [{ ...file, target: [desk.path('q.atom')] }] });
    later();
    desk.fill('promise', [promise('p1', 'zqseedxw'), promise('p2', 'Des trains'), promise('p3', 'Un logement')]);
    desk.refuses.error = new DeliveryError(say`no`, say`no`);
    await desk.run();
    expect(desk.text('w.atom')).to.include('zqseedxw');
    withhold(desk.mirror, [createTombstone(desk.mirror, { kind: 'promise', key: 'p1', reason: 'objection' })]);
    desk.refuses.error = null;
    later();
    expect(await desk.run()).to.deep.include({ waiting: 0, troubles: [] });
    const leftoverFiles = ['w.atom', 'q.atom', 'mirror.db', 'mirror.db.watches'].filter((name) =>
      desk.text(name).includes('zqseedxw'),
    );
    expect(leftoverFiles).to.deep.equal([]);
    expect(JSON.stringify(desk.delivered)).not.to.include('zqseedxw');
    later();
    desk.fill('promise', [promise('p2', 'Des trams'), promise('p3', 'Un logement')]);
    await desk.run();
    expect(sorts()).to.deep.equal(['edited p2']);
  });

  it('tells field differences, sources, attribution and the command that shows more', async () => {
    await desk.add('logement', 'search logement --type promise');
    later();
    desk.fill('promise', [promise('p1', 'Mille logements'), promise('p2', 'Des trains'), promise('p3', 'Un logement')]);
    await desk.run();
    const [{ type, data }] = desk.delivered as [(typeof desk.delivered)[0]];
    expect([type, data.shown, data.more]).to.deep.equal(['watch.changes', 1, 0]);
    expect(data.changes[0]).to.deep.include({
      change: 'edited',
      kind: 'promise',
      key: 'p1',
      fields: [{ field: 'text', old: 'Des logements', new: 'Mille logements' }],
      sources: [{ id: 's1', title: 'Programme', publisher: null, date: null, url: 'https://source.example/p' }],
      url: 'https://source.example/p',
      show: 'hemicycle history promise p1',
    });
    expect(data.show).to.equal('hemicycle search logement --type promise');
    expect(data.attribution.text).to.match(/^Source: Service fictif \(https:\/\/fictif\.example\)/);
  });

  it('of changes tells those that this mirror saw since, the oldest first', async () => {
    await desk.add('elue', 'changes politicians une-elue');
    later();
    desk.fill('promise', [promise('p1', 'Un'), promise('p2', 'Des trains'), promise('p3', 'Un logement')]);
    later();
    desk.fill('promise', [promise('p1', 'Deux'), promise('p2', 'Des trains'), promise('p3', 'Un logement')]);
    await desk.run();
    expect(reportedChanges().map(({ fields }) => (fields as { new: string }[])[0]!.new)).to.deep.equal(['Un', 'Deux']);
    expect(desk.delivered[0]!.data.show).to.equal('hemicycle changes --politician une-elue --since 2026-03-01');
    expect(await desk.run()).to.include({ changes: 0 });
  });

  it('of changes tells whose record it is and what it said, also of one that is withdrawn', async () => {
    await desk.add('retraits', 'changes --kind promise', { changeTypes: ['withdrawn'] });
    later();
    desk.fill('promise', [promise('p1', 'Des logements'), promise('p2', 'Des trains')]);
    await desk.run();
    expect(reportedChanges()[0]).to.deep.include({
      change: 'withdrawn',
      key: 'p3',
      record: { person: 'Une Élue', date: '2026-01-01', text: 'Un logement' },
    });
    expect(reportedChanges()[0]!.sources).to.have.length(1);
  });

  it('of a group tells each ballot in which it stands, with how it voted, and no other', async () => {
    const votes = (party: string, position: string) => ({
      ...{ party, party_name: party, position, for: 3, against: 1, abstention: null, non_voting: null },
    });
    const ballot = (id: string, ...groups: object[]) =>
      ({
        scrutin_id: id,
        chamber: 'AN',
        title: `Scrutin ${id}`,
        date: '2026-02-01',
        votes_by_party: groups,
      }) as Document;
    const before = [ballot('V1', votes('les-verts', 'pour'))];
    desk.fill('ballot', before);
    await desk.add('groupe', 'group les-verts');
    later();
    desk.fill('ballot', [
      ...before,
      ballot('V2', votes('les-verts', 'contre'), votes('autres', 'pour')),
      ballot('V3', votes('autres', 'pour')),
    ]);
    await desk.run();
    expect(reportedChanges().map(({ key }) => key)).to.deep.equal(['AN:V2']);
    expect(changeFacts(reportedChanges()[0]!, speechOf('en'))[0]).to.equal('les-verts: contre (3 for, 1 against)');
  });

  it('of one record tells its edits, and that it is withdrawn', async () => {
    await desk.add('elue', 'politicians une-elue');
    later();
    desk.fill('politician', [{ slug: 'une-elue', full_name: 'Une Élue', current_role: 'Sénatrice' }]);
    await desk.run();
    later();
    desk.fill('politician', [{ slug: 'autre', full_name: 'Une Autre' }]);
    await desk.run();
    expect(sorts()).to.deep.equal(['edited une-elue', 'withdrawn une-elue']);
    expect(desk.watch('elue').trouble).to.equal(null);
  });

  it('tells only the sorts of change that are asked for', async () => {
    await desk.add('retraits', 'feed', { changeTypes: ['withdrawn'] });
    later();
    desk.fill('promise', [promise('p1', 'Mille logements'), promise('p2', 'Des trains'), promise('p4', 'Neuf')]);
    await desk.run();
    expect(sorts()).to.deep.equal(['withdrawn p3']);
  });

  it('tells a silence once, and once that it is over', async () => {
    await desk.add('silence', 'silence sync 2d');
    later(47 * hour);
    await desk.run();
    expect(reportedChanges()).to.deep.equal([]);
    later(2 * hour);
    await desk.run();
    later();
    await desk.run();
    expect(sorts()).to.deep.equal(['silent sync']);
    desk.fill('promise', [promise('p1', 'Des logements')]);
    await desk.run();
    expect(sorts()).to.deep.equal(['silent sync', 'over sync']);
    expect(desk.delivered[0]!.data.show).to.equal('hemicycle status');
  });

  it('of the moderation log knows more than a page, and tells what comes alone', async () => {
    const entry = (n: number) => ({
      id: `a${n}`,
      role: 'moderator',
      date: new Date(n * 60_000).toISOString(),
    });
    const entries = Array.from({ length: 301 }, (_, n) => entry(n));
    desk.fill('audit', entries.slice(0, 300));
    expect(await desk.add('journal', 'audit')).to.equal(300);
    later();
    desk.fill('audit', entries);
    await desk.run();
    expect(sorts()).to.deep.equal(['new a300']);
  });

  it('tells each its own, where several ask the same', async () => {
    for (const name of ['a', 'b', 'c']) await desk.add(name, 'feed --types promise');
    await desk.add('d', 'feed --types promise', { changeTypes: ['withdrawn'] });
    await desk.add('e', 'changes --kind promise', { changeTypes: ['edited'] });
    await desk.add('f', 'changes --kind promise');
    later();
    desk.fill('promise', [promise('p1', 'Mille logements'), promise('p2', 'Des trains')]);
    await desk.run();
    const toldTo = (name: string) =>
      desk.delivered
        .filter(({ data }) => data.watch.name === name)
        .flatMap(({ data }) => data.changes.map(({ change, key }) => `${change} ${key}`));
    for (const name of ['a', 'b', 'c', 'f']) expect(toldTo(name), name).to.have.members(['edited p1', 'withdrawn p3']);
    expect(toldTo('d')).to.deep.equal(['withdrawn p3']);
    expect(toldTo('e')).to.deep.equal(['edited p1']);
  });

  it('tells a program all of many, in several messages that say which part they are', async () => {
    await desk.add('tout', 'changes --kind promise');
    later();
    desk.fill(
      'promise',
      Array.from({ length: 1362 }, (_, n) => promise(`n${n}`, 'x')),
    );
    const { changes } = await desk.run();
    expect(changes).to.equal(1365);
    expect(desk.delivered.map(({ data }) => data.part)).to.deep.equal(
      Array.from({ length: 28 }, (_, n) => ({ number: n + 1, of: 28 })),
    );
    expect(new Set(reportedChanges().map(({ id }) => id)).size).to.equal(1365);
    expect(desk.delivered.every(({ data }) => data.more === 0)).to.equal(true);
    expect(new Set(desk.delivered.map(({ id }) => id)).size).to.equal(28);
  });

  it('with a digest by day tells what a day brought once it is over', async () => {
    await desk.add('jour', 'changes', { digest: 'day' });
    for (const text of ['Un', 'Deux']) {
      later();
      desk.fill('promise', [promise('p1', text), promise('p2', 'Des trains'), promise('p3', 'Un logement')]);
      await desk.run();
    }
    expect(desk.delivered).to.deep.equal([]);
    later(24 * hour);
    await desk.run();
    expect(desk.delivered.map(({ data }) => data.shown)).to.deep.equal([2]);
  });

  it('goes on by what rows say where the mirror is made anew, and says that changes are not known', async () => {
    await desk.add('logement', 'search logement --type promise');
    await desk.add('tout', 'changes');
    const { mirror } = desk;
    mirror.sql("UPDATE meta SET value = 'another' WHERE key = 'journal'").run();
    later();
    desk.fill('promise', [promise('p1', 'Des logements'), promise('p3', 'Un logement'), promise('p5', 'Logement')]);
    const { troubles } = await desk.run();
    expect(sorts()).to.deep.equal(['new p5']);
    expect(troubles).to.have.length(1);
    expect(troubles[0]!.trouble).to.match(/replaced or recreated/);
    later();
    desk.fill('promise', [promise('p5', 'Logement')]);
    expect((await desk.run()).troubles).to.deep.equal([]);
    expect(sorts()).to.include('withdrawn p3');
  });

  it('tries again what was not taken, at greater and greater distances, then gives it up; that can be taken up again', async () => {
    await desk.add('tout', 'changes');
    later();
    desk.fill('promise', [promise('p9', 'Neuf')]);
    desk.refuses.error = new DeliveryError('receiver.example', verbatim('answered 503'));
    expect(await desk.run()).to.include({ failed: 1, waiting: 1 });
    expect(await desk.run()).to.include({ failed: 0, waiting: 1 });
    for (let hours = 0; hours < 40 && countMessages(desk.book, 'dead') === 0; hours += 1) {
      later();
      await desk.run();
    }
    expect(countMessages(desk.book, 'dead')).to.equal(1);
    const [dead] = newestMessages(desk.book, { watch: null, limit: 10 });
    expect(dead).to.include({ watch: 'tout', attempts: 8, error: 'receiver.example: answered 503' });
    desk.refuses.error = null;
    expect(await desk.run()).to.include({ told: 0, dead_in_all: 1 });
    reviveDeadMessages(desk.book, new Date(desk.clock.nowMs).toISOString());
    expect(await desk.run()).to.include({ told: 1, waiting: 0, dead_in_all: 0 });
    expect(desk.delivered[0]!.id).to.equal(dead!.key);
  });

  it('tells people many in one message, with some of them and how many more there are', async () => {
    const sent: MessageBody[] = [];
    const board: MessageChannel = {
      ...mailChannel,
      name: 'board',
      send: async (_, { body }) => void sent.push(body),
    };
    desk.remove();
    desk = openDesk(board);
    await desk.add('tout', 'changes --kind promise', { channels: [{ ...webhook, kind: 'board' }] });
    later();
    desk.fill(
      'promise',
      Array.from({ length: 90 }, (_, n) => promise(`n${n}`, 'x')),
    );
    await desk.run();
    expect(sent.map(({ data: { shown, more, part } }) => ({ shown, more, part }))).to.deep.equal([
      { shown: 50, more: 40, part: undefined },
    ]);
  });

  it('sends nothing more where a receiver is gone for good, and says so once by its other channels', async () => {
    const other = { ...webhook, target: ['https://other.example/hook'] };
    await desk.add('tout', 'changes --kind promise', { channels: [webhook, other] });
    const finalError = new DeliveryError('receiver.example', verbatim('answered 410'));
    finalError.isFinal = true;
    Object.assign(desk.refuses, { error: finalError, url: webhook.target[0] });
    later();
    desk.fill('promise', [promise('p9', 'Neuf')]);
    expect(await desk.run()).to.include({ told: 1, dead: 1, waiting: 1 });
    later();
    desk.fill('promise', [promise('p10', 'Dix')]);
    expect(await desk.run()).to.include({ failed: 0, dead: 0, waiting: 0 });
    later();
    expect(await desk.run()).to.include({ told: 0, failed: 0, dead: 0 });
    expect(sorts().filter((sort) => sort.startsWith('closed'))).to.have.length(1);
    expect(desk.watch('tout').channels.map(({ disabledAt }) => disabledAt !== null)).to.deep.equal([true, false]);
    desk.refuses.error = null;
    reviveDeadMessages(desk.book, new Date(desk.clock.nowMs).toISOString());
    expect((await desk.run()).told).to.be.greaterThan(0);
    expect(desk.watch('tout').channels[0]!.disabledAt).to.equal(null);
  });

  it('waits for no receiver that does not answer while it tells others', async () => {
    const hosts = Array.from({ length: 6 }, (_, n) => ({ ...webhook, kind: 'slow', target: [`host-${n}`] }));
    const startedHosts = new Set<string>();
    let endAll = () => {};
    const everybody = new Promise<void>((end) => {
      endAll = end;
    });
    const slow: MessageChannel = {
      ...mailChannel,
      name: 'slow',
      receiverOf: ({ target }) => target[0]!,
      send({ target: [host] }) {
        startedHosts.add(host!);
        // Ends only where all six are asked at once.
        if (startedHosts.size === hosts.length) endAll();
        return everybody;
      },
    };
    desk.remove();
    desk = openDesk(slow);
    await desk.add('tout', 'changes --kind promise', { channels: hosts });
    later();
    desk.fill('promise', [promise('p9', 'Neuf')]);
    expect(await desk.run()).to.include({ told: 6, waiting: 0 });
  });

  it('that rests neither looks nor tells; going on, it tells what changed meanwhile', async () => {
    await desk.add('tout', 'changes --kind promise');
    const set = (pausedAt: string | null) => editWatch(desk.book, { ...desk.watch('tout'), pausedAt });
    set('2026-03-01T06:00:00.000Z');
    later();
    desk.fill('promise', [promise('p9', 'Neuf')]);
    expect(await desk.run()).to.include({ watches: 0, told: 0 });
    set(null);
    expect(await desk.run()).to.include({ watches: 1, told: 1 });
  });

  it('of a file that the version before wrote is read, and opened to be written', () => {
    const { database } = desk.book;
    database.exec(`ALTER TABLE watch DROP COLUMN paused_at; ALTER TABLE channel DROP COLUMN gone_at;
      ALTER TABLE channel DROP COLUMN former_secret; ALTER TABLE channel DROP COLUMN former_until;
      PRAGMA user_version = 1`);
    expect(readWatchBook(desk.db, (book) => listWatches(book))).to.deep.equal([]);
    openWatches(desk.db).close();
    expect(database.pragma('user_version', { simple: true })).to.equal(2);
  });

  it('that is refused at its address keeps no other of the same host waiting; where nobody answers, all wait', async () => {
    const other = { ...webhook, target: ['https://receiver.example/other'] };
    await desk.add('a', 'changes');
    await desk.add('b', 'changes', { channels: [other] });
    desk.refuses.url = webhook.target[0]!;
    desk.refuses.error = new DeliveryError('receiver.example', verbatim('answered 404'));
    later();
    desk.fill('promise', [promise('p9', 'Neuf')]);
    expect(await desk.run()).to.include({ failed: 1, told: 1, waiting: 1 });
    const unanswered = new DeliveryError('receiver.example', verbatim('the connection was refused'));
    unanswered.isUnanswered = true;
    desk.refuses.error = unanswered;
    later();
    desk.fill('promise', [promise('p10', 'Dix')]);
    expect(await desk.run()).to.include({ failed: 1, told: 0, waiting: 3 });
  });

  it('tells nothing before an older message of its channel that waits', async () => {
    await desk.add('tout', 'changes');
    later();
    desk.fill('promise', [promise('p9', 'Neuf')]);
    desk.refuses.error = new DeliveryError('receiver.example', verbatim('answered 503'));
    await desk.run();
    desk.refuses.error = null;
    later(1000);
    desk.fill('promise', [promise('p9', 'Neuf'), promise('p10', 'Dix')]);
    expect(await desk.run()).to.include({ told: 0, failed: 0, waiting: 2 });
    later();
    expect(await desk.run()).to.include({ told: 2, waiting: 0 });
    expect(sorts().filter((sort) => sort.startsWith('added'))).to.deep.equal(['added p9', 'added p10']);
  });

  it('that is removed while it looks tells nothing, and ends no run', async () => {
    for (const [name, words] of [
      ['tout', 'changes'],
      ['logement', 'search logement --type promise'],
    ] as const)
      await desk.add(name, words);
    later();
    desk.fill('promise', [promise('p9', 'Un logement')]);
    for (const name of ['tout', 'logement']) {
      const looking = checkWatch(desk.book, desk.mirror, desk.watch(name), {
        nowMs: desk.clock.nowMs,
        kinds: channelKinds,
      });
      removeWatch(desk.book, name);
      expect(await looking).to.equal(0);
    }
  });

  it('writes a feed that holds each change once, under an id that stays', async () => {
    const file = { kind: 'file' as const, target: [desk.path('f.atom')], secret: null, isPrivate: false };
    await desk.add('logement', 'search logement --type promise', { channels: [file] });
    await desk.run();
    expect(desk.text('f.atom')).to.include('<title>logement · Service fictif</title>');
    later();
    desk.fill('promise', [promise('p1', 'Mille logements'), promise('p4', 'Logement <b>')]);
    await desk.run();
    const atom = desk.text('f.atom');
    const entries = atom.split('<entry>').slice(1);
    expect(entries.map((each) => /<title>(.*?)<\/title>/.exec(each)![1])).to.have.members([
      'Edited: promise of Une Élue (text), “Promesse p1”',
      'New: promise of Une Élue, “Promesse p4”',
      'Withdrawn: promise of Une Élue, “Promesse p3”',
    ]);
    expect(entries.find((each) => /“Promesse p1”/.test(each)))
      .to.include('&lt;ins&gt;Mille&lt;/ins&gt;')
      .and.include('&lt;a href=&quot;https://source.example/p&quot;&gt;Programme&lt;/a&gt;')
      .and.include('&lt;code&gt;hemicycle history promise p1&lt;/code&gt;');
    const ids = entries.map((each) => /<id>(.*?)<\/id>/.exec(each)![1]);
    expect(new Set(ids).size).to.equal(ids.length);
    later();
    await desk.run();
    expect(desk.text('f.atom')).to.equal(atom);
  });

  it('is kept in a file of its own beside the mirror that its user alone can read', async () => {
    await desk.add('logement', 'search logement --type promise');
    expect(statSync(watchPath(desk.db)).mode & 0o777).to.equal(0o600);
    const tables = desk.mirror.column<string>('SELECT name FROM sqlite_master').all();
    expect(tables).to.not.include('watch');
    expect(await desk.add('logement', 'topics')).to.equal(undefined);
    expect(removeWatch(desk.book, 'logement')).to.equal(true);
    expect(removeWatch(desk.book, 'logement')).to.equal(false);
    expect(desk.book.database.prepare('SELECT count(*) FROM content').pluck().get()).to.equal(0);
  });

  it('whose question cannot be answered any more says why, and the others go on', async () => {
    await desk.add('parti', 'politicians --party un-parti').catch(() => {});
    desk.fill('party', [{ slug: 'un-parti', name: 'Un Parti' }]);
    await desk.add('parti', 'politicians --party un-parti');
    await desk.add('tout', 'changes');
    later();
    desk.fill('party', [{ slug: 'autre-parti', name: 'Autre Parti' }]);
    const report = await desk.run();
    expect(report).to.include({ watches: 2, told: 1 });
    expect(report.troubles.map(({ watch }) => watch)).to.deep.equal(['parti']);
    expect(desk.watch('parti').trouble).to.match(/un-parti/);
  });
});
