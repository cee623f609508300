import { expect } from 'chai';
import type { Stay } from '../../src/model/affiliation.ts';
import type { Document } from '../../src/model/document.ts';
import {
  attachmentOf,
  attachmentOfStay,
  memberCounts,
  memberParts,
  partyLinkColumn,
  partyLinkText,
  partyRelationOf,
  roleText,
} from '../../src/parliament/membership.ts';
import { speechOf } from '../../src/words/speech.ts';

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
      'by its role in English, in any case, with what follows it',
      affiliation('phares', ' FINANCIAL  Attachment 2026', null),
      [],
      'financial attachment',
    ],
    ['by its role with spaces', affiliation('phares', 'rattachement  financier à', null), [], 'financial attachment'],
    ['not by another role that names one', affiliation('phares', 'Sans rattachement financier', null), [], null],
    [
      'as a membership of a party from the first days of December, of a person with a seat at some time',
      affiliation('phares', 'Membre', '2025-12-03'),
      [formerSeat],
      'financial attachment (derived)',
    ],
    [
      'also of a person with affiliations to what the mirror lacks',
      affiliation('phares', ' member ', '2025-12-09T00:00:00Z'),
      [affiliation('canaux', 'Membre', '2012-01-01'), seat],
      'financial attachment (derived)',
    ],
    ['not without a seat at any time', affiliation('phares', 'Membre', '2025-12-03'), [], null],
    ['not on another day', affiliation('phares', 'Membre', '2025-12-13'), [seat], null],
    ['not on the tenth day', affiliation('phares', 'Membre', '2025-12-10'), [seat], null],
    ['not in another month', affiliation('phares', 'Membre', '2025-11-03'), [seat], null],
    ['not without a day', affiliation('phares', 'Membre', null), [seat], null],
    ['not without a role', affiliation('phares', null, '2025-12-03'), [seat], null],
    ['not as a former member', affiliation('phares', 'Ancien membre', '2025-12-03'), [seat], null],
    ['not with an office', affiliation('phares', 'Secrétaire', '2025-12-03'), [seat], null],
    ['not in a group', affiliation('quais-senat', 'Membre', '2025-12-03'), [seat], null],
    ['not in a party that is not in the mirror', affiliation('canaux', 'Membre', '2025-12-03'), [seat], null],
  ];
  for (const [name, each, others, expected] of cases)
    it(name, () => {
      expect(attachmentOf(deputy(each, ...others), each, parties)).to.equal(expected);
    });
});

describe('a stay is a financial attachment', () => {
  const declared = affiliation('phares', 'Membre', '2025-12-03', '2026-12-02');
  const stated = affiliation('phares', 'Rattachement financier', '2026-12-03');
  const membership = affiliation('phares', 'Membre', '2012-05-01', '2026-01-01');
  const stay: Stay = { party: 'phares', first: '2025-12-03', last: '2026-12-31' };
  const cases: [string, Stay, Document[], string | null][] = [
    ['where every affiliation is one, as the first is', stay, [declared, stated], 'financial attachment (derived)'],
    ['as its first affiliation is', stay, [stated, declared], 'financial attachment'],
    ['where the stay lasts', { ...stay, last: null }, [stated], 'financial attachment'],
    ['not beside a membership', stay, [declared, membership], null],
    ['not without an affiliation', stay, [], null],
    ['not of another time', { ...stay, last: '2026-06-01' }, [stated], null],
    ['not of another party', { ...stay, party: 'quais' }, [stated], null],
    ['not without a day', stay, [{ ...stated, start: null }], null],
    [
      'whatever stands beside it without a day, or in a group',
      stay,
      [declared, { ...membership, start: null }],
      'financial attachment (derived)',
    ],
  ];
  for (const [name, each, affiliations, expected] of cases)
    it(name, () => {
      expect(attachmentOfStay(deputy(seat, ...affiliations), each, parties)).to.equal(expected);
    });
});

describe('what a politician is to a party or group', () => {
  const none = 'no lasting affiliation';
  const attached = affiliation('phares', 'Membre', '2025-12-03');
  const undated = affiliation('phares', 'rattachement financier', null);
  const cases: [string, Document, string, string][] = [
    ['a member of the group that the record states', deputy(seat), 'phares-an1', 'member'],
    ['that member once the seat has ended in the affiliations, too', deputy(formerSeat), 'phares-an1', 'member'],
    ['no member of a group after death', { ...deputy(seat), death_date: '2026-01-02' }, 'phares-an1', none],
    [
      'a member of another party than the record states by an affiliation that lasts',
      person(affiliation('quais', 'Membre', '2012-05-01')),
      'quais',
      'member',
    ],
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
      expect(partyRelationOf(slug, politician, parties)).to.equal(expected);
    });
});

describe('the words of affiliations', () => {
  const speech = speechOf('en');

  it('are the role of the source, with what is derived from its day, or what the role says', () => {
    const word = (text: string) => `<${text}>`;
    const cases: [Document, string | null][] = [
      [{ role: 'Membre', nature: 'financial attachment (derived)' }, '<Membre> · <financial attachment (derived)>'],
      [{ role: 'Membre', party_link: 'financial attachment (derived)' }, '<Membre> · <financial attachment (derived)>'],
      [{ role: 'Rattachement financier', nature: 'financial attachment' }, '<Rattachement financier>'],
      [{ role: null, nature: 'financial attachment' }, '<financial attachment>'],
      [{ role: 'Membre' }, '<Membre>'],
      [{ role: null }, null],
    ];
    for (const [each, expected] of cases) expect(roleText(each, { word }), JSON.stringify(each)).to.equal(expected);
  });

  it('are those of a politician who is no member', () => {
    for (const standing of [null, undefined, 'member'])
      expect(partyLinkText({ ...(standing !== undefined && { party_link: standing }) }, speech)).to.equal(null);
    expect(partyLinkText({ party_link: 'no lasting affiliation' }, speech)).to.equal('no lasting affiliation');
  });

  it('are described by a column with every nature', () => {
    const { name, words, description } = partyLinkColumn;
    expect([name, words]).to.deep.equal(['party_link', ['financial attachment', 'financial attachment (derived)']]);
    expect(String(description)).to.match(
      /no membership: .*source’s role, or derived from its day\. Null for others\.$/,
    );
  });

  it('are counts, each with what it counts and when', () => {
    const cases: [Document, string][] = [
      [{}, ''],
      [{ members: [], financially_attached: [], member_count: null }, ''],
      [{ members: ['a', 'b'] }, '2 today (affiliations)'],
      [{ financially_attached: ['a'] }, '1 financially attached, counted apart'],
      [{ member_count: 0 }, '0 stated by the service, undated'],
      [{ member_count: '12' }, ''],
      [
        { members: ['a'], financially_attached: ['b'], member_count: 1200 },
        '1 today (affiliations); 1 financially attached, counted apart; 1,200 stated by the service, undated',
      ],
      [{ members: ['a'], member_count: 3 }, '1 today (affiliations); 3 stated by the service, undated'],
    ];
    for (const [profile, expected] of cases)
      expect(memberCounts(profile, speech), JSON.stringify(profile)).to.equal(expected);
  });

  it('head the parts of a party', () => {
    expect(Object.entries(memberParts).map(([part, heading]) => `${part}: ${heading}`)).to.deep.equal([
      'members: Members today',
      'financially_attached: Financially attached, counted apart',
      'no_lasting_affiliation: Listed without a lasting affiliation',
    ]);
  });
});
