import { expect } from 'chai';
import { type Decision, type Evidence, judge, observe, type Route } from '../../src/store/saving/evidence.ts';

const at = (hours: number) => new Date(Date.UTC(2026, 10, 1, 6) + hours * 3_600_000).toISOString();

/** Letters of findings, of which each stands for an observation on its day: a dot for none. */
const findings: Record<string, string> = { a: 'absent', p: 'present', u: 'undecided' };

/** The evidence that routes gave day after day: `{ list: 'aa', address: '.a' }`. */
function evidenceFrom(days: Partial<Record<Route, string>>): Evidence[] {
  return Object.entries(days).flatMap(([route, letters]) => {
    let evidence: Evidence | undefined;
    for (const [day, letter] of [...letters].entries())
      if (letter !== '.') evidence = observe(evidence, { route, finding: findings[letter]!, at: at(24 * day) });
    return evidence ?? [];
  });
}

describe('the evidence on a missing record', () => {
  type Row = [second: Route | null, days: Partial<Record<Route, string>>, decision: Decision, isAtCut?: true];
  const rows: Row[] = [
    // By its own address.
    ['address', { list: 'a' }, 'missing'],
    ['address', { list: 'aa' }, 'missing'],
    ['address', { list: 'aaaaaaaa' }, 'missing'],
    ['address', { list: 'a', address: 'a' }, 'missing'],
    ['address', { list: 'aa', address: 'a' }, 'missing'],
    ['address', { list: 'a', address: 'aa' }, 'missing'],
    ['address', { list: 'aa', address: 'aa' }, 'withdrawn'],
    ['address', { list: 'aa', address: 'aa' }, 'withdrawn', true],
    ['address', { list: 'aaa', address: 'a.a' }, 'withdrawn'],
    ['address', { list: 'aa', address: 'ap' }, 'contradicted'],
    ['address', { list: 'aaa', address: 'pa' }, 'missing'],
    ['address', { list: 'aaaa', address: 'apa' }, 'missing'],
    ['address', { list: 'aaaa', address: 'apaa' }, 'withdrawn'],
    ['address', { list: 'a', address: 'u' }, 'missing'],
    ['address', { list: 'aa', address: 'uu' }, 'withdrawn'],
    ['address', { address: 'aa' }, 'missing'],
    // By the profile of its politician.
    ['profile', { list: 'aa', profile: 'aa' }, 'withdrawn'],
    ['profile', { list: 'aa', profile: 'pp' }, 'contradicted'],
    ['profile', { list: 'aa', profile: 'u' }, 'withdrawn'],
    ['profile', { list: 'aa', profile: 'u' }, 'contradicted', true],
    ['profile', { list: 'aa', profile: 'ua' }, 'missing'],
    // A route that is not its second, such as the profile of somebody withdrawn since, decides nothing.
    [null, { list: 'aa', profile: 'pp' }, 'withdrawn'],
    // By lists alone.
    [null, {}, 'missing'],
    [null, { list: 'a' }, 'missing'],
    [null, { list: 'aa' }, 'withdrawn'],
    [null, { list: 'aa' }, 'contradicted', true],
    [null, { list: 'aa', citation: 'p' }, 'contradicted'],
    [null, { list: 'aa', citation: 'pp' }, 'contradicted'],
    [null, { list: 'aa', citation: 'pa' }, 'withdrawn'],
    [null, { list: 'aa', citation: 'a' }, 'withdrawn'],
  ];
  for (const [secondRoute, days, decision, isAtCut = false] of rows)
    it(`${JSON.stringify(days)}${isAtCut ? ', at a cut,' : ''} with ${secondRoute ?? 'no'} route beside is ${decision}`, () => {
      expect(judge(evidenceFrom(days), { secondRoute, days: 2, isAtListEnd: isAtCut })).to.equal(decision);
    });

  for (const [days, decision] of [
    ['a', ['withdrawn', 'missing', 'missing']],
    ['aa', ['withdrawn', 'withdrawn', 'missing']],
    ['aaa', ['withdrawn', 'withdrawn', 'withdrawn']],
  ] as const)
    it(`of lists and addresses "${days}" is as much as ${decision} for one, two or three days`, () => {
      const evidence = evidenceFrom({ list: days, address: days });
      const decide = (least: number) => judge(evidence, { secondRoute: 'address', days: least, isAtListEnd: false });
      expect([1, 2, 3].map(decide)).to.deep.equal(decision);
    });

  for (const [hours, days] of [
    [[0], 1],
    [[0, 0], 1],
    [[0, 19.999], 1],
    [[0, 20], 2],
    [[0, 12, 24], 2],
    [[0, 12, 24, 36], 2],
    [[0, 19, 38, 57], 2],
    [[0, 24, 48], 3],
    [[24, 0], 1],
  ] as const)
    it(`that comes after ${hours} hours counts for ${days} days`, () => {
      let evidence: Evidence | undefined;
      for (const hour of hours) evidence = observe(evidence, { route: 'list', finding: 'absent', at: at(hour) });
      expect(evidence).to.include({ days, since: at(hours[0]) });
    });

  it('starts anew with another finding', () => {
    expect(evidenceFrom({ address: 'aap' })).to.deep.equal([
      { route: 'address', finding: 'present', days: 1, since: at(48), at: at(48) },
    ]);
  });
});
