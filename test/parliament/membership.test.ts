import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { attachmentOf, standingIn } from '../../src/parliament/membership.ts';

const chambers: Record<string, string | null> = {
  phares: null,
  quais: null,
  'phares-an1': 'AN',
  'quais-senat': 'Senat',
};
const parties = new Map(Object.entries(chambers).map(([slug, chamber]) => [slug, { chamber }]));

const affiliation = (
  party: string,
  role: string | null,
  start: string | null,
  end: string | null = null,
): Document => ({
  ...{ party, role, start, end },
});
const seat = affiliation('phares-an1', 'Membre du', '2024-07-19');
const formerSeat = { ...seat, end: '2025-12-31' };
const deputy = (...affiliations: Document[]): Document => ({
  ...{ slug: 'ada', party: 'phares', group: 'phares-an1', chamber: 'AN', affiliations },
});
const person = (...affiliations: Document[]): Document => ({ slug: 'ada', party: 'phares', affiliations });

describe('an affiliation is a financial attachment', () => {
  const cases: [string, Document, Document[], string | null][] = [
    ['by its role', affiliation('phares', 'Rattachement financier', null), [], 'financial attachment'],
    [
      'as a membership of a party from the first days of December, of a person with a seat at some time',
      affiliation('phares', 'Membre', '2025-12-03'),
      [formerSeat],
      'financial attachment (derived)',
    ],
    ['not without a seat at any time', affiliation('phares', 'Membre', '2025-12-03'), [], null],
    ['not on another day', affiliation('phares', 'Membre', '2025-12-13'), [seat], null],
    ['not with an office', affiliation('phares', 'Secrétaire', '2025-12-03'), [seat], null],
    ['not in a group', affiliation('quais-senat', 'Membre', '2025-12-03'), [seat], null],
    ['not in a party that is not in the mirror', affiliation('canaux', 'Membre', '2025-12-03'), [seat], null],
  ];
  for (const [name, each, others, expected] of cases)
    it(name, () => {
      expect(attachmentOf(deputy(each, ...others), each, parties)).to.equal(expected);
    });
});

describe('what a politician is to a party or group', () => {
  const none = 'no lasting affiliation';
  const attached = affiliation('phares', 'Membre', '2025-12-03');
  const undated = affiliation('phares', 'rattachement financier', null);
  const cases: [string, Document, string, string][] = [
    ['a member of the group that the record states', deputy(seat), 'phares-an1', 'member'],
    [
      'a member by an affiliation that lasts',
      person(affiliation('phares', 'Membre', '2012-05-01')),
      'phares',
      'member',
    ],
    ['a member of the party that the record states, without any affiliation', person(), 'phares', 'member'],
    ['nothing to another party', person(), 'quais', none],
    [
      'no member after the last day',
      person(affiliation('phares', 'Membre', '2012-05-01', '2017-06-20')),
      'phares',
      none,
    ],
    [
      'no member after death',
      { ...person(affiliation('phares', 'Membre', '2012-05-01')), death_date: '2026-01-02' },
      'phares',
      none,
    ],
    ['attached by a declaration of December', deputy(seat, attached), 'phares', 'financial attachment (derived)'],
    ['attached by an undated role, with a seat', deputy(seat, undated), 'phares', 'financial attachment'],
    ['no longer attached without a seat', person(formerSeat, attached), 'phares', none],
    [
      'no longer attached once the last declaration has ended, whatever stands without a day',
      deputy(seat, { ...attached, end: '2026-06-01' }, undated),
      'phares',
      none,
    ],
    [
      'a member where a membership lasts beside an attachment',
      deputy(seat, undated, affiliation('phares', 'Membre', '2012-05-01')),
      'phares',
      'member',
    ],
    [
      'no member by an undated candidature beside an attachment',
      deputy(seat, undated, affiliation('phares', 'candidature', null)),
      'phares',
      'financial attachment',
    ],
  ];
  for (const [name, politician, slug, expected] of cases)
    it(`is ${name}`, () => {
      expect(standingIn(slug, politician, parties)).to.equal(expected);
    });
});
