import { expect } from 'chai';
import { readBallot } from '../../src/model/ballot.ts';
import { ballotContradictions } from '../../src/model/contradiction.ts';
import { currentGroupsOfMembers } from '../../src/names/party-groups.ts';
import { bumpVersion } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import {
  contradictionRules,
  findContradictions,
  readContradictionCount,
  saveContradictionCount,
} from '../../src/store/records/contradictions.ts';
import { frenchWords } from '../../src/words/french.ts';
import { createDemoMirror, readDemoMirror } from '../helpers/demo-mirror.ts';
import { createRandom, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';

const group = {
  party: 'adr',
  members: 10,
  for: 4,
  against: 3,
  abstention: 1,
  non_voting: 0,
  position: 'pour',
};
const ballot = (totals: object | null, ...groups: object[]) =>
  readBallot({ scrutin_id: '1', chamber: 'AN', totals, votes_by_party: groups } as never);
const totals = { for: 4, against: 3, abstention: 1, non_voting: 0 };
const rulesOf = (...of: Parameters<typeof ballot>) => [...ballotContradictions(ballot(...of))].map(({ rule }) => rule);

describe('contradictions within a ballot', () => {
  it('are none where figures agree, or are not stated', () => {
    expect(rulesOf(totals, group)).to.deep.equal([]);
    expect(rulesOf(null, group)).to.deep.equal([]);
    expect(rulesOf(totals)).to.deep.equal([]);
    expect(rulesOf({ ...totals, non_voting: 9 }, { ...group, non_voting: null })).to.deep.equal([]);
    expect(rulesOf(totals, { ...group, members: null, position: null })).to.deep.equal([]);
    expect(
      rulesOf(
        totals,
        { ...group, for: 3, against: 3, position: 'pour' },
        { ...group, for: 1, against: 0, abstention: 0 },
      ),
    ).to.deep.equal([]);
  });

  it('tell both figures and whose they are', () => {
    expect([...ballotContradictions(ballot({ ...totals, non_voting: 9 }, group))]).to.deep.equal([
      {
        rule: 'totals',
        about: 'non_voting',
        one: '9',
        one_of: 'ballot',
        other: '0',
        other_of: 'sum of its groups',
      },
    ]);
    expect(rulesOf(totals, { ...group, members: 7 })).to.deep.equal(['group-size']);
    expect(rulesOf(totals, { ...group, position: 'contre' })).to.deep.equal(['position']);
  });
});

describe('contradictions of a mirror', () => {
  const demo = readDemoMirror();

  it('name 200 that are put in by chance, each by its rule and its record', async () => {
    const own = await createDemoMirror();
    const writer = openWritableMirror(own.db);
    const random = createRandom(seedOf('CONTRADICTION_SEED'));
    const expected = new Set<string>();
    const put = (kind: string, key: string, document: object) => {
      const { database } = writer;
      const [last] = database.prepare('SELECT max(id) FROM record WHERE kind = ?').pluck().all(kind) as number[];
      const facets = document as { politician?: string; date?: string };
      database
        .prepare(
          `INSERT INTO record (id, kind, key, row, hash, sort_name, politician, date, updated_at, first_seen, last_seen, last_changed)
           VALUES (?, ?, ?, ?, '', '', ?, ?, '', '2026', '2026', '2026')`,
        )
        .run(last! + 1, kind, key, JSON.stringify(document), facets.politician ?? null, facets.date ?? '');
    };
    put('party', 'g1', { slug: 'g1', kind: 'groupe-an', chamber: 'AN', start_date: '2025-01-01', end_date: null });
    put('party', 'g2', {
      slug: 'g2',
      kind: 'groupe-an',
      chamber: 'AN',
      start_date: '2025-01-01',
      end_date: '2025-12-31',
    });
    put('politician', 'dead', { slug: 'dead', death_date: '2020-01-01', affiliations: [] });
    const makers: Record<string, (n: number) => void> = {};
    const addBallot = (rule: string, n: number, change: object, more: object = {}) => {
      const key = `AN:C${n}`;
      put('ballot', key, {
        ...{
          scrutin_id: `C${n}`,
          chamber: 'AN',
          date: '2025-06-01',
          totals,
          votes_by_party: [{ ...group, party: 'g1', ...change }],
        },
        ...more,
      });
      expected.add(`${rule} ${key}`);
    };
    makers.count = (n) => {
      const odd = random.pick([{ abstention: 'Y' }, { members: 'six' }]);
      addBallot('count', n, odd, { totals: random.pick([totals, null]) });
    };
    makers.totals = (n) => addBallot('totals', n, {}, { totals: { ...totals, against: 4 + random.integer(9) } });
    makers['group-size'] = (n) => addBallot('group-size', n, { members: random.integer(8) });
    makers.position = (n) => addBallot('position', n, { position: random.pick(['contre', 'abstention']) });
    makers['group-days'] = (n) =>
      addBallot('group-days', n, { party: 'g2' }, { date: random.pick(['2024-12-31', '2026-01-01']) });
    makers['two-groups'] = (n) => {
      const affiliations = [
        { party: 'g1', start: '2025-01-01', end: random.pick([null, '2025-09-01']) },
        { party: 'g2', start: '2025-05-01', end: '2025-10-01' },
      ];
      put('politician', `p${n}`, { slug: `p${n}`, affiliations });
      expected.add(`two-groups p${n}`);
    };
    makers.seat = (n) => {
      const affiliations = [{ party: 'g1', start: '2025-01-01', end: '2025-09-01' }];
      const current_role = random.pick(['Députée (Valombre)', 'Sénateur']);
      put('politician', `e${n}`, { slug: `e${n}`, current_role, chamber: 'AN', affiliations });
      put('politician', `m${n}`, { slug: `m${n}`, current_role: 'Ministre', chamber: 'AN', affiliations });
      put('politician', `k${n}`, { slug: `k${n}`, current_role, chamber: 'Senat', affiliations });
      expected.add(`seat e${n}`);
    };
    makers.repeated = (n) => {
      const affiliation = { party: 'g1', start: '2025-01-01', end: null };
      const copies = Array.from({ length: 2 + random.integer(2) }, () => affiliation);
      put('politician', `r${n}`, { slug: `r${n}`, affiliations: copies });
      expected.add(`repeated r${n}`);
    };
    makers['after-death'] = (n) => {
      put('quote', `q${n}`, { id: `q${n}`, politician: 'dead', date: '2021-01-01', text: `a${n}` });
      expected.add(`after-death q${n}`);
    };
    makers['no-address'] = (n) => {
      put('source', `s${n}`, { id: `s${n}`, url: random.pick([null, '', '#', 'page 3']) });
      expected.add(`no-address s${n}`);
    };
    makers['near-duplicates'] = (n) => {
      const text = `Nous construirons ${n} logements dans la vallée avant la fin`;
      const more = { politician: `x${n}`, date: '2025-01-01' };
      put('promise', `d${n}-1`, { id: `d${n}-1`, text, ...more });
      put('promise', `d${n}-2`, { id: `d${n}-2`, text: `${text.toUpperCase()}.`.replace('É', 'é'), ...more });
      expected.add(`near-duplicates d${n}-2`);
    };
    const before = new Set([...findContradictions(demo.mirror)].map(({ rule, key }) => `${rule} ${key}`));
    const rules = Object.keys(makers);
    expect(rules).to.deep.equal(contradictionRules.map(({ name }) => name));
    for (let n = 0; n < 200; n += 1) makers[rules[n % rules.length]!]!(n);
    writer.close();
    const reader = openMirror(own.db);
    const all = [...findContradictions(reader)];
    const contradictions = all.map(({ rule, key }) => `${rule} ${key}`);
    const origins = new Set(all.flatMap(({ one_of, other_of }) => [one_of, other_of]));
    const slugs = new Set(reader.column<string>("SELECT key FROM record WHERE kind = 'party'").all());
    const english = [...origins].filter((each) => !slugs.has(each) && frenchWords.word(each) === undefined);
    expect(english, 'origins without French').to.deep.equal([]);
    expect([...origins].some((each) => /^first day of/.test(each))).to.equal(true);
    reader.close();
    own.remove();
    expect(contradictions.filter((each) => !before.has(each)).sort()).to.deep.equal([...expected].sort());
  });

  it('are counted once by the run that changed records, and by nobody who only asks for the status', async () => {
    const before = readContradictionCount(demo.mirror);
    expect(before).to.equal([...findContradictions(demo.mirror)].length);
    const own = await createDemoMirror();
    const writer = openWritableMirror(own.db);
    writer.sql("UPDATE record SET withdrawn = '2026-11-01' WHERE kind = 'source'").run();
    bumpVersion(writer);
    expect(readContradictionCount(writer)).to.equal(null);
    saveContradictionCount(writer);
    expect(readContradictionCount(writer)).to.equal([...findContradictions(writer)].length);
    writer.close();
    own.remove();
  });
});

describe('affiliations that are no objects', () => {
  for (const affiliations of ['x', '', 'a\0b', 7, true, ['x', 8, null, [], {}], { party: 'x' }])
    it(`end no question about others: ${JSON.stringify(affiliations)}`, () => {
      const own = createTemporaryMirror();
      const stay = { party: 'g', start: '2020-01-01', end: '2024-01-01' };
      saveAll(own.mirror, 'politician', [
        { slug: 'odd', full_name: 'Odd', death_date: '2020-01-01', group: 'h', affiliations },
        { slug: 'plain', full_name: 'Plain', death_date: '2022-01-01', group: 'h', affiliations: [stay] },
      ]);
      const after = [...findContradictions(own.mirror, 'after-death')].map(({ key, one }) => [key, one]);
      expect(after).to.deep.equal([['plain', '2024-01-01']]);
      expect(currentGroupsOfMembers(own.mirror, 'g')).to.deep.equal([{ slug: 'h', members: 1, sitting: 1 }]);
      own.remove();
    });
});
