import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { agreementIndex, largerSide } from '../../src/model/agreement.ts';
import { readBallot } from '../../src/model/ballot.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { comparePairs, computeCohesions } from '../../src/store/records/agreement.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { saveAll } from '../server/demo-server.ts';

const ballots = fileURLToPath(new URL('../../fixtures/demo/ballots.ndjson', import.meta.url));
const all = { voted: [] };
const counts = (yes: number | null, no: number | null, abstained: number | null) => ({
  for: yes,
  against: no,
  abstention: abstained,
  non_voting: null,
});

describe('the Agreement Index', () => {
  it('is 1 where all did the same, 0 where they were split in three, and null where nothing is known', () => {
    expect(agreementIndex(counts(7, 0, 0))).to.equal(1);
    expect(agreementIndex(counts(5, 5, 5))).to.equal(0);
    expect(agreementIndex(counts(6, 6, 0))).to.equal(0.25);
    expect(agreementIndex(counts(0, 0, 0))).to.equal(null);
    expect(agreementIndex(counts(5, null, 0))).to.equal(null);
  });
});

describe('the side with more votes', () => {
  const ballot = { scrutin_id: '1', chamber: 'AN', title: 'On lanterns', votes_by_party: [] };
  const side = (more: object) => largerSide(readBallot({ ...ballot, ...more }));

  it('is none for a tie, for counts that are not published, and for a motion of censure', () => {
    expect(side({ totals: { for: 3, against: 2 } })).to.equal('for');
    expect(side({ totals: { for: 2, against: 3 } })).to.equal('against');
    expect(side({ totals: { for: 2, against: 2 } })).to.equal(null);
    expect(side({ totals: { for: 2 } })).to.equal(null);
    expect(side({ totals: { for: 9, against: 0 }, type: 'motion de censure' })).to.equal(null);
  });
});

describe('figures over ballots', () => {
  let mirror: Mirror;
  let remove: () => void;
  let duck: (sql: string) => Promise<Record<string, unknown>[]>;
  before(async () => {
    const demo = await createDemoMirror();
    mirror = openMirror(demo.db);
    remove = demo.remove;
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(
      `CREATE TABLE vote AS SELECT scrutin_id, chamber, date, regexp_matches(title, '(?i)motion de censure') AS one_sided, v.* FROM (SELECT *, unnest(votes_by_party) AS v FROM read_json('${ballots}', format = 'newline_delimited'))`,
    );
    duck = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];
  });
  after(() => {
    mirror.close();
    remove();
  });

  it('of cohesion are those that DuckDB computes from the same records, to 1e-9', async () => {
    const expected = await duck(
      `SELECT party, chamber, count(*)::DOUBLE AS ballots, avg(ai) AS ai, count(ai)::DOUBLE AS n,
         avg(ai) FILTER (WHERE cast_ > 3) AS ai3,
         avg(cast_ / members) FILTER (WHERE chamber = 'AN' AND cast_ <= members) AS took,
         (count(*) FILTER (WHERE one_sided))::DOUBLE AS one_sided
       FROM (SELECT *, CASE WHEN cast_ > 0 AND NOT one_sided THEN
           (greatest("for", against, abstention) - (cast_ - greatest("for", against, abstention)) / 2.0) / cast_ END AS ai
         FROM (SELECT *, CASE WHEN NOT one_sided THEN "for" + against + abstention END AS cast_ FROM vote
           WHERE party IS NOT NULL AND NOT regexp_matches(coalesce(party_name, ''), '(?i)^non[- ]inscrit')))
       GROUP BY ALL ORDER BY party, chamber`,
    );
    const cohesionRows = computeCohesions(mirror, all, { requestedGroups: [] });
    expect(cohesionRows.map(({ group, chamber }) => [group, chamber])).to.deep.equal(
      expected.map(({ party, chamber }) => [party, chamber]),
    );
    expect(cohesionRows.length).to.be.greaterThan(4);
    for (const [at, { ballots, ai, n, ai3, took, one_sided: oneSided }] of expected.entries()) {
      const ours = cohesionRows[at]!;
      expect([ours.ballots, ours.n, ours.one_sided]).to.deep.equal([ballots, n, oneSided]);
      for (const [one, other] of [
        [ours.agreement_index, ai],
        [ours.agreement_index_over_3, ai3],
        [ours.participation, took],
      ])
        if (other === null) expect(one).to.equal(null);
        else expect(one).to.be.closeTo(Number(other), 1e-9);
    }
  });

  it('of cohesion come least united first where that is asked for, those of which nothing is known last', () => {
    const unities = computeCohesions(mirror, all, { requestedGroups: [], sort: 'dissent' }).map(
      ({ agreement_index: index }) => index ?? 2,
    );
    expect(unities).to.deep.equal([...unities].sort((a, b) => a - b));
    expect(unities[0]).to.be.below(unities.at(-1)!);
  });

  it('of agreement count the ballots in which both positions are stated, and all that is left out', async () => {
    const one = 'alliance-des-rivages';
    const other = 'parti-du-verger';
    const expected = await duck(
      `SELECT chamber, count(*)::DOUBLE AS n, (count(*) FILTER (WHERE a.position = b.position))::DOUBLE AS same
       FROM vote a JOIN vote b USING (chamber, scrutin_id)
       WHERE a.party = '${one}' AND b.party = '${other}' AND a.position IS NOT NULL AND b.position IS NOT NULL
         AND NOT a.one_sided GROUP BY chamber ORDER BY chamber`,
    );
    const compared = comparePairs(mirror, all, {
      pairs: [{ one: { requestedName: 'ADR', groups: [one] }, other: { requestedName: 'PDV', groups: [other] } }],
    });
    expect(compared.map(({ chamber, n, same }) => ({ chamber, n, same }))).to.deep.equal(expected);
    for (const comparison of compared) {
      expect(comparison.agreement).to.be.closeTo(comparison.same / comparison.n, 1e-12);
      const inTable = Object.values(comparison.positions).flatMap((row) => Object.values(row));
      expect(inTable.reduce((sum, value) => sum + value, 0)).to.equal(comparison.n);
      const ballotCount = mirror
        .column<number>("SELECT count(*) FROM record WHERE kind = 'ballot' AND key LIKE ?")
        .get(`${comparison.chamber}:%`);
      const { n, not_listed, no_position, one_sided } = comparison;
      expect(n + not_listed + no_position + one_sided).to.equal(ballotCount);
    }
  });

  it('by month begin with the first that counts any, not before a group was listed', async () => {
    const own = await createDemoMirror();
    const later = openWritableMirror(own.db);
    const votes = { for: 5, against: 1, abstention: 0, position: 'pour' };
    const both = ['late', 'alliance-des-rivages'].map((party) => ({ party, ...votes }));
    const ballot = { scrutin_id: 'LATE', chamber: 'AN', date: '2027-03-01', votes_by_party: both };
    saveAll(later, 'ballot', [ballot]);
    const [one, other] = both.map(({ party }) => ({ requestedName: party, groups: [party] }));
    const compared = comparePairs(later, all, { pairs: [{ one: one!, other: other! }], by: 'month' });
    expect(compared.map(({ part, n }) => [part, n])).to.deep.equal([['2027-03', 1]]);
    const united = computeCohesions(later, all, { requestedGroups: [one!], by: 'month' });
    expect(united.map(({ part }) => part)).to.deep.equal(['2027-03']);
    later.close();
    own.remove();
  });

  it('are null, not 0, where no ballot is chosen', () => {
    const none = { voted: [], since: '2099-01-01' };
    const requestedGroup = { requestedName: 'ADR', groups: ['alliance-des-rivages'] };
    const [cohesion] = computeCohesions(mirror, none, { requestedGroups: [requestedGroup] });
    expect(cohesion).to.include({
      group: 'ADR',
      n: 0,
      ballots: 0,
      agreement_index: null,
      participation: null,
    });
    const [compared] = comparePairs(mirror, none, { pairs: [{ one: requestedGroup, other: 'majority' }] });
    expect(compared).to.include({ other: 'majority', n: 0, agreement: null });
  });
});
