import { expect } from 'chai';
import { addObservation, type Evidence, isWithdrawalProven, type Route } from '../../src/store/saving/evidence.ts';

const at = (hours: number) => new Date(Date.UTC(2026, 10, 1, 6) + hours * 3_600_000).toISOString();

/** Letters of findings, of which each stands for an observation on its day: a dot for none. */
const findings: Record<string, string> = { a: 'absent', p: 'present', u: 'undecided' };

/** The evidence that routes gave day after day: `{ list: 'aa', address: '.a' }`. */
function evidenceFrom(days: Partial<Record<Route, string>>): Evidence[] {
  return Object.entries(days).flatMap(([route, letters]) => {
    let evidence: Evidence | undefined;
    for (const [day, letter] of [...letters].entries())
      if (letter !== '.') evidence = addObservation(evidence, { route, finding: findings[letter]!, at: at(24 * day) });
    return evidence ?? [];
  });
}

describe('the evidence on a missing record', () => {
  type Row = [second: Route | null, days: Partial<Record<Route, string>>, isProven: boolean, isAtCut?: true];
  const rows: Row[] = [
    // By its own address.
    ['address', { list: 'a' }, false],
    ['address', { list: 'aa' }, false],
    ['address', { list: 'aaaaaaaa' }, false],
    ['address', { list: 'a', address: 'a' }, false],
    ['address', { list: 'aa', address: 'a' }, false],
    ['address', { list: 'a', address: 'aa' }, false],
    ['address', { list: 'aa', address: 'aa' }, true],
    ['address', { list: 'aa', address: 'aa' }, true, true],
    ['address', { list: 'aaa', address: 'a.a' }, true],
    ['address', { list: 'aa', address: 'ap' }, false],
    ['address', { list: 'aaa', address: 'pa' }, false],
    ['address', { list: 'aaaa', address: 'apa' }, false],
    ['address', { list: 'aaaa', address: 'apaa' }, true],
    ['address', { list: 'a', address: 'u' }, false],
    ['address', { list: 'aa', address: 'uu' }, true],
    ['address', { address: 'aa' }, false],
    // By the profile of its politician.
    ['profile', { list: 'aa', profile: 'aa' }, true],
    ['profile', { list: 'aa', profile: 'pp' }, false],
    ['profile', { list: 'aa', profile: 'u' }, true],
    ['profile', { list: 'aa', profile: 'u' }, false, true],
    ['profile', { list: 'aa', profile: 'ua' }, false],
    // A route that is not its second, such as the profile of somebody withdrawn since, decides nothing.
    [null, { list: 'aa', profile: 'pp' }, true],
    // By lists alone.
    [null, {}, false],
    [null, { list: 'a' }, false],
    [null, { list: 'aa' }, true],
    [null, { list: 'aa' }, false, true],
    [null, { list: 'aa', citation: 'p' }, false],
    [null, { list: 'aa', citation: 'pp' }, false],
    [null, { list: 'aa', citation: 'pa' }, true],
    [null, { list: 'aa', citation: 'a' }, true],
  ];
  for (const [secondRoute, days, isProven, isAtCut = false] of rows)
    it(`${JSON.stringify(days)}${isAtCut ? ', at a cut,' : ''} with ${secondRoute ?? 'no'} route beside ${isProven ? 'proves' : 'does not prove'} a withdrawal`, () => {
      expect(isWithdrawalProven(evidenceFrom(days), { secondRoute, days: 2, isAtListEnd: isAtCut })).to.equal(isProven);
    });

  for (const [days, decision] of [
    ['a', [true, false, false]],
    ['aa', [true, true, false]],
    ['aaa', [true, true, true]],
  ] as const)
    it(`of lists and addresses "${days}" is as much as ${decision} for one, two or three days`, () => {
      const evidence = evidenceFrom({ list: days, address: days });
      const decide = (least: number) =>
        isWithdrawalProven(evidence, { secondRoute: 'address', days: least, isAtListEnd: false });
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
      for (const hour of hours) evidence = addObservation(evidence, { route: 'list', finding: 'absent', at: at(hour) });
      expect(evidence).to.include({ days, since: at(hours[0]) });
    });

  it('starts anew with another finding', () => {
    expect(evidenceFrom({ address: 'aap' })).to.deep.equal([
      { route: 'address', finding: 'present', days: 1, since: at(48), at: at(48) },
    ]);
  });
});
