import { expect } from 'chai';
import { ask } from '../../../src/index.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { changes } from '../../../src/questions/changes.ts';
import { readValues } from '../../../src/questions/parameter.ts';
import { records } from '../../../src/questions/record.ts';
import { saveMeta } from '../../../src/store/mirror.ts';
import { openScratchMirror } from '../../../src/store/open.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt, walkAt } from '../../questions/question-results.ts';
import { demoRecords } from '../../server/demo-server.ts';

describe('the question for changes', () => {
  const night = readTwoNights();
  const since = '2026-11-02';
  const changeRows = (parameters: Record<string, unknown>) =>
    fieldsAt(night.now, changes, ['change', 'kind', 'key'], { since, ...parameters });

  it('tells what came, was edited and was withdrawn since a moment', async () => {
    expect(await changeRows({})).to.have.deep.members([
      ['edited', 'politician', 'oceane-bruyevre'],
      ['added', 'politician', 'zoe-nouvelle'],
      ['added', 'party', 'parti-neuf'],
      ['added', 'ballot', 'AN:VAL1V99'],
      ['added', 'audit', 'audit-99999'],
      ['edited', 'promise', 'promise-bruyevre-2025-001'],
      ['withdrawn', 'promise', 'promise-bruyevre-2025-003'],
    ]);
  });

  it('takes words as searches and lists do: of the records added, those that a list has', async () => {
    const queries = ['"trains de nuit"', 'trains -nuit', 'train*', 'retraites sans gardiens', 'bruyevre retraites'];
    queries.push('ADR logement', 'novembre 2025', '"nuit de trains"', 'mot xylophage', '!!!');
    const added = { since: '2000-01-01', only: 'added', limit: 100 };
    const totals: number[] = [];
    for (const q of queries)
      for (const kind of ['promise', 'content', 'speech', 'ballot']) {
        const listed = (
          await fieldsAt(night.past, records, ['id', 'chamber', 'scrutin_id'], { q, kind, limit: 100 })
        ).map(([id, chamber, scrutin]) => id ?? `${chamber}:${scrutin}`);
        const keys = (await fieldsAt(night.past, changes, ['key'], { q, kind, ...added })).flat();
        expect(keys, `${q}, ${kind}`).to.have.members(listed);
        totals.push(keys.length);
      }
    expect(totals.filter((total) => total > 0).length).to.be.greaterThan(10);
  });

  it('takes kinds in the singular and the plural, and several', async () => {
    expect((await changeRows({ kind: 'promises' })).map(([change]) => change)).to.have.members(['edited', 'withdrawn']);
    expect(await changeRows({ kind: 'party,ballot' })).to.have.length(2);
    expect(await refusalAt(night.now, changes, { kind: 'promis' })).to.include({
      hint: 'did you mean: promise?',
    });
  });

  it('takes a politician, and a party with who stated it', async () => {
    const keys = async (parameters: Record<string, unknown>) => (await changeRows(parameters)).map(([, , key]) => key);
    expect(await keys({ politician: 'Océane Bruyèvre' })).to.have.members([
      'oceane-bruyevre',
      'promise-bruyevre-2025-001',
      'promise-bruyevre-2025-003',
    ]);
    expect(await keys({ party: 'PN' })).to.have.members(['parti-neuf', 'zoe-nouvelle']);
  });

  it('takes a topic, sorts of change, and words of the record or of what was edited away', async () => {
    expect(await changeRows({ topic: 'Fanaux' })).to.have.length(1);
    expect(await changeRows({ only: 'edited,withdrawn' })).to.have.length(3);
    expect(await changeRows({ only: 'edited', kind: 'promise' })).to.have.length(1);
    const [edit] = await itemsAt(night.now, changes, { since, only: 'edited', kind: 'promise' });
    const [{ old, new: next }] = edit!.fields as [{ old: string; new: string }];
    for (const words of [old, next].map((text) => text.split(' ').slice(0, 6).join(' ')))
      expect(await changeRows({ q: words, only: 'edited' }), words).to.deep.include([
        ...['edited', 'promise', 'promise-bruyevre-2025-001'],
      ]);
    expect(await changeRows({ q: 'zygomatique' })).to.deep.equal([]);
    expect(await refusalAt(night.now, changes, { since, topic: 'fanal' })).to.include({ exit: 3 });
    expect(await refusalAt(night.now, changes, { since, only: 'edit' })).to.include({ exit: 2 });
  });

  it('finds by its index of words what reading every change finds', async () => {
    // An index of other rules is not asked.
    const read = openScratchMirror(night.now.path);
    saveMeta(read, 'analyser', '0');
    const promiseTexts = demoRecords(kindOf('promise')).map(({ text }) => String(text));
    const words = new Set(promiseTexts.flatMap((text) => text.split(' ').filter((word) => word.length > 5)));
    for (const q of [...words, 'Océane', 'Bruyèvre retraites', 'amendement', 'zygomatique']) {
      const all = { since: '2000', q, limit: 100 };
      const [items, asRead] = await Promise.all([night.now, read].map((from) => itemsAt(from, changes, all)));
      expect(items, q).to.deep.equal(asRead);
    }
    read.close();
  });

  it('counts `until` to the end of its day, and reads all before where no beginning is named', async () => {
    expect(await changeRows({ until: '2026-11-04' })).to.deep.equal([]);
    expect(await changeRows({ until: '2026-11-05' })).to.have.length(7);
    const { extra } = await ask(night.now, changes, { until: '2026-10-31', limit: 1 });
    expect(extra).to.include({
      since: '1970-01-01T00:00:00.000Z',
      until: '2026-10-31T22:59:59.999Z',
    });
  });

  it('tells every change once over all pages, in one order', async () => {
    const { pages } = await walkAt(night.now, changes, { since, limit: 3 });
    expect(pages.map((page) => page.length)).to.deep.equal([3, 3, 1]);
    expect(pages.flat().map(({ change, kind, key }) => [change, kind, key])).to.deep.equal(await changeRows({}));
  });

  it('says where its history begins after what was asked for', async () => {
    const notes = async (moment: string) =>
      (await ask(night.now, changes, { since: moment, limit: 1 })).notes!().map(String);
    expect(await notes('2026-10-01')).to.deep.equal([
      'as detected by this mirror since 2026-09-30T22:00:00.000Z',
      'its history starts at 2026-11-01T06:00:00.000Z: older records were added then',
    ]);
    expect(await notes('2026-11-02')).to.have.length(1);
  });

  it('refuses what is no moment, and a mirror that was never filled', async () => {
    expect(await refusalAt(night.now, changes, { since: 'hiver 2026' })).to.include({
      exit: 2,
      message: '--since must be a date: 2025, 2026-04, 31/12/2025, yesterday, last month or 7d',
    });
    const empty = createTemporaryMirror();
    expect(await refusalAt(empty.mirror, changes)).to.deep.equal({
      exit: 2,
      message: 'this mirror was never synced',
      hint: 'give a time with --since',
    });
    empty.remove();
  });

  it('counts the same changes by kind', async () => {
    const { values } = readValues(changes.parameters, { since, limit: '2' });
    const counted = (await ask(night.now, changes, values)).countAll!()!;
    expect(counted.total).to.equal(7);
    expect(Object.fromEntries(counted.counts.get('promise')!)).to.deep.equal({ edited: 1, withdrawn: 1 });
  });
});
