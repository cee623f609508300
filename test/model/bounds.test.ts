import { expect } from 'chai';
import { isTextTooDeep, maxRecordChars, type OmittedField, receiveRecord, wellFormed } from '../../src/model/bounds.ts';
import type { Document, Json } from '../../src/model/document.ts';

/** Deepest nesting of a field's value, in lists and objects. */
const maxLevels = 100;

const nested = (levels: number, wrap: (inner: Json) => Json): Json => {
  let value: Json = 'x';
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};
const wraps: Record<string, (inner: Json) => Json> = {
  lists: (inner) => [inner],
  objects: (inner) => ({ a: inner }),
  'lists in objects': (inner) => (Array.isArray(inner) ? { a: inner } : [inner]),
};

const long = 'x'.repeat(maxRecordChars + 1);
const chars = (count: number) => long.slice(0, count);

describe('a record that comes in', () => {
  const received = (value: Json) => {
    const excess: OmittedField[] = [];
    const document: Document = { id: 'r', value, note: 'kept' };
    const kept = receiveRecord(document, excess);
    expect(kept.note).to.equal('kept');
    expect(kept === document).to.equal(excess.length === 0);
    expect('value' in kept).to.equal(excess.length === 0);
    return excess.map(({ record, field, reason }) => `${record} ${field} ${reason}`);
  };

  for (const [name, wrap] of Object.entries(wraps))
    for (const levels of [0, 1, maxLevels - 1, maxLevels, maxLevels + 1, 5000]) {
      const isOmitted = levels > maxLevels;
      it(`${isOmitted ? 'loses' : 'keeps'} a field of ${levels} ${name}`, () => {
        const value = nested(levels, wrap);
        expect(received(value)).to.deep.equal(isOmitted ? ['r value nested more than 100 levels deep'] : []);
        if (levels <= 1000) expect(isTextTooDeep(JSON.stringify(value))).to.equal(isOmitted);
      });
    }

  for (const [name, wrap, other] of [
    ['a text', (text: string) => text, 0],
    ['a text in a list', (text: string) => [text], 0],
    ['a text and a number in a list', (text: string) => [text, 1], 1],
    ['two texts of an object', (text: string) => ({ a: text, b: 'yz' }), 2],
    ['a text two levels below a list', (text: string) => [[[text]]], 2],
  ] as [string, (text: string) => Json, number][])
    for (const over of [-1, 0, 1])
      it(`${over > 0 ? 'loses' : 'keeps'} ${name} of ${over} characters beyond the most`, () => {
        const omitted = over > 0 ? [`r value longer than ${maxRecordChars} characters`] : [];
        expect(received(wrap(chars(maxRecordChars + over - other)))).to.deep.equal(omitted);
      });

  it('keeps null, numbers and booleans at any level', () => {
    for (const value of [null, 1, true, [null, 1, true], { a: null, b: [null] }])
      expect(received(value)).to.deep.equal([]);
  });

  it('loses what its reader left out, and is named by its first key of at most 100 characters', () => {
    for (const [document, record] of [
      [{ slug: 's', id: 'i', title: 't' }, 's'],
      [{ title: 't', scrutin_id: 'n' }, 'n'],
      [{ title: 'é'.repeat(101) }, 'é'.repeat(100)],
      [{ text: 'no key' }, 'a record without a key'],
    ] as [Document, string][]) {
      const excess: OmittedField[] = [];
      expect(receiveRecord(document, excess, ['body', 'f'.repeat(101)])).to.deep.equal(document);
      expect(excess.map((each) => [each.record, each.field.length])).to.deep.equal([
        [record, 4],
        [record, 100],
      ]);
    }
  });
});

describe('JSON text', () => {
  const open = (levels: number) => '['.repeat(levels);
  for (const [text, isTooDeep] of [
    [open(maxLevels), false],
    [open(maxLevels + 1), true],
    [`${open(maxLevels)}]${'{'}`, false],
    [`${open(maxLevels)}]${'{{'}`, true],
    [`"${open(maxLevels + 1)}"`, false],
    [`"\\"${open(maxLevels + 1)}"`, false],
    [`"\\\\"${open(maxLevels + 1)}`, true],
    [`"]]"${open(maxLevels + 1)}`, true],
    [`${open(maxLevels)}"["`, false],
    ['[]'.repeat(200), false],
    ['{}'.repeat(200), false],
  ] as const)
    it(`${text.slice(0, 6)}… of ${text.length} characters is ${isTooDeep ? 'too deep' : 'read'}`, () => {
      expect(isTextTooDeep(text)).to.equal(isTooDeep);
    });
});

describe('half a character', () => {
  for (const [value, expected] of [
    ['a\ud800', 'a\ufffd'],
    [{ 'k\ud800': 'v' }, { 'k\ufffd': 'v' }],
    [
      ['\udc00', 1, null, true],
      ['\ufffd', 1, null, true],
    ],
    [
      { 'k\ud800': 'v', l: { m: ['\ud800'] } },
      { 'k\ufffd': 'v', l: { m: ['\ufffd'] } },
    ],
  ] as [Json, Json][])
    it(`becomes U+FFFD in ${JSON.stringify(value)}, and nothing else changes`, () => {
      expect(wellFormed(value)).to.deep.equal(expected);
      expect(wellFormed(expected)).to.equal(expected);
    });
});
