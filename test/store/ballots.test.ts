import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { type Mirror, saveMeta } from '../../src/store/mirror.ts';
import { documentAt } from '../../src/store/record.ts';
import { searchTexts } from '../../src/store/records/ballot-texts.ts';
import { type BallotFilter, listBallots, readBallots } from '../../src/store/records/ballots.ts';
import { searchBallots } from '../../src/store/records/reference.ts';
import { refreshBallotTables } from '../../src/store/saving/ballot-tables.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { searchNearBallots } from '../../src/store/search/ballots-by-words.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const at = '2026-03-01T06:00:00.000Z';
const all: BallotFilter = { voted: [], sort: 'date', limit: 100 };

function save(mirror: Mirror, ballots: Document[]): void {
  transaction(mirror, () => {
    const saver = createSaver(mirror, kindOf('ballot'), { at });
    for (const ballot of ballots) saver.save(ballot);
    saver.finish();
  });
}

function ids(mirror: Mirror, filter: Partial<BallotFilter> = {}): unknown[] {
  return listBallots(mirror, { ...all, ...filter }).items.map((text) => JSON.parse(text).scrutin_id);
}

const ballot = (id: string, more: Document = {}): Document => ({
  scrutin_id: id,
  chamber: 'AN',
  date: '2026-01-01',
  title: `Ballot ${id}`,
  ...more,
});

describe('ballots', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(() => own.remove());

  it('are those of the moment, whether their index was kept or not', () => {
    save(own.mirror, [ballot('1'), ballot('2', { date: '2026-01-02' })]);
    expect(ids(own.mirror)).to.deep.equal(['2', '1']);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    expect(ids(own.mirror)).to.deep.equal(['2', '1']);
    save(own.mirror, [ballot('3', { date: '2026-01-03' })]);
    expect(ids(own.mirror)).to.deep.equal(['3', '2', '1']);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    expect(ids(own.mirror)).to.deep.equal(['3', '2', '1']);
  });

  it('are read anew where an older program wrote to the mirror, which keeps no index', () => {
    save(own.mirror, [ballot('1')]);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    // As a program does that knows of no index: a record, and the version alone.
    transaction(own.mirror, () => {
      own.mirror.sql("UPDATE record SET row = json_set(row, '$.date', '2026-05-05', '$.result', 'adopté')").run();
      saveMeta(own.mirror, 'version', '99');
    });
    expect(ids(own.mirror, { result: 'adopté' })).to.deep.equal(['1']);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    expect(ids(own.mirror, { result: 'adopté', since: '2026-05-01' })).to.deep.equal(['1']);
  });

  it('are found by other forms of the words; near ones by their spelling, their file or some of them', () => {
    save(own.mirror, [
      ballot('1', { title: "l'ensemble du projet de loi de finances pour 2026" }),
      ballot('2', { title: "l'amendement n° 3 au projet de loi de finances pour 2026" }),
      ballot('3', { title: 'la motion de censure déposée par Mme Merlin' }),
      ballot('4', { title: 'la proposition de loi simplifiant les démarches' }),
    ]);
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('content'), { at });
      for (const id of ['a', 'b'])
        saver.save({ id, text: `Le budget 2026, ${id}.`, dossier: 'Projet de loi de finances pour 2026' });
      saver.finish();
    });
    const near = (q: string) => {
      const { steps, matches } = searchNearBallots(own.mirror, { q, limit: 10 });
      return [steps.at(-1)?.matchKind ?? null, ...matches.map(({ id }) => documentAt(own.mirror, id).scrutin_id)];
    };
    expect(near('budget 2026').slice(0, 3)).to.have.members(['file', '2', '1']);
    expect(near('loi budget 2026').slice(0, 3)).to.have.members(['any-word', '2', '1']);
    expect(near('motion de censure Barnier')).to.deep.equal(['any-word', '3']);
    expect(near('Zorglub')).to.deep.equal([null]);
    expect(near('motoin de censure')).to.deep.equal(['corrected', '3']);
    const resolvedBallots = searchBallots(own.mirror, 'budget', null);
    expect(
      resolvedBallots.map(({ key }) => key),
      'a text, without the word for it',
    ).to.deep.equal(['AN:2', 'AN:1']);
    expect(ids(own.mirror, { q: 'loi budget 2026' }), 'the usual name of the law').to.have.members(['1', '2']);
    for (const q of ['motion de censure Barnier', 'Zorglub']) {
      expect(ids(own.mirror, { q }), q).to.deep.equal([]);
      expect([...readBallots(own.mirror, { voted: [], q })], q).to.deep.equal([]);
    }
    expect(ids(own.mirror, { q: 'motoin de censure' })).to.deep.equal([]);
    expect(near('simplifier les démarches')).to.deep.equal(['family', '4']);
    expect(ids(own.mirror, { q: 'simplifier les démarches' })).to.deep.equal([]);
    expect(ids(own.mirror, { q: 'loi démarche' })).to.deep.equal(['4']);
    expect(ids(own.mirror, { q: 'pêche au large' })).to.deep.equal([]);
  });

  it('are found by an acronym that records spell out, and so is their text', () => {
    save(own.mirror, [
      ballot('1', { title: "l'article 2 de la proposition de loi relative à la Taxe sur le Port Maritime" }),
      ballot('2', { title: 'la proposition de loi sur les ports' }),
    ]);
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kindOf('content'), { at });
      saver.save({ id: 'a', text: 'La taxe sur le port maritime (TPM) est débattue.' });
      saver.finish();
      refreshBallotTables(own.mirror);
    });
    expect(ids(own.mirror, { q: 'TPM' })).to.deep.equal(['1']);
    expect(searchTexts(own.mirror, 'TPM', 'none').map(({ key }) => key)).to.deep.equal([
      'proposition de loi relative a la taxe sur le port maritime',
    ]);
  });

  it('are of a type and a result in whatever letters and accents the source wrote these', () => {
    save(own.mirror, [
      ballot('1', { type: 'motion de censure', result: 'Rejeté', date: '2026-01-01' }),
      ballot('2', { type: 'Motion de censure', result: 'rejeté', date: '2026-01-02' }),
      ballot('3', { type: 'scrutin public', result: 'adopté', date: '2026-01-03' }),
    ]);
    for (const type of ['motion de censure', 'Motion de censure'])
      expect(ids(own.mirror, { type, result: 'rejeté' })).to.deep.equal(['2', '1']);
    expect(ids(own.mirror, { type: 'motion' })).to.deep.equal([]);
  });

  it('of any dialect are asked by the positions that their source states, never by counts', () => {
    save(own.mirror, [
      ballot('words', {
        votes_by_party: [{ party: 'rivages', position: 'pour', for: 1, against: 9, abstention: 0 }],
      }),
      ballot('foreign', { votes: { rivages: { pour: 3, contre: 1, abstention: 0, position: 'for' } } }),
      ballot('unsaid', {
        votes_by_party: [{ party: 'rivages', position: null, for: 9, against: 0, abstention: 0 }],
      }),
    ]);
    const voted = [{ requestedName: 'rivages', groups: ['rivages'], stance: 'for' as const }];
    expect(ids(own.mirror, { voted })).to.have.members(['words', 'foreign']);
  });

  it('have no margin where another majority than the simple one was required', () => {
    save(own.mirror, [
      ballot('simple', { required: 6, totals: { for: 6, against: 5, abstention: 0 } }),
      ballot('qualified', { required: 9, totals: { for: 8, against: 7, abstention: 0 } }),
      ballot('censure', { type: 'motion de censure', required: 289, totals: { for: 271, against: 0 } }),
      ballot('unpublished', { totals: { for: null, against: 5 } }),
    ]);
    expect(ids(own.mirror, { sort: 'margin' })).to.deep.equal(['simple', 'censure']);
    expect(ids(own.mirror, { margin: 5 })).to.deep.equal(['simple']);
  });

  it('are filtered by what they were held on, resolutions among the votes on whole texts', () => {
    save(own.mirror, [
      ballot('amendment', { title: "l'amendement n° 3 à la proposition de loi verger" }),
      ballot('bill', { title: "l'ensemble de la proposition de loi verger" }),
      ballot('resolution', { title: 'la proposition de résolution sur les moulins' }),
      ballot('censure', { title: 'la motion de censure' }),
    ]);
    expect(ids(own.mirror, { nature: 'whole' })).to.have.members(['bill', 'resolution']);
    expect(ids(own.mirror, { nature: 'resolution' })).to.deep.equal(['resolution']);
    expect(ids(own.mirror, { oneSided: true })).to.deep.equal(['censure']);
    expect(ids(own.mirror, { nature: 'article' })).to.deep.equal([]);
  });

  it('count no dissent of those who sit in no group', () => {
    const counts = { for: 5, against: 5, abstention: 0, non_voting: 0, position: null };
    save(own.mirror, [
      ballot('group', { votes_by_party: [{ party: 'rivages', ...counts }] }),
      ballot('non-attached', {
        votes_by_party: [{ party: 'ni-an17', party_name: 'Non inscrit', ...counts }],
      }),
      ballot('nobody', { votes_by_party: [{ party: 'rivages', for: 0, against: 0, abstention: 0 }] }),
    ]);
    expect(ids(own.mirror, { dissent: { groups: null, share: 0.5 } })).to.deep.equal(['group']);
    expect(ids(own.mirror, { dissent: { groups: null, share: 0.51 } })).to.deep.equal([]);
  });

  it('go on behind a cursor whose ballot was withdrawn or moved meanwhile', () => {
    save(
      own.mirror,
      ['1', '2', '3', '4'].map((id) => ballot(id, { date: `2026-01-0${id}` })),
    );
    const first = listBallots(own.mirror, { ...all, limit: 2 });
    own.mirror.sql("UPDATE record SET withdrawn = ? WHERE key = 'AN:3'").run(at);
    saveMeta(own.mirror, 'version', '99');
    expect(ids(own.mirror, { cursor: first.nextCursor! })).to.deep.equal(['2', '1']);
  });
});
