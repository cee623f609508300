import { expect } from 'chai';
import {
  dailyChecks,
  decideComposition,
  filledFields,
  isNewerThan,
  profileDifference,
} from '../../src/model/composition.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';

describe('a composed profile', () => {
  const composed: Document = {
    slug: 'a',
    bio: null,
    party: 'verger',
    updated_at: '2026-01-01',
    quotes: [
      { id: 'q1', source_ids: ['s1', 's2'], context: null },
      { id: 'q2', source_ids: [] },
    ],
  };
  const rows: [string, Document, string | null][] = [
    ['the same in another order', { quotes: [...(composed.quotes as Document[])].reverse() }, null],
    ['a moment that moved', { updated_at: '2026-02-02' }, null],
    ['a null where the composed one has no field', { website: null }, 'website'],
    ['a text where the composed one has null', { bio: 'Née au bord de la mer.' }, 'bio'],
    ['an object where the composed one has a slug', { party: { slug: 'verger' } }, 'party'],
    ['a number where the composed one has a text', { slug: 7 }, 'slug'],
    ['a fact more', { quotes: [...(composed.quotes as Document[]), { id: 'q3' }] }, 'quotes'],
    ['a fact without a field that is null', { quotes: [{ id: 'q1', source_ids: ['s1', 's2'] }] }, 'quotes'],
    [
      'sources of a fact in another order',
      { quotes: [{ id: 'q1', source_ids: ['s2', 's1'], context: null }] },
      'quotes',
    ],
  ];
  for (const [what, says, field] of rows)
    it(`${field === null ? 'agrees with' : 'differs from'} one that was fetched with ${what}`, () => {
      expect(profileDifference(kindOf('politician'), composed, { ...composed, ...says })).to.equal(field);
    });

  it('differs from one that was fetched without a field, even one that is null', () => {
    const { bio: _bio, ...fetched } = composed;
    expect(profileDifference(kindOf('politician'), composed, fetched)).to.equal('bio');
  });

  it('is not compared with one that was updated later', () => {
    expect(isNewerThan({ updated_at: '2026-01-01' }, { updated_at: '2026-01-01T08:00:00Z' })).to.equal(true);
    expect(isNewerThan({ updated_at: '2026-01-01' }, { updated_at: '2026-01-01' })).to.equal(false);
    expect(isNewerThan({}, { updated_at: '2026-01-01' })).to.equal(false);
  });

  it('has a field if its value is neither null nor an empty list', () => {
    const profile = { slug: 'a', bio: null, quotes: [], sources: [{ id: 's1' }], age: 0, isMinister: false };
    expect([...filledFields(profile)]).to.have.members(['slug', 'sources', 'age', 'isMinister']);
  });

  it('is one of a hundred that are fetched a day, twenty at most', () => {
    expect([0, 1, 100, 142, 3383].map(dailyChecks)).to.deep.equal([0, 1, 7, 10, 20]);
  });
});

describe('compared profiles', () => {
  /** Profiles by what they differ in, and with which fields: `[3, 'quotes', 'quotes sources']` are three of them. */
  type Group = [count: number, differingField: string | null, filled?: string];
  const rows: [groups: Group[], next: string, fields?: string[]][] = [
    [[], 'compose'],
    [[[20, null]], 'compose'],
    // One exception may be a cached profile.
    [
      [
        [19, null],
        [1, 'sources'],
      ],
      'compare more',
    ],
    [[[1, 'sources']], 'compare more'],
    [
      [
        [58, null],
        [1, 'sources'],
      ],
      'compare more',
    ],
    [
      [
        [59, null],
        [1, 'sources'],
      ],
      'compose',
    ],
    [
      [
        [99, null],
        [1, 'sources'],
      ],
      'compose',
    ],
    [
      [
        [98, null],
        [2, 'sources'],
      ],
      'fetch',
    ],
    [
      [
        [118, null],
        [2, 'sources'],
      ],
      'compose',
    ],
    [
      [
        [18, null],
        [1, 'sources'],
        [1, 'bio'],
      ],
      'fetch',
    ],
    [[[20, 'nickname']], 'fetch'],
    // Those without the field are alike: only profiles that have it can differ.
    [
      [
        [12, null, 'bio'],
        [8, 'quotes', 'bio quotes'],
      ],
      'fetch',
      ['quotes'],
    ],
    [
      [
        [10, null, ''],
        [2, null, 'quotes'],
        [8, 'quotes', 'quotes'],
      ],
      'fetch',
      ['quotes'],
    ],
    [
      [
        [10, null],
        [5, 'sources', 'sources'],
        [5, 'quotes', 'quotes sources'],
      ],
      'fetch',
      ['quotes', 'sources'],
    ],
    // Too few without the field, or one of them differs, too.
    [
      [
        [9, null],
        [11, 'quotes', 'quotes'],
      ],
      'fetch',
    ],
    [
      [
        [12, null],
        [7, 'quotes', 'quotes'],
        [1, 'quotes'],
      ],
      'fetch',
    ],
    [
      [
        [12, null],
        [8, 'nickname', 'bio'],
      ],
      'fetch',
    ],
  ];
  for (const [groups, next, fields = []] of rows)
    it(`lead to "${next}${fields.map((field) => ` ${field}`)}" with ${JSON.stringify(groups)}`, () => {
      const compared = groups.flatMap(([count, differingField, filled = '']) =>
        Array.from({ length: count }, () => ({ differingField, composedFields: new Set(filled.split(' ')) })),
      );
      expect(decideComposition(compared)).to.deep.equal({ next, fields });
    });
});
