import { expect } from 'chai';
import { dailyChecks, isNewerThan, profileDifference } from '../../src/model/composition.ts';
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

  it('is one of a hundred that are fetched a day, twenty at most', () => {
    expect([0, 1, 100, 142, 3383].map(dailyChecks)).to.deep.equal([0, 1, 7, 10, 20]);
  });
});
