import { expect } from 'chai';
import { ask, itemsOf, type ListQuestion } from '../../src/index.ts';
import { hasColumn, type KindName, kindOf } from '../../src/model/kinds.ts';
import { type Coverage, coveragePhrase } from '../../src/parliament/coverage.ts';
import { questions } from '../../src/questions/table.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { refreshBallotTables } from '../../src/store/saving/ballot-tables.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { saveAll } from '../server/demo-server.ts';
import { readTwoNights } from './question-results.ts';

/** Questions about versions of one record, and about statements of the user: the mirror covers neither. */
const uncovered = ['history', 'asks', 'ask'];
const lists = questions.filter(
  (each): each is ListQuestion => each.answers === 'list' && !uncovered.includes(each.name),
);

/** Values for the required parameters of a question about the demo dataset. */
function requiredValues({ name, parameters }: ListQuestion): Record<string, unknown> {
  if (name === 'compare') return { group: 'ADR,PDV' };
  const required = Object.entries(parameters).filter(([, { isRequired }]) => isRequired);
  return Object.fromEntries(
    required.map(([each, { schema }]) => [each, [schema.examples ?? schema.enum ?? 'x'].flat(2)[0]]),
  );
}

const coverageOf = async (mirror: Mirror, question: ListQuestion, values: Record<string, unknown>) => {
  const listing = await ask(mirror, question, values);
  const items = await itemsOf(listing);
  return { items, coverage: listing.extra?.coverage as Coverage[] | undefined };
};

/** The figures of a row by SQL over the documented views. */
function figuresBySql({ database }: Mirror, { kind, chamber, days }: Coverage) {
  const view = kindOf(kind as KindName).plural;
  const where = chamber === null ? '' : `WHERE chamber = '${chamber}'`;
  const day = 'substr(date, 1, 10)';
  if (days === 'seen')
    return database
      .prepare(
        `SELECT count(*) AS records, (SELECT substr(min(first_seen), 1, 10) FROM record WHERE kind = '${kind}') AS first,
         (SELECT substr(value, 1, 10) FROM meta WHERE key = 'synced_at') AS last FROM ${view}`,
      )
      .get();
  if (days === 'affiliation')
    return database
      .prepare(
        `SELECT (SELECT count(*) FROM politicians) AS records, min(day) AS first, max(day) AS last FROM (
           SELECT value ->> '$.start' AS day FROM politicians, json_each(politicians.affiliations)
           UNION ALL SELECT value ->> '$.end' FROM politicians, json_each(politicians.affiliations))`,
      )
      .get();
  const isDated = hasColumn(kindOf(kind as KindName), 'date');
  const bounds = isDated ? `min(${day}) AS first, max(${day}) AS last` : 'NULL AS first, NULL AS last';
  return database.prepare(`SELECT count(*) AS records, ${bounds} FROM ${view} ${where}`).get();
}

describe('the coverage of answers', () => {
  const night = readTwoNights();
  let empty: { mirror: Mirror; close(): void };
  before(async () => {
    const demo = await createDemoMirror();
    const writer = openWritableMirror(`${demo.db}.empty`);
    writer.close();
    const mirror = openMirror(`${demo.db}.empty`);
    empty = {
      mirror,
      close() {
        mirror.close();
        demo.remove();
      },
    };
  });
  after(() => empty.close());

  function expectFigures(mirror: Mirror, coverage: Coverage[] | undefined): void {
    expect(coverage).to.be.an('array').that.is.not.empty;
    for (const row of coverage!) {
      const { first, last, records } = row;
      expect({ first, last, records }, JSON.stringify(row)).to.deep.equal(figuresBySql(mirror, row));
    }
  }

  for (const question of lists) {
    const { name, parameters } = question;
    const isBounded = 'since' in parameters;

    if (isBounded)
      it(`stands beside \`${name}\` since a day, with the figures of the mirror`, async () => {
        const values = { ...requiredValues(question), since: '2024-01-01' };
        expectFigures(night.now, (await coverageOf(night.now, question, values)).coverage);
      });

    if (question.alwaysStatesCoverage)
      it(`stands beside every figure of \`${name}\``, async () => {
        expectFigures(night.now, (await coverageOf(night.now, question, requiredValues(question))).coverage);
      });
    // A text without ballots is refused.
    else if (name !== 'text')
      it(`stands beside an empty answer to \`${name}\``, async () => {
        const none = isBounded ? { since: '2099-01-01' } : 'q' in parameters ? { q: 'zzqxzzq' } : null;
        const mirror = none === null ? empty.mirror : night.now;
        const isRuleOnly = name === 'contradictions' ? { rule: 'two-groups' } : {};
        const { items, coverage } = await coverageOf(mirror, question, {
          ...requiredValues(question),
          ...none,
          ...isRuleOnly,
        });
        expect(items).to.deep.equal([]);
        expectFigures(mirror, coverage);
      });
  }

  it('stands beside hits of a search whose words bound the days', async () => {
    const search = lists.find(({ name }) => name === 'search')!;
    const { items, coverage } = await coverageOf(night.now, search, { q: 'retraites since:2024', type: 'speech' });
    expect(items).not.to.deep.equal([]);
    expectFigures(night.now, coverage);
  });

  it('is absent from an answer with items and without a bound', async () => {
    const ballots = lists.find(({ name }) => name === 'ballots')!;
    const { items, coverage } = await coverageOf(night.now, ballots, {});
    expect(items).not.to.deep.equal([]);
    expect(coverage).to.equal(undefined);
  });

  it('has the rows that the values leave possible', async () => {
    const rowsOf = async (name: string, values: Record<string, unknown>) => {
      const { coverage } = await coverageOf(night.now, lists.find((each) => each.name === name)!, values);
      return coverage!.map(({ kind, chamber }) => (chamber === null ? kind : `${kind} ${chamber}`));
    };
    expect(await rowsOf('ballots', { q: 'zzqxzzq' })).to.deep.equal(['ballot AN', 'ballot Senat']);
    expect(await rowsOf('ballots', { q: 'zzqxzzq', chamber: 'Senat' })).to.deep.equal(['ballot Senat']);
    expect(await rowsOf('cohesion', { chamber: 'AN' })).to.deep.equal(['ballot AN']);
    expect(await rowsOf('search', { q: 'zzqxzzq', type: 'speech,quote' })).to.have.members(['speech', 'quote']);
  });
});

describe('the coverage of filters on fields', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  before(async () => {
    demo = await createDemoMirror();
    const path = `${demo.db}.filters`;
    const writer = openWritableMirror(path);
    const counts = { for: 3, against: 1, abstention: 0, non_voting: 0 };
    const ballot = { chamber: 'AN', title: 'Sur les fanaux', totals: counts, votes_by_party: [] };
    saveAll(writer, 'ballot', [
      { ...ballot, scrutin_id: 'F-1', date: '2026-03-01' },
      { ...ballot, scrutin_id: 'F-2', date: '2026-03-09', totals: null },
      { ...ballot, scrutin_id: 'F-3', date: null },
    ]);
    saveAll(writer, 'promise', [{ id: 'p-1', topic: 'fanaux', title: 'Plus de fanaux', date: '2026-01-01' }]);
    writer.close();
    mirror = openMirror(path);
  });
  after(() => {
    mirror.close();
    demo.remove();
  });
  const ballots = lists.find(({ name }) => name === 'ballots')!;

  it('says that no record states the field', async () => {
    const { coverage } = await coverageOf(mirror, ballots, { topic: 'fanaux' });
    expect(coverage![0]).to.deep.include({ records: 3, unstated: ['topic'] });
    expect(`${coveragePhrase(coverage!)}`).to.equal('none of the 3 ballots states a topic');
  });

  it('does not say so where some record states it', async () => {
    const feed = lists.find(({ name }) => name === 'feed')!;
    const { coverage } = await coverageOf(mirror, feed, { topic: 'fanaux', since: '2026-02-01' });
    const promises = coverage!.find(({ kind }) => kind === 'promise');
    expect(promises).to.deep.equal({
      ...{ kind: 'promise', chamber: null, first: '2026-01-01', last: '2026-01-01', records: 1 },
    });
  });

  it('counts ballots without counts and leaves those without a day out of the days', async () => {
    const { coverage } = await coverageOf(mirror, ballots, { chamber: 'AN', until: '2020' });
    expect(coverage).to.deep.equal([
      { kind: 'ballot', chamber: 'AN', first: '2026-03-01', last: '2026-03-09', records: 3, without_counts: 1 },
    ]);
    expect(`${coveragePhrase(coverage!)}`).to.equal(
      'in this mirror ballots of the Assemblée nationale run from 1 March 2026 to 9 March 2026 (3, 1 of them without counts)',
    );
  });

  it('says how many ballots there are at least, by the highest number of each legislature or session', async () => {
    const ballot = { chamber: 'Senat', date: '2026-02-01' };
    const writer = openWritableMirror(`${demo.db}.numbered`);
    const numbered = async () => {
      const { coverage } = await coverageOf(writer, ballots, { chamber: 'Senat', until: '2020' });
      return coverage![0]!.numbered;
    };
    saveAll(writer, 'ballot', [
      { ...ballot, scrutin_id: 'a', number: '7', session: '2024' },
      { ...ballot, scrutin_id: 'b', number: 30, session: '2025' },
      { ...ballot, scrutin_id: 'c', number: '2', session: '2025' },
    ]);
    expect(await numbered(), 'computed').to.equal(37);
    refreshBallotTables(writer);
    expect(await numbered(), 'saved').to.equal(37);
    const codes = ['20260001', 2 ** 53, '9223372036854775807', '-9223372036854775808'];
    saveAll(
      writer,
      'ballot',
      codes.map((number, at) => ({ ...ballot, scrutin_id: `d${at}`, number, session: `${2026 + at}` })),
    );
    refreshBallotTables(writer);
    expect(await numbered(), 'a number that is a code').to.equal(undefined);
    writer.close();
  });
});
