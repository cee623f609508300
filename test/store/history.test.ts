import { expect } from 'chai';
import { NotFoundError, StaleError } from '../../src/errors.ts';
import { withdrawalText } from '../../src/format/change-text.ts';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { listChanges } from '../../src/store/history/changes.ts';
import { readHistory } from '../../src/store/history/history.ts';
import { openPast } from '../../src/store/history/past.ts';
import { storedColumns } from '../../src/store/kind-state.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { readRecord } from '../../src/store/record.ts';
import { feedTypes, listFeed } from '../../src/store/records/feed.ts';
import { listPoliticians } from '../../src/store/records/politicians.ts';
import { readCompleteRecord } from '../../src/store/records/profile.ts';
import { rows } from '../../src/store/rows.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { refreshIndexes } from '../../src/store/saving/indexes.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { speechOf } from '../../src/words/speech.ts';
import { makeOlder } from '../helpers/older-mirror.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T06:00:00.000Z`;

describe('the history of a mirror', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(() => own.remove());

  /** A run with a complete enumeration of a kind, as a dataset brings it. */
  const enumerate = (kind: KindName, documents: Document[], at: string) =>
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf(kind), { at });
      for (const document of documents) saver.save(document);
      withdrawMissing(own.mirror, kindOf(kind), { seenNumbers: saver.seenNumbers, at });
      saver.finish();
      refreshIndexes(own.mirror);
    });
  const detail = (document: Document, at: string) =>
    transaction(own.mirror, () => saveDetail(own.mirror, kindOf('politician'), document, { at }));
  const changeRows = (since: string, more = {}) =>
    [...listChanges(own.mirror, { since, ...more })].map(({ seen_at, change, key, fields }) => [
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
    expect(changeRows(day(0))).to.deep.equal([
      ['04', 'returned', 'bert', 'party: verger → alliance'],
      ['03', 'withdrawn', 'bert'],
      ['02', 'edited', 'anne', 'current_role: Députée → Ministre'],
      ['01', 'added', 'anne'],
      ['01', 'added', 'bert'],
    ]);
    expect(changeRows(day(2)).length).to.equal(2);
    expect(changeRows(day(4))).to.deep.equal([]);
  });

  it('retracts the withdrawal of a record that returns', () => {
    enumerate('politician', [anne, bert], day(1));
    enumerate('politician', [anne], day(2));
    enumerate('politician', [anne, bert], day(3));
    enumerate('politician', [bert], day(4));
    enumerate('politician', [{ ...anne, current_role: 'Ministre' }, bert], day(5));
    const returned = [...listChanges(own.mirror, { since: day(0), only: ['returned'] })];
    expect(returned.map((change) => [change.key, change.withdrawn_at])).to.deep.equal([
      ['anne', day(4)],
      ['bert', day(2)],
    ]);
    expect(returned.map((change) => withdrawalText(change, speechOf('en')))).to.deep.equal([
      'was reported as withdrawn on 4 November 2026; listed again, edited',
      'was reported as withdrawn on 2 November 2026, in error: listed again, unchanged',
    ]);
    const [other] = listChanges(own.mirror, { since: day(0), only: ['added'] });
    expect(withdrawalText(other!, speechOf('en'))).to.equal(null);
  });

  it('tells every edit of a record with what it then said', () => {
    for (const [index, role] of ['a', 'b', 'c'].entries())
      enumerate('politician', [{ ...anne, current_role: role }], day(index + 1));
    expect(changeRows(day(1))).to.deep.equal([
      ['03', 'edited', 'anne', 'current_role: b → c'],
      ['02', 'edited', 'anne', 'current_role: a → b'],
    ]);
  });

  it('tells an edit once that reaches it in the row and then in the full document', () => {
    enumerate('politician', [anne], day(1));
    detail({ ...anne, positions: [{ title: 'x' }] }, day(1));
    enumerate('politician', [{ ...anne, current_role: 'Ministre' }], day(2));
    detail({ ...anne, current_role: 'Ministre', positions: [{ title: 'x' }] }, day(3));
    expect(changeRows(day(1))).to.deep.equal([['02', 'edited', 'anne', 'current_role: Députée → Ministre']]);
    detail({ ...anne, current_role: 'Ministre', positions: [] }, day(4));
    expect(changeRows(day(3)).map(([at, change]) => [at, change])).to.deep.equal([['04', 'edited']]);
  });

  it('tells a return once where the full document says later what the row said already', () => {
    enumerate('politician', [anne, bert], day(1));
    detail({ ...bert, bio: 'Né à Brume.' }, day(1));
    enumerate('politician', [anne], day(2));
    const renamed = { ...bert, full_name: 'Bert Ondoyer-Lac', party: 'alliance' };
    enumerate('politician', [anne, renamed], day(3));
    detail({ ...renamed, party: { slug: 'alliance' }, bio: 'Né à Brume.' }, day(4));
    expect(changeRows(day(1)).map(([at, change, , ...fields]) => [at, change, ...fields])).to.deep.equal([
      ['03', 'returned', 'full_name: Bert Ondoyer → Bert Ondoyer-Lac', 'party: verger → alliance'],
      ['02', 'withdrawn'],
    ]);
  });

  describe('tells each fact where it belongs', () => {
    const quote = { id: 'q1', politician: 'anne', text: 'Oui', date: '2026-01-01' };
    const profile = (quotes: Document[], more = {}) => detail({ ...anne, quotes, ...more }, day(2));
    beforeEach(() => {
      enumerate('politician', [anne, bert], day(1));
      enumerate('quote', [quote], day(1));
      detail({ ...anne, quotes: [quote] }, day(1));
    });
    const changed = () => changeRows(day(1)).map(([, change, key, ...fields]) => [change, key, ...fields]);

    it('an edit of a quote, not the profile that repeats it', () => {
      const edited = { ...quote, text: 'Non' };
      enumerate('quote', [edited], day(2));
      profile([edited]);
      expect(changed()).to.deep.equal([['edited', 'q1', 'text: Oui → Non']]);
      profile([{ ...edited, text: 'No…' }]);
      expect(changed()).to.deep.equal([['edited', 'q1', 'text: Oui → Non']]);
    });

    it('a quote that comes or goes', () => {
      enumerate('quote', [quote, { ...quote, id: 'q2' }], day(1));
      enumerate('quote', [{ ...quote, id: 'q2' }], day(2));
      profile([{ ...quote, id: 'q2' }]);
      expect(changed()).to.deep.equal([['withdrawn', 'q1']]);
    });

    it('what no dataset ever listed, in the profile that says it', () => {
      profile([quote, { id: 'q9', text: 'Nulle part ailleurs' }]);
      expect(changed().map(([change, key]) => [change, key])).to.deep.equal([['edited', 'anne']]);
    });

    it('beside an edit of the profile itself, that alone', () => {
      const edited = { ...quote, text: 'Non' };
      enumerate('quote', [edited], day(2));
      profile([edited], { bio: 'Née à Brume.' });
      expect(changed()).to.deep.equal([
        ['edited', 'q1', 'text: Oui → Non'],
        ['edited', 'anne', 'bio: null → Née à Brume.'],
      ]);
    });

    it('a source that comes with source_ids, in these', () => {
      const cited = { ...anne, source_ids: ['s1'] };
      enumerate('source', [{ id: 's1', url: 'https://press.example/1' }], day(1));
      enumerate('politician', [cited, bert], day(2));
      detail({ ...cited, quotes: [quote], sources: [{ id: 's1', url: 'https://press.example/1' }] }, day(2));
      expect(changed().map(([change, key, ...fields]) => [change, key, fields.length])).to.deep.equal([
        ['edited', 'anne', 1],
      ]);
    });

    it('a new role, and who moves from party to party, not the lists of members', () => {
      const parties = ['alliance', 'verger'].map((slug) => ({ slug, name: slug }));
      const list = (slug: string, members: Document[], at: string) =>
        transaction(own.mirror, () => saveDetail(own.mirror, kindOf('party'), { slug, name: slug, members }, { at }));
      const memberOf = ({ slug, full_name, current_role }: typeof anne | typeof bert): Document => ({
        slug,
        full_name,
        current_role,
      });
      enumerate('party', parties, day(1));
      list('alliance', [memberOf(anne)], day(1));
      list('verger', [memberOf(bert)], day(1));
      const moved = { ...bert, party: 'alliance', current_role: 'Sénateur' };
      enumerate('politician', [anne, moved], day(2));
      list('alliance', [anne, moved].map(memberOf), day(2));
      list('verger', [], day(2));
      expect(changed().map(([change, key]) => [change, key])).to.deep.equal([['edited', 'bert']]);
    });

    it('the name of a party, not those who repeat it', () => {
      enumerate('party', [{ slug: 'alliance', name: 'Alliance' }], day(1));
      enumerate('politician', [{ ...anne, party_name: 'Alliance' }, bert], day(1));
      enumerate('quote', [{ ...quote, party: { slug: 'alliance', name: 'Alliance' } }], day(1));
      enumerate('party', [{ slug: 'alliance', name: 'Alliance unie' }], day(2));
      enumerate('politician', [{ ...anne, party_name: 'Alliance unie' }, bert], day(2));
      enumerate('quote', [{ ...quote, party: { slug: 'alliance', name: 'Alliance unie' } }], day(2));
      expect(changed()).to.deep.equal([['edited', 'alliance', 'name: Alliance → Alliance unie']]);
    });

    it('of whom a quote is, in the quote', () => {
      enumerate('quote', [{ ...quote, politician: { slug: 'anne' } }], day(2));
      enumerate('quote', [{ ...quote, politician: { slug: 'bert' } }], day(3));
      expect(changed().map(([change, key]) => [change, key])).to.deep.include(['edited', 'q1']);
    });
  });

  describe('tells a renaming', () => {
    const person = { ...anne, slug: 'anne-delmarais', birth_date: '1970-02-03', url: '/p/anne-delmarais' };
    const latter = { ...person, slug: 'anne-d', url: '/p/anne-d' };
    const all = (more = {}) =>
      [...listChanges(own.mirror, { since: day(1), ...more })].map(({ change, former_key: former, key }) =>
        former === undefined ? [change, key] : [change, former, key],
      );

    it('once, with both keys, and without what only names it anew', () => {
      const promise = { id: 'p1', politician: 'anne-delmarais', title: 'Un phare' };
      enumerate('politician', [person, bert], day(1));
      enumerate('promise', [promise], day(1));
      enumerate('politician', [latter, bert], day(2));
      enumerate('promise', [{ ...promise, politician: 'anne-d' }], day(2));
      expect(all()).to.deep.equal([['renamed', 'anne-delmarais', 'anne-d']]);
      expect(all({ politician: 'anne-d' })).to.deep.equal([['renamed', 'anne-delmarais', 'anne-d']]);
      expect(all({ politician: 'anne-delmarais' })).to.deep.equal([['renamed', 'anne-delmarais', 'anne-d']]);
      expect(all({ until: day(1) })).to.deep.equal([]);
      const former = (key: string) => readHistory(own.mirror, kindOf('politician'), key).formerKey;
      expect([former('anne-d'), former('anne-delmarais'), former('bert')]).to.deep.equal([
        'anne-delmarais',
        null,
        null,
      ]);
      const [change] = [...listChanges(own.mirror, { since: day(1) })];
      expect(change!.fields.map(({ field }) => field)).to.deep.equal(['slug', 'url']);
    });

    it('of who was edited later, as it was then', () => {
      enumerate('politician', [person], day(1));
      enumerate('politician', [latter], day(2));
      enumerate('politician', [{ ...latter, current_role: 'Ministre' }], day(3));
      expect(all()).to.deep.equal([
        ['edited', 'anne-d'],
        ['renamed', 'anne-delmarais', 'anne-d'],
      ]);
    });

    it('of a person whose name changed too, where the day of birth is the same', () => {
      enumerate('politician', [person], day(1));
      enumerate('politician', [{ ...latter, full_name: 'Anne Tournevent' }], day(2));
      expect(all()).to.deep.equal([['renamed', 'anne-delmarais', 'anne-d']]);
    });

    it('of no two people who only have the same party', () => {
      const { birth_date: _, ...unborn } = person;
      enumerate('politician', [unborn], day(1));
      enumerate('politician', [{ ...unborn, slug: 'anne-d', full_name: 'Anne Tournevent' }], day(2));
      expect(all().map(([change]) => change)).to.have.members(['withdrawn', 'added']);
    });

    it('of none where several fit, or where anything else differs', () => {
      enumerate('politician', [person], day(1));
      enumerate('politician', [latter, { ...latter, slug: 'anne-e', url: '/p/anne-e' }], day(2));
      expect(all().map(([change]) => change)).to.have.members(['withdrawn', 'added', 'added']);
      const homonyms = [1, 2].map((n) => ({ ...person, slug: `h${n}`, url: '/' }));
      enumerate('party', homonyms, day(1));
      enumerate('party', [{ ...person, slug: 'h3', url: '/' }], day(2));
      expect(all({ kinds: [kindOf('party')] }).map(([change]) => change)).to.have.members([
        'withdrawn',
        'withdrawn',
        'added',
      ]);
      enumerate('quote', [{ id: 'q1', text: 'Oui' }], day(1));
      enumerate('quote', [{ id: 'q2', text: 'Oui.' }], day(2));
      expect(all({ kinds: [kindOf('quote')] }).map(([change]) => change)).to.have.members(['withdrawn', 'added']);
    });

    it('of a record that is withdrawn only after the next list, because one alone is no proof', () => {
      const quote = { id: 'q1', politician: 'anne', text: 'Oui', date: '2026-01-01' };
      enumerate('quote', [quote], day(1));
      enumerate('quote', [quote, { ...quote, id: 'q2' }], day(2));
      enumerate('quote', [{ ...quote, id: 'q2' }], day(3));
      expect(all()).to.deep.equal([['renamed', 'q1', 'q2']]);
    });

    it('of a record that a list brings only after its former key was withdrawn, when it comes', () => {
      const promise = { id: 'p1', politician: 'anne-delmarais', title: 'Un phare' };
      const renamed = [['renamed', 'anne-delmarais', 'anne-d']];
      enumerate('politician', [person, bert], day(1));
      enumerate('promise', [promise], day(1));
      enumerate('politician', [bert], day(2));
      expect(all()).to.deep.equal([['withdrawn', 'anne-delmarais']]);
      enumerate('politician', [latter, bert], day(3));
      enumerate('promise', [{ ...promise, politician: 'anne-d' }], day(3));
      for (const more of [{}, { since: day(2) }, { politician: 'anne-d' }, { politician: 'anne-delmarais' }])
        expect(all(more), JSON.stringify(more)).to.deep.equal(renamed);
      expect(changeRows(day(1))[0]!.slice(0, 3)).to.deep.equal(['03', 'renamed', 'anne-d']);
      expect(all({ until: day(2) })).to.deep.equal([['withdrawn', 'anne-delmarais']]);
      expect(readHistory(own.mirror, kindOf('politician'), 'anne-d').formerKey).to.equal('anne-delmarais');
      enumerate('politician', [{ ...latter, slug: 'anne', url: '/p/anne' }, bert], day(4));
      expect(all()).to.deep.equal([['renamed', 'anne-d', 'anne'], ...renamed]);
    });

    it('of who has another key at once, whatever equal record was withdrawn shortly before', () => {
      const quote = (id: string) => ({ id, politician: 'anne', text: 'Oui' });
      enumerate('quote', [quote('q1'), quote('q2')], day(1));
      enumerate('quote', [quote('q2')], day(2));
      enumerate('quote', [quote('q3')], day(3));
      expect(all()).to.deep.equal([
        ['renamed', 'q2', 'q3'],
        ['withdrawn', 'q1'],
      ]);
    });

    it('alike from whatever moment the changes are read', () => {
      const quote = (id: string, politician = 'anne') => ({ id, politician, text: 'Oui' });
      // Two withdrawn records fit one new record, and one of them went long before the other.
      enumerate('quote', [quote('q1'), quote('q2')], day(1));
      enumerate('quote', [quote('q1'), quote('q2'), quote('q3')], day(2));
      enumerate('quote', [quote('q2'), quote('q3')], day(3));
      enumerate('quote', [quote('q3')], day(14));
      // A record names the new key long after the others.
      const promise = { id: 'p1', politician: 'anne-delmarais', title: 'Un phare' };
      enumerate('promise', [promise], day(1));
      enumerate('politician', [person], day(1));
      enumerate('politician', [latter], day(2));
      enumerate('promise', [{ ...promise, politician: 'anne-d' }], day(16));
      const changes = [...listChanges(own.mirror, { since: '' })];
      expect(changes.filter(({ kind }) => kind === 'promise').map(({ change }) => change)).to.deep.equal(['added']);
      for (const { seen_at: since } of changes)
        expect([...listChanges(own.mirror, { since })], since).to.deep.equal(
          changes.filter(({ seen_at: at }) => at > since),
        );
      expect([...listChanges(own.mirror, { since: day(15) })]).to.deep.equal([]);
    });

    it('for good, whatever is withdrawn or added later', () => {
      const quote = (id: string, text: string) => ({ id, text });
      const many = Array.from({ length: 600 }, (_, n) => quote(`n${n}`, `Non ${n}`));
      enumerate('quote', [quote('q1', 'Oui'), quote('twin', 'Oui')], day(1));
      enumerate('quote', [quote('q2', 'Oui'), quote('twin', 'Oui'), ...many], day(2));
      const renamed = all({ kinds: [kindOf('quote')], only: ['renamed'] });
      expect(renamed).to.deep.equal([['renamed', 'q1', 'q2']]);
      enumerate('quote', [quote('q2', 'Oui')], day(3));
      expect(all({ only: ['renamed'] })).to.deep.equal(renamed);
      expect(all({ only: ['withdrawn'] })).to.have.length(601);
      expect(all({ until: day(2), only: ['renamed'] })).to.deep.equal(renamed);
    });

    it('no longer where the record returns under its former key', () => {
      const quote = (id: string) => ({ id, text: 'Oui' });
      enumerate('quote', [quote('q1')], day(1));
      enumerate('quote', [quote('q2')], day(2));
      enumerate('quote', [quote('q1'), quote('q2')], day(3));
      expect(all()).to.deep.equal([
        ['returned', 'q1'],
        ['withdrawn', 'q1'],
        ['added', 'q2'],
      ]);
      enumerate('quote', [quote('q2')], day(4));
      expect(all({ only: ['renamed'] })).to.deep.equal([['renamed', 'q1', 'q2']]);
    });

    it('in a mirror of an older program, once it is opened', () => {
      enumerate('politician', [person, bert], day(1));
      enumerate('politician', [latter, bert], day(2));
      makeOlder(own.mirror.database, 7);
      for (const open of [openMirror, openWritableMirror]) {
        const opened = open(own.mirror.path);
        const changes = [...listChanges(opened, { since: day(1) })];
        opened.close();
        expect(changes.map(({ change, key }) => [change, key])).to.deep.equal([['renamed', 'anne-d']]);
      }
    });

    it('of none that comes long after', () => {
      enumerate('quote', [{ id: 'q1', text: 'Oui' }], day(1));
      enumerate('quote', [], day(2));
      enumerate('quote', [{ id: 'q2', text: 'Oui' }], day(11));
      expect(all().map(([change]) => change)).to.have.members(['withdrawn', 'added']);
    });
  });

  it('keeps what two savers of one kind bring at once, with the columns of both', () => {
    transaction(own.mirror, () => {
      const [one, other] = [1, 2].map(() => createSaver(own.mirror, kindOf('politician'), { at: day(1) }));
      one!.save({ ...anne, born: 1970 });
      other!.save({ ...bert, seat: 12 });
      one!.save({ ...bert, slug: 'carl' });
      for (const saver of [one, other]) saver!.finish();
    });
    const kind = kindOf('politician');
    expect([...rows(own.mirror, kind)].map(({ slug }) => slug)).to.deep.equal(['anne', 'bert', 'carl']);
    expect(storedColumns(own.mirror, kind)).to.include.members(['born', 'seat']);
  });

  it('tells no change where a dataset completes what a list or a profile brought first', () => {
    detail({ ...anne, bio: 'Née à Brume.' }, day(1));
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(1), isPartial: true });
      saver.save({ slug: 'bert', full_name: 'Bert Ondoyer' });
      saver.finish();
    });
    enumerate('politician', [anne, bert], day(2));
    expect(changeRows(day(1))).to.deep.equal([]);
    expect(changeRows(day(0))).to.deep.equal([
      ['01', 'added', 'anne'],
      ['01', 'added', 'bert'],
    ]);
  });

  it('takes what a list shortens or leaves out for no edit of the row that a dataset gave', () => {
    enumerate('politician', [{ ...anne, bio: 'Née à Brume, au bord de la mer.' }], day(1));
    const outcome = transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(2), isPartial: true });
      return saver.save({ slug: 'anne', bio: 'Née à Brume…', party: { slug: 'alliance' } });
    });
    expect(outcome).to.equal('same');
    expect(changeRows(day(1))).to.deep.equal([]);
  });

  it('takes the texts of a CSV file for no edit of the numbers and truth values that they write out', () => {
    const typed = { ...anne, terms: 2, rate: 1.5, active: true, nickname: '' };
    enumerate('politician', [typed], day(1));
    const outcome = transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(2), once: true, untyped: true });
      return saver.save({ ...anne, terms: '2', rate: '1.5', active: 'true', nickname: null });
    });
    expect(outcome).to.equal('same');
    expect(readRecord(own.mirror, kindOf('politician'), 'anne')).to.deep.equal(typed);
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('politician'), { at: day(3), once: true, untyped: true });
      saver.save({ ...anne, terms: '3', rate: '1.5', active: 'true', nickname: null });
      saver.finish();
    });
    expect(changeRows(day(1))).to.deep.equal([['03', 'edited', 'anne', 'terms: 2 → 3']]);
  });

  it('is asked by kind and by politician', () => {
    enumerate('politician', [anne, bert], day(1));
    enumerate('promise', [{ id: 'p1', politician: 'anne', title: 'Un phare' }], day(1));
    enumerate('quote', [{ id: 'q1', politician: 'bert', text: 'Oui' }], day(1));
    const kinds = [kindOf('promise'), kindOf('quote')];
    expect(changeRows(day(0), { kinds }).map(([, , key]) => key)).to.have.members(['p1', 'q1']);
    expect(changeRows(day(0), { politician: 'anne' }).map(([, , key]) => key)).to.have.members(['anne', 'p1']);
  });

  it('shows every version of a record, also of one that is withdrawn', () => {
    enumerate('politician', [anne, bert], day(1));
    enumerate('politician', [anne, { ...bert, current_role: 'Sénateur' }], day(2));
    enumerate('politician', [anne], day(3));
    const { key, versions } = readHistory(own.mirror, kindOf('politician'), 'bert');
    expect(key).to.equal('bert');
    expect(versions.map(({ seen_from, seen_to, ended_by }) => [seen_from, seen_to, ended_by])).to.deep.equal([
      [day(2), day(3), 'withdrawn'],
      [day(1), day(2), 'edited'],
    ]);
    expect(versions[0]!.changes).to.deep.equal([{ field: 'current_role', old: null, new: 'Sénateur' }]);
    expect(versions[1]!.document).to.deep.equal(bert);
    expect(() => readHistory(own.mirror, kindOf('politician'), 'chloe')).to.throw(NotFoundError);
    expect(readHistory(own.mirror, kindOf('politician'), 'Anne Delmarais').key).to.equal('anne');
  });

  it('finds a ballot by its id alone', () => {
    enumerate('ballot', [{ scrutin_id: '2026-1', chamber: 'Senat', title: 'Phares' }], day(1));
    expect(readHistory(own.mirror, kindOf('ballot'), '2026-1').key).to.equal('Senat:2026-1');
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
    expect(readCompleteRecord(first, kindOf('politician'), 'anne')).to.include({ bio: null, party: 'alliance' });
    first.close();

    const second = openPast(own.mirror.path, day(2));
    const keys = (filter: object) =>
      listPoliticians(second, { limit: 9, ...filter }).items.map((item) => JSON.parse(item).slug);
    expect(keys({})).to.deep.equal(['anne', 'bert']);
    expect(keys({ party: 'verger' })).to.deep.equal(['bert']);
    expect(keys({ q: 'delma' })).to.deep.equal(['anne']);
    expect(keys({ q: 'tournevent' })).to.deep.equal([]);
    expect(readCompleteRecord(second, kindOf('politician'), 'anne')).to.include({
      bio: 'Première.',
      party: 'alliance',
    });
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
      const isPresent = readRecord(past, kindOf('politician'), 'bert') !== undefined;
      past.close();
      return isPresent;
    });
    expect(there).to.deep.equal([true, false, true]);
  });

  /** A millisecond before, at and after each moment of a record: what its row and its profile said, null for nothing. */
  const bounds: [n: number, offsetMs: number, role: string | null, bio: string | null][] = [
    [1, 0, 'a', null],
    [1, 1, 'a', null],
    [2, -1, 'a', null],
    [2, 0, 'b', null],
    [2, 1, 'b', null],
    [3, -1, 'b', null],
    [3, 0, 'b', 'Première.'],
    [4, -1, 'b', 'Première.'],
    [4, 0, 'b', 'Seconde.'],
    [5, -1, 'b', 'Seconde.'],
    [5, 0, null, null],
    [5, 1, null, null],
    [6, -1, null, null],
    [6, 0, 'c', 'Seconde.'],
    [6, 1, 'c', 'Seconde.'],
    [7, -1, 'c', 'Seconde.'],
    [7, 0, null, null],
    [8, 0, null, null],
  ];
  it('shows at each moment what was held from then on, and no millisecond before or after', () => {
    const saying = (role: string) => ({ ...anne, current_role: role });
    for (const [n, role] of [
      [1, 'a'],
      [2, 'b'],
    ] as const)
      enumerate('politician', [bert, saying(role)], day(n));
    detail({ ...saying('b'), bio: 'Première.' }, day(3));
    detail({ ...saying('b'), bio: 'Seconde.' }, day(4));
    enumerate('politician', [bert], day(5));
    enumerate('politician', [bert, saying('c')], day(6));
    enumerate('politician', [bert], day(7));
    const late = { slug: 'zoe', full_name: 'Zoé Verdier' };
    enumerate('politician', [bert, late], day(8));
    for (const [n, offsetMs, role, bio] of bounds) {
      const past = openPast(own.mirror.path, new Date(Date.parse(day(n)) + offsetMs).toISOString());
      const [row] = [...rows(past, kindOf('politician'))].filter(({ slug }) => slug === 'anne');
      const profile = readRecord(past, kindOf('politician'), 'anne');
      const told = [row?.current_role ?? null, profile?.bio ?? null];
      expect(told, `day ${n} and ${offsetMs} ms`).to.deep.equal([role, bio]);
      const isLate = readRecord(past, kindOf('politician'), 'zoe') !== undefined;
      expect(isLate, `day ${n} and ${offsetMs} ms`).to.equal(n >= 8);
      past.close();
    }
  });

  for (const [offsetMs, isRefused] of [
    [-1, true],
    [0, false],
    [1, false],
  ] as const)
    it(`${isRefused ? 'refuses' : 'shows'} a moment ${offsetMs} ms from its first record, and from the first of a kind`, () => {
      const moment = (n: number) => new Date(Date.parse(day(n)) + offsetMs).toISOString();
      enumerate('politician', [anne], day(5));
      enumerate('quote', [{ id: 'q', text: 'Oui.' }], day(6));
      for (const open of [
        () => openPast(own.mirror.path, moment(5)),
        () => openPast(own.mirror.path, moment(5), [kindOf('politician')]),
        () => openPast(own.mirror.path, moment(6), [kindOf('politician'), kindOf('quote')]),
      ])
        if (isRefused) expect(open).to.throw(StaleError).with.property('exit', 8);
        else open().close();
      expect(() => openPast(own.mirror.path, day(5), [kindOf('quote')])).to.throw(StaleError);
    });

  it('refuses the moments behind its newest record that is certain where a clock was ahead', () => {
    enumerate('politician', [anne], day(5));
    const ahead = new Date(Date.now() + 10 * 86_400_000).toISOString();
    enumerate('politician', [anne, bert], ahead);
    openPast(own.mirror.path, day(5)).close();
    for (const offsetMs of [1, 86_400_000]) {
      const at = new Date(Date.parse(day(5)) + offsetMs).toISOString();
      expect(() => openPast(own.mirror.path, at), at).to.throw(StaleError, /clock/);
    }
  });

  it('refuses a moment before its first record', () => {
    enumerate('politician', [anne], day(5));
    expect(() => openPast(own.mirror.path, day(4)))
      .to.throw(StaleError)
      .with.property('exit', 8);
  });
});
