import { expect } from 'chai';
import { ask, itemsOf } from '../../src/index.ts';
import { documentsIn } from '../../src/model/document.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { cohesion } from '../../src/questions/cohesion.ts';
import { compare } from '../../src/questions/compare.ts';
import { text } from '../../src/questions/text.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { fieldsAt, itemsAt, readTwoNights, refusalAt } from './question-results.ts';

type Votes = { party: string; position: string | null; for: number; against: number; abstention: number };

describe('a list of ballots', () => {
  const night = readTwoNights();
  const listed = ['VAL1V4', 'AN:val1v11', 'AN:7'];

  it('is what figures and lists are over, and is told with them', async () => {
    const listing = await ask(night.now, ballots, { ballots: listed, author: 'Les Lanternes' });
    expect(listing.extra?.selection).to.deep.equal({ ballots: 3, author: 'Les Lanternes' });
    expect((await itemsOf(listing)).map(({ scrutin_id }) => scrutin_id)).to.have.members([
      'VAL1V4',
      'VAL1V11',
      'VAL1V7',
    ]);
    const twice = await ask(night.now, ballots, { ballots: [...listed, 'VAL1V4'] });
    expect(twice.extra?.selection, 'each once').to.deep.equal({ ballots: 3, author: null });
    expect(twice.notes?.().map(String)).to.include('over a list of 3 ballots, without a stated author');
    const all = await ask(night.now, compare, { group: ['ADR', 'PDV'] });
    expect(all.extra).not.to.have.property('selection');
  });

  it('refuses what names no ballot or several, and a direction that is no position', async () => {
    expect((await refusalAt(night.now, ballots, { ballots: ['VAL1V4', 'VAL9V9'] })).exit).to.equal(3);
    expect((await refusalAt(night.now, ballots, { ballots: ['VAL1V4=maybe'] })).exit).to.equal(2);
    expect((await refusalAt(night.now, compare, { group: ['ADR', 'direction'] })).exit, 'without a list').to.equal(2);
  });

  it('that states directions is compared with groups, by counts alone', async () => {
    const [pair] = await itemsAt(night.now, compare, {
      group: ['ADR', 'direction'],
      ballots: ['VAL1V4=for', 'VAL1V11=pour'],
    });
    const matchingBallots = await itemsAt(night.now, ballots, {
      ballots: ['VAL1V4', 'VAL1V11'],
      voted: ['ADR:for'],
    });
    expect(pair).to.include({ other: 'direction', n: 2, same: matchingBallots.length });
    const [one] = await itemsAt(night.now, ballots, { ballots: ['VAL1V4=against'] });
    expect(one).to.include({ direction: 'against', reason: null });
  });

  it('drawn by chance gives the figures of an independent computation, a hundred times', async () => {
    const whole = await itemsOf(await ask(night.now, ballots, { limit: 100 }));
    const keys = whole.map(({ chamber, scrutin_id }) => `${chamber}:${scrutin_id}`);
    const votes = new Map<string, Votes[]>();
    const isCensure = (key: string) => /motion de censure/i.test(String(whole[keys.indexOf(key)]!.title));
    for (const key of keys) {
      const [stored] = night.now
        .column<string>("SELECT coalesce(detail, row) FROM record WHERE kind = 'ballot' AND key = ?")
        .all(key);
      votes.set(key, documentsIn(JSON.parse(stored!).votes_by_party) as unknown as Votes[]);
    }
    const slugs = [...new Set([...votes.values()].flat().map(({ party }) => party))].filter(Boolean).slice(0, 3);
    const random = createRandom(seedOf('SELECTION_SEED'));
    for (let round = 0; round < 100; round++) {
      const chosen = keys.filter(() => random.isOneIn(3));
      if (chosen.length === 0) continue;
      const pairs = await itemsAt(night.now, compare, { group: slugs, ballots: chosen });
      for (const { chamber, group, other, agreement } of pairs) {
        const counted = chosen.filter((key) => key.startsWith(`${chamber}:`) && !isCensure(key));
        const both = counted.flatMap((key) => {
          const of = (slug: unknown) => votes.get(key)!.find(({ party }) => party === slug)?.position ?? null;
          return of(group) === null || of(other) === null ? [] : [of(group) === of(other)];
        });
        const expected = both.length === 0 ? null : both.filter(Boolean).length / both.length;
        if (expected === null) expect(agreement).to.equal(null);
        else expect(agreement).to.be.closeTo(expected, 1e-9);
      }
      for (const { chamber, group, agreement_index: index } of await itemsAt(night.now, cohesion, {
        group: slugs,
        ballots: chosen,
      })) {
        const counted = chosen.filter((key) => key.startsWith(`${chamber}:`) && !isCensure(key));
        const indices = counted.flatMap((key) => {
          const vote = votes.get(key)!.find(({ party }) => party === group);
          if (!vote || [vote.for, vote.against, vote.abstention].some((count) => typeof count !== 'number')) return [];
          const cast = [vote.for, vote.against, vote.abstention];
          const sum = cast[0]! + cast[1]! + cast[2]!;
          return sum === 0 ? [] : [(3 * Math.max(...cast) - sum) / (2 * sum)];
        });
        if (indices.length === 0) expect(index).to.equal(null);
        else expect(index).to.be.closeTo(indices.reduce((a, b) => a + b) / indices.length, 1e-9);
      }
    }
  });

  it('is parted by month or session, so that the parts add up', async () => {
    const choice = { group: ['ADR', 'PDV'], chamber: 'AN' };
    const [whole] = await itemsAt(night.now, compare, choice);
    for (const by of ['month', 'session', 'topic']) {
      const parts = await itemsAt(night.now, compare, { ...choice, by });
      expect(
        parts.reduce((sum, { n }) => sum + Number(n), 0),
        by,
      ).to.equal(whole!.n);
      expect(new Set(parts.map(({ part }) => part)).size, by).to.equal(parts.length);
    }
    const months = await fieldsAt(night.now, cohesion, ['part'], { group: ['ADR'], by: 'month' });
    expect(months.flat().filter(Boolean)).to.deep.equal(months.flat().filter(Boolean).sort());
  });
});

describe('the ballots on one text', () => {
  const night = readTwoNights();

  it('are found by words of its name, in order, each with what of it was voted on', async () => {
    const listing = await ask(night.now, text, { text: 'retraites des gardiens' });
    expect(listing.extra).to.include({ grouped_by: 'dossier, title' });
    expect(String(listing.extra?.text)).to.match(/^projet de loi relatif aux retraites des gardiens/);
    const items = await itemsOf(listing);
    expect(text.toRow!(items[0]!).ballot).to.match(/^(AN|Senat):/);
    const days = items.map(({ date }) => String(date));
    expect(items.length).to.be.above(2);
    expect(days).to.deep.equal([...days].sort());
    expect(items.map(({ subject }) => subject)).to.include("l'ensemble (première lecture)");
    expect(listing.notes?.().map(String).join()).to.contain('otherwise by the text named in their titles');
    const voted = await itemsAt(night.now, ballots, {
      text: 'retraites des gardiens',
      sort: 'oldest',
      limit: 100,
    });
    expect(voted.map(({ scrutin_id }) => scrutin_id)).to.deep.equal(items.map(({ scrutin_id }) => scrutin_id));
  });

  it('are refused for words of several texts, and of none', async () => {
    expect((await refusalAt(night.now, text, { text: 'loi' })).exit).to.equal(11);
    expect((await refusalAt(night.now, text, { text: 'zéphyrs' })).exit).to.equal(3);
  });

  it('go on behind a cursor, each once', async () => {
    const whole = await itemsAt(night.now, text, { text: 'retraites des gardiens' });
    const first = await ask(night.now, text, { text: 'retraites des gardiens', limit: 2 });
    const shown = await itemsOf(first);
    const remainingItems = await itemsAt(night.now, text, {
      text: 'retraites des gardiens',
      cursor: first.nextCursor,
    });
    expect([...shown, ...remainingItems]).to.deep.equal(whole);
  });
});
