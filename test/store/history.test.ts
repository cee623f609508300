import { expect } from 'chai';
import { NotFoundError, StaleError } from '../../src/errors.ts';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { changes } from '../../src/store/changes.ts';
import { saveDetail } from '../../src/store/detail.ts';
import { feedTypes, listFeed } from '../../src/store/feed.ts';
import { history } from '../../src/store/history.ts';
import { columnsSeen } from '../../src/store/kind-state.ts';
import { openPast } from '../../src/store/past.ts';
import { listPoliticians } from '../../src/store/politicians.ts';
import { politicianProfile } from '../../src/store/profile.ts';
import { readRecord } from '../../src/store/record.ts';
import { rows } from '../../src/store/rows.ts';
import { createSaver, withdrawUnseen } from '../../src/store/save.ts';
import { atOnce } from '../../src/store/transaction.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T06:00:00.000Z`;

describe('the history of a mirror', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(() => own.remove());

  /** A complete enumeration of a kind, as a dataset brings it. */
  const enumerate = (kind: KindName, documents: Document[], at: string) =>
    atOnce(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf(kind), { at });
      for (const document of documents) saver.save(document);
      withdrawUnseen(own.mirror, kindOf(kind), saver.seen, at);
      saver.finish();
    });
  const detail = (document: Document, at: string) =>
    atOnce(own.mirror, () => saveDetail(own.mirror, kindOf('politician'), document, { at }));
  const told = (since: string, more = {}) =>
    [...changes(own.mirror, { since, ...more })].map(({ seen_at, change, key, fields }) => [
      seen_at.slice(8, 10),
      change,
      key,
      ...fields.map(({ field, old, new: next }) => `${field}: ${old} → ${next}`),
    ]);

  const anne = { slug: 'anne', full_name: 'Anne Delmarais', party: 'alliance', current_role: 'Députée' };
  const bert = { slug: 'bert', full_name: 'Bert Ondoyer', party: 'verger', current_role: null };

  it('tells what was added, edited, withdrawn and returned, the newest first', () => {
    enumerate('politician', [anne, bert], day(1));
    enumerate('politician', [{ ...anne, current_role: 'Ministre' }, bert], day(2));
    enumerate('politician', [{ ...anne, current_role: 'Ministre' }], day(3));
    enumerate(
      'politician',
      [
        { ...anne, current_role: 'Ministre' },
        { ...bert, party: 'alliance' },
      ],
      day(4),
    );
    expect(told(day(0))).to.deep.equal([
      ['04', 'returned', 'bert', 'party: verger → alliance'],
      ['03', 'withdrawn', 'bert'],
      ['02', 'edited', 'anne', 'current_role: Députée → Ministre'],
      ['01', 'added', 'anne'],
      ['01', 'added', 'bert'],
    ]);
    expect(told(day(2)).length).to.equal(2);
    expect(told(day(4))).to.deep.equal([]);
  });

  it('tells every edit of a record with what it then said', () => {
    for (const [index, role] of ['a', 'b', 'c'].entries())
      enumerate('politician', [{ ...anne, current_role: role }], day(index + 1));
    expect(told(day(1))).to.deep.equal([
      ['03', 'edited', 'anne', 'current_role: b → c'],
      ['02', 'edited', 'anne', 'current_role: a → b'],
    ]);
  });

  it('tells an edit once that reaches it in the row and then in the full document', () => {
    enumerate('politician', [anne], day(1));
    detail({ ...anne, positions: [{ title: 'x' }] }, day(1));
    enumerate('politician', [{ ...anne, current_role: 'Ministre' }], day(2));
    detail({ ...anne, current_role: 'Ministre', positions: [{ title: 'x' }] }, day(3));
    expect(told(day(1))).to.deep.equal([['02', 'edited', 'anne', 'current_role: Députée → Ministre']]);
    detail({ ...anne, current_role: 'Ministre', positions: [] }, day(4));
    expect(told(day(3)).map(([at, change]) => [at, change])).to.deep.equal([['04', 'edited']]);
  });

  it('keeps what two savers of one kind bring at once, with the columns of both', () => {
    atOnce(own.mirror, () => {
      const [one, other] = [1, 2].map(() => createSaver(own.mirror, kindOf('politician'), { at: day(1) }));
      one!.save({ ...anne, born: 1970 });
      other!.save({ ...bert, seat: 12 });
      one!.save({ ...bert, slug: 'carl' });
      for (const saver of [one, other]) saver!.finish();
    });
    const kind = kindOf('politician');
    expect([...rows(own.mirror, kind)].map(({ slug }) => slug)).to.deep.equal(['anne', 'bert', 'carl']);
    expect(columnsSeen(own.mirror, kind)).to.include.members(['born', 'seat']);
  });

  it('tells no change where a dataset completes what a list or a profile brought first', () => {
    detail({ ...anne, bio: 'Née à Brume.' }, day(1));
    atOnce(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(1), partial: true });
      saver.save({ slug: 'bert', full_name: 'Bert Ondoyer' });
      saver.finish();
    });
    enumerate('politician', [anne, bert], day(2));
    expect(told(day(1))).to.deep.equal([]);
    expect(told(day(0))).to.deep.equal([
      ['01', 'added', 'anne'],
      ['01', 'added', 'bert'],
    ]);
  });

  it('takes what a list shortens or leaves out for no edit of the row that a dataset gave', () => {
    enumerate('politician', [{ ...anne, bio: 'Née à Brume, au bord de la mer.' }], day(1));
    const outcome = atOnce(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(2), partial: true });
      return saver.save({ slug: 'anne', bio: 'Née à Brume…', party: { slug: 'alliance' } });
    });
    expect(outcome).to.equal('same');
    expect(told(day(1))).to.deep.equal([]);
  });

  it('takes the texts of a CSV file for no edit of the numbers and truth values that they write out', () => {
    const typed = { ...anne, terms: 2, rate: 1.5, active: true, nickname: '' };
    enumerate('politician', [typed], day(1));
    const outcome = atOnce(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(2), once: true, untyped: true });
      return saver.save({ ...anne, terms: '2', rate: '1.5', active: 'true', nickname: null });
    });
    expect(outcome).to.equal('same');
    expect(readRecord(own.mirror, kindOf('politician'), 'anne')).to.deep.equal(typed);
    atOnce(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(3), once: true, untyped: true });
      saver.save({ ...anne, terms: '3', rate: '1.5', active: 'true', nickname: null });
      saver.finish();
    });
    expect(told(day(1))).to.deep.equal([['03', 'edited', 'anne', 'terms: 2 → 3']]);
  });

  it('is asked by kind and by politician', () => {
    enumerate('politician', [anne, bert], day(1));
    enumerate('promise', [{ id: 'p1', politician: 'anne', title: 'Un phare' }], day(1));
    enumerate('quote', [{ id: 'q1', politician: 'bert', text: 'Oui' }], day(1));
    const kinds = [kindOf('promise'), kindOf('quote')];
    expect(told(day(0), { kinds }).map(([, , key]) => key)).to.have.members(['p1', 'q1']);
    expect(told(day(0), { politician: 'anne' }).map(([, , key]) => key)).to.have.members(['anne', 'p1']);
  });

  it('shows every version of a record, also of one that is withdrawn', () => {
    enumerate('politician', [anne, bert], day(1));
    enumerate('politician', [anne, { ...bert, current_role: 'Sénateur' }], day(2));
    enumerate('politician', [anne], day(3));
    const { key, versions } = history(own.mirror, kindOf('politician'), 'bert');
    expect(key).to.equal('bert');
    expect(versions.map(({ seen_from, seen_to, ended_by }) => [seen_from, seen_to, ended_by])).to.deep.equal([
      [day(2), day(3), 'withdrawn'],
      [day(1), day(2), 'edited'],
    ]);
    expect(versions[0]!.changes).to.deep.equal([{ field: 'current_role', old: null, new: 'Sénateur' }]);
    expect(versions[1]!.document).to.deep.equal(bert);
    expect(() => history(own.mirror, kindOf('politician'), 'chloe')).to.throw(NotFoundError);
    expect(history(own.mirror, kindOf('politician'), 'Anne Delmarais').key).to.equal('anne');
  });

  it('finds a ballot by its id alone', () => {
    enumerate('ballot', [{ scrutin_id: '2026-1', chamber: 'Senat', title: 'Phares' }], day(1));
    expect(history(own.mirror, kindOf('ballot'), '2026-1').key).to.equal('Senat:2026-1');
  });

  it('answers as the mirror stood then: rows, filters, names, profiles and exports', () => {
    const promise = { id: 'p1', politician: 'anne', topic: 'mer', date: '2026-01-01', title: 'Un phare' };
    enumerate('politician', [anne, bert], day(1));
    enumerate('promise', [promise], day(1));
    detail({ ...anne, bio: 'Première.' }, day(2));
    enumerate('politician', [{ ...anne, full_name: 'Anne Tournevent', party: 'verger' }], day(3));
    enumerate(
      'promise',
      [
        { ...promise, topic: 'ciel' },
        { ...promise, id: 'p2' },
      ],
      day(3),
    );
    detail({ ...anne, full_name: 'Anne Tournevent', party: 'verger', bio: 'Seconde.' }, day(3));

    const first = openPast(own.mirror.path, day(1));
    expect([...rows(first, kindOf('politician'))]).to.deep.equal([anne, bert]);
    expect(politicianProfile(first, 'anne')).to.include({ bio: null, party: 'alliance' });
    first.close();

    const second = openPast(own.mirror.path, day(2));
    const keys = (filter: object) =>
      listPoliticians(second, { limit: 9, ...filter }).items.map((item) => JSON.parse(item).slug);
    expect(keys({})).to.deep.equal(['anne', 'bert']);
    expect(keys({ party: 'verger' })).to.deep.equal(['bert']);
    expect(keys({ q: 'delma' })).to.deep.equal(['anne']);
    expect(keys({ q: 'tournevent' })).to.deep.equal([]);
    expect(politicianProfile(second, 'anne')).to.include({ bio: 'Première.', party: 'alliance' });
    expect(listFeed(second, { topic: 'mer', limit: 9 }).items.length).to.equal(1);
    expect(listFeed(second, { topic: 'ciel', limit: 9 }).total).to.equal(0);
    second.close();

    const third = openPast(own.mirror.path, day(3));
    expect(readRecord(third, kindOf('politician'), 'bert')).to.equal(undefined);
    expect(listFeed(third, { types: [...feedTypes], limit: 9 }).total).to.equal(2);
    expect(listPoliticians(third, { q: 'tournevent', limit: 9 }).total).to.equal(1);
    third.close();
  });

  it('shows a record between its withdrawal and its return as not there', () => {
    enumerate('politician', [anne, bert], day(1));
    enumerate('politician', [anne], day(2));
    enumerate('politician', [anne, bert], day(4));
    const there = [day(1), day(3), day(5)].map((at) => {
      const past = openPast(own.mirror.path, at);
      const found = readRecord(past, kindOf('politician'), 'bert') !== undefined;
      past.close();
      return found;
    });
    expect(there).to.deep.equal([true, false, true]);
  });

  it('refuses a moment before its first record', () => {
    enumerate('politician', [anne], day(5));
    expect(() => openPast(own.mirror.path, day(4)))
      .to.throw(StaleError)
      .with.property('exit', 8);
  });
});
