import { expect } from 'chai';
import type { Document, Json } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import {
  assignedKeyField,
  contentHash,
  daySpellings,
  fieldChanges,
  isEqualApartFromNotation,
  isVolatile,
  typedForm,
  uniformDocument,
} from '../../src/model/normal-form.ts';

const promise = kindOf('promise');

/** Where a field may stand in a record: `place` puts an object there, beside content that stays. */
const places: Record<string, (fields: Document) => Document> = {
  'at the top': (fields) => ({ id: 'p', ...fields }),
  'in an object': (fields) => ({ id: 'p', place: { name: 'Brume', ...fields } }),
  'in an object of an object': (fields) => ({ id: 'p', place: { port: { name: 'Brume', ...fields } } }),
  'in an object of a list': (fields) => ({ id: 'p', steps: [{ name: 'Brume', ...fields }] }),
  'in an object of a list of lists': (fields) => ({ id: 'p', steps: [[{ name: 'Brume', ...fields }]] }),
  'in an object of a set': (fields) => ({ id: 'p', source_ids: [{ id: 's', ...fields }] }),
};

/** What a field says before and after, and whether that is another content of the record. */
const edits: [field: string, before: Json | undefined, after: Json | undefined, isChange: boolean][] = [
  ...['updated_at', 'freshness', 'retrieved_at', 'fetched_at', 'generated_at', 'composed']
    .concat(['party_link', 'members_today', 'attached_today', '_key'])
    .flatMap((field): typeof edits => [
      [field, '2026-01-01', '2026-02-01', false],
      [field, undefined, '2026-02-01', false],
      [field, true, { at: [1] }, false],
    ]),
  ...['updated', 'Updated_at', 'updated_at_', 'created_at', 'date', 'composer'].map((field): (typeof edits)[number] => [
    field,
    '2026-01-01',
    '2026-02-01',
    true,
  ]),
  ['note', null, undefined, false],
  ['note', null, '', true],
  ['note', null, 0, true],
  ['note', null, false, true],
];

describe('the normal form of a record', () => {
  for (const [name, place] of Object.entries(places))
    for (const [field, before, after, isChange] of edits)
      it(`${isChange ? 'changes' : 'stays'} where ${field} ${name} goes from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
        const [one, other] = [before, after].map((value) => place(value === undefined ? {} : { [field]: value }));
        const hashes = [one!, other!].map((document) => contentHash(promise, document));
        expect(hashes[0] !== hashes[1]).to.equal(isChange);
        expect(fieldChanges(promise, one!, other!).length).to.equal(isChange ? 1 : 0);
      });

  it('omits as volatile what no edit of content says, and nothing else', () => {
    const volatile = new Set(edits.flatMap(([field, , , isChange]) => (isChange ? [] : field)));
    volatile.delete('note');
    for (const [field] of edits) expect(isVolatile(field), field).to.equal(volatile.has(field));
  });

  it('depends on the order of a list, not on that of keys or of a set', () => {
    const form = (document: Document) => contentHash(promise, { id: 'p', ...document });
    expect(form({ a: 1, b: { c: 2, d: 3 } })).to.equal(form({ b: { d: 3, c: 2 }, a: 1 }));
    expect(form({ source_ids: ['a', 'b', 'c'] })).to.equal(form({ source_ids: ['c', 'a', 'b'] }));
    expect(form({ source_ids: ['a', 'a', 'b'] })).to.not.equal(form({ source_ids: ['a', 'b'] }));
    expect(form({ steps: ['a', 'b'] })).to.not.equal(form({ steps: ['b', 'a'] }));
    // Only the field itself is a set, not a list within it.
    expect(form({ source_ids: [['a', 'b']] })).to.not.equal(form({ source_ids: [['b', 'a']] }));
    expect(form({ place: { source_ids: ['a', 'b'] } })).to.not.equal(form({ place: { source_ids: ['b', 'a'] } }));
  });

  it('omits the type that is the kind itself, and keeps another', () => {
    const form = (document: Document) => contentHash(promise, { id: 'p', ...document });
    for (const [type, isOmitted] of [
      ['promise', true],
      ['promises', true],
      ['quote', false],
      ['x', false],
    ] as const)
      expect(form({ type }) === form({}), type).to.equal(isOmitted);
    expect(form({ place: { type: 'promise' } })).to.not.equal(form({ place: {} }));
    expect(form({ topic: 'promise' }), 'another field').to.not.equal(form({}));
    expect(form({ type: ['promise'] }), 'no text').to.not.equal(form({}));
  });

  it('has a hash of 32 hexadecimal digits, and no field for the key that was given', () => {
    expect(contentHash(promise, { id: 'p' })).to.match(/^[0-9a-f]{32}$/);
    expect(assignedKeyField).to.equal('_key');
  });

  it('takes numbers and booleans at the top for their text, as CSV states them, and infinity for nothing', () => {
    const form = (value: Json) => contentHash(promise, { id: 'p', n: value });
    for (const value of [0, -1, 1.5, 1e21, true, false]) expect(form(value)).to.equal(form(String(value)));
    for (const value of [Infinity, -Infinity]) expect(form(value)).to.equal(form(null));
    expect(form(['1'])).to.not.equal(form([1]));
  });
});

describe('two records that differ', () => {
  const forms: [one: Json, other: Json, isFormAlone: boolean][] = [
    ['2025-02-20', '20/02/2025', true],
    ['2025-02-20', '20.02.2025', true],
    ['2025-02-20', '2025/02/20', true],
    ['2025-02-20', '2025.02.20', true],
    ['2025-02-20', '2025-02-20T00:00:00Z', true],
    ['2025-02-20', '2025-02-20T00:00:00.000Z', true],
    ['2025-02-20', '2025-02-20 00:00:00.0', true],
    ['2025-02-20', '2025-02-20 00:00', true],
    ['2025-02-20', '2025-02-20T00:00:00+01:00', true],
    ['2025-02-20', '2025-02-20T00:00:00-0500', true],
    ['École', 'École'.normalize('NFD'), true],
    [{ at: '2025-02-20' }, { at: '20/02/2025' }, true],
    ['2025-02-20', '02/20/2025', false],
    ['2025-02-20', '21/02/2025', false],
    ['2025-02-20', '2/20/2025', false],
    ['2025-02-20', '20/02/25', false],
    ['2025-02-20', '20-02-2025', false],
    ['2025-02-20', '2025-02-20T12:00:00Z', false],
    ['2025-02-20', '2025-02-20T00:00:01Z', false],
    ['2025-02-20', '2025-02-20T00:00:00.5Z', false],
    ['2025-02-20', '2025-02-20T00:00:00CET', false],
    ['2025-02-20', '2025-02-20x00:00', false],
    ['le 2025-02-20', 'le 20/02/2025', false],
    ['20/02/2025', '20a02a2025', false],
    ['2025/02/20', '2025a02a20', false],
    ['ab/cd/efgh', 'efgh-cd-ab', false],
    ['abcd/ef/gh', 'abcd-ef-gh', false],
    ['abcd-ef-ghT00:00Z', 'abcd-ef-gh', false],
    ['5/02/20', '5-02-20', false],
    ['École', 'Ecole', false],
    ['Oui', 'Non', false],
    ['01/02/2025', '2025/02/01', true],
    ['a', '2025-02-20', false],
    ['20/02/2025', '21/03/2024', false],
    ['2025/02/20', '2024/03/21', false],
    ['2025-02-20T00:00', '2024-03-21T00:00', false],
  ];
  for (const [one, other, isFormAlone] of forms)
    it(`do ${isFormAlone ? '' : 'not '}differ in form alone as ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      const results = [
        [one, other],
        [other, one],
      ].map(([date, changed]) =>
        isEqualApartFromNotation(promise, { id: 'p', date: date! }, { id: 'p', date: changed! }),
      );
      expect(results).to.deep.equal([isFormAlone, isFormAlone]);
    });

  it('keep the types of values, null fields and the order of lists, but not of sets, in their typed form', () => {
    const document = { b: 1, a: null, updated_at: '2025', source_ids: ['s2', 's1'], steps: [{ d: null, c: 2 }, 'x'] };
    expect(JSON.stringify(typedForm(promise, document))).to.equal(
      '{"a":null,"b":1,"source_ids":["s1","s2"],"steps":[{"c":2,"d":null},"x"]}',
    );
  });

  it('are compared with accents and days in one form, of which a day has five', () => {
    const uniform = { id: 'p', date: '2025-02-20', place: { text: 'École' } };
    for (const date of daySpellings('2025-02-20'))
      expect(uniformDocument({ ...uniform, date, place: { text: 'École'.normalize('NFD') } })).to.deep.equal(uniform);
    expect(daySpellings('2025-02-20')).to.have.members([
      ...['2025-02-20', '20/02/2025', '2025/02/20', '20.02.2025', '2025.02.20'],
    ]);
  });
});
