import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror } from '../../src/store/open.ts';
import { refreshBallotTables, shadowBallotTables } from '../../src/store/saving/ballot-tables.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const at = '2026-03-01T06:00:00.000Z';

function save(mirror: Mirror, ballots: Document[], kind: 'ballot' | 'content' = 'ballot'): void {
  transaction(mirror, () => {
    const saver = createSaver(mirror, kindOf(kind), { at });
    for (const ballot of ballots) saver.save(ballot);
    saver.finish();
  });
}

/** All rows of both tables, as readers see them. */
function contentOf(mirror: Mirror): unknown {
  shadowBallotTables(mirror);
  return {
    ballots: mirror.sql('SELECT * FROM ballot ORDER BY id').all(),
    votes: mirror.sql('SELECT * FROM group_votes ORDER BY ballot, n').all(),
  };
}

const natureOf = (mirror: Mirror, key: string) => {
  shadowBallotTables(mirror);
  return mirror.column<string | null>('SELECT nature FROM ballot WHERE key = ?').get(key);
};

const sole = { title: "l'article unique de la proposition de loi verger (première lecture)." };
const whole = { title: "l'ensemble de la proposition de loi verger (première lecture)." };

const amended = { title: "l'amendement n° 5 de M. Varenne à l'article 2 de la proposition de loi pommier." };
const numbered = { title: "l'ensemble de la proposition de loi verger (n° 7).", legislature: '17' };

const amendment = (bill: string, dossier: string): Document => ({
  ...{ id: `AMANR5L17PO1B000${bill}P0D1N000005`, title: 'Amendement n° 5, ARTICLE 2', politician: 'odon-varenne' },
  ...{ date: '2026-01-01', text: 'Planter.', dossier },
});

describe('the tables of ballots', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(() => own.remove());

  const random = createRandom(seedOf('BALLOT_TABLES_SEED'));
  const anyOf = random.pick;
  const anyBallot = (id: number): Document => ({
    ...{ scrutin_id: String(id), chamber: anyOf(['AN', 'Senat']), date: anyOf(['2026-01-02', '2026-01-03', null]) },
    ...anyOf([sole, whole, amended, numbered, { title: 'Motion de censure' }, { title: null }]),
    dossier: anyOf([null, null, 'Vergers', 'Pommiers']),
    totals: { for: random.integer(9), against: anyOf([null, 3]), abstention: 0, non_voting: 0 },
    votes_by_party: Array.from({ length: random.integer(4) }, (_, n) => ({
      ...{ party: `p-${n}`, for: random.integer(9), against: anyOf([0, 2, null]), abstention: 0, non_voting: 1 },
      ...{ members: anyOf([10, 20, null]), position: anyOf(['pour', 'contre', null]) },
    })),
  });

  it('are equal whether filled at once, night by night, or by a reader before they are saved', () => {
    for (let round = 0; round < 25; round++) {
      const mirrors = [createTemporaryMirror(), createTemporaryMirror(), createTemporaryMirror()] as const;
      const [saved, behind, late] = mirrors;
      const nights = Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => anyBallot(random.integer(12))));
      const filed = amendment('7', anyOf(['Vergers', 'Pommiers']));
      for (const [at, night] of nights.entries()) {
        for (const { mirror } of mirrors) save(mirror, night);
        if (at === 1) for (const { mirror } of mirrors) save(mirror, [filed], 'content');
        transaction(saved.mirror, () => refreshBallotTables(saved.mirror));
        const whole = contentOf(saved.mirror);
        expect(contentOf(behind.mirror), 'never saved').to.deep.equal(whole);
        expect(contentOf(late.mirror), 'saved the night before last').to.deep.equal(whole);
        if (at % 2 === 1) transaction(late.mirror, () => refreshBallotTables(late.mirror));
      }
      for (const each of mirrors) each.remove();
    }
  });

  it('call the vote on a sole article one on the whole text, until the chamber votes on the whole too', () => {
    save(own.mirror, [{ scrutin_id: '1', chamber: 'AN', date: '2026-01-02', ...sole }]);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    expect(natureOf(own.mirror, 'AN:1')).to.equal('whole');
    save(own.mirror, [{ scrutin_id: '2', chamber: 'AN', date: '2026-01-02', ...whole }]);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    expect(natureOf(own.mirror, 'AN:1')).to.equal('article');
    expect(natureOf(own.mirror, 'AN:2')).to.equal('whole');
  });

  it('are read without a write by whoever may only read, also behind a run that is not finished', () => {
    save(own.mirror, [{ scrutin_id: '1', chamber: 'AN', ...whole }]);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    save(own.mirror, [{ scrutin_id: '2', chamber: 'AN', ...sole }]);
    const reader = openMirror(own.mirror.path);
    try {
      expect(natureOf(reader, 'AN:1')).to.equal('whole');
      expect(natureOf(reader, 'AN:2')).to.equal('article');
      expect(reader.column<number>('SELECT count(*) FROM main.ballot').get()).to.equal(1);
      transaction(own.mirror, () => refreshBallotTables(own.mirror));
      expect(natureOf(reader, 'AN:2')).to.equal('article');
      expect(reader.column<number>('SELECT count(*) FROM temp.sqlite_schema').get(), 'nothing is left').to.equal(0);
    } finally {
      reader.close();
    }
  });

  it('are not left half filled by a reader that meets a record that it cannot read', () => {
    save(own.mirror, [
      { scrutin_id: '1', chamber: 'AN', ...whole },
      { scrutin_id: '2', chamber: 'AN', ...sole },
    ]);
    own.mirror.sql("UPDATE record SET row = '{', detail = NULL WHERE key = 'AN:2'").run();
    expect(() => shadowBallotTables(own.mirror)).to.throw(SyntaxError);
    expect(own.mirror.column<number>('SELECT count(*) FROM temp.sqlite_schema').get()).to.equal(0);
  });

  it('lose what was withdrawn', () => {
    save(own.mirror, [{ scrutin_id: '1', chamber: 'AN', ...whole, votes_by_party: [{ party: 'p', for: 1 }] }]);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    own.mirror.sql('UPDATE record SET withdrawn = ?').run(at);
    transaction(own.mirror, () => refreshBallotTables(own.mirror));
    expect(contentOf(own.mirror)).to.deep.equal({ ballots: [], votes: [] });
  });
});
