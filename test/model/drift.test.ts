import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { changesBetween, type DriftOptions, isGrave, type ShapeChange } from '../../src/model/drift.ts';
import { addRecord, type Envelope, emptyShape, mergeShapes, type Shape } from '../../src/model/shape.ts';

const comparing = { extent: 'whole' as const, namingFields: [] };

describe('what answers look like', () => {
  const shapeOf = (...texts: string[]): Shape => {
    const shape = emptyShape();
    for (const text of texts) addRecord(shape, JSON.parse(text));
    return shape;
  };
  const ten = (text: string) => shapeOf(...Array.from({ length: 10 }, () => text));

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    it(`is compared where a field called ${name} comes and goes`, () => {
      const usual = ten('{"id":"a"}');
      const odd = ten(`{"id":"a","${name}":{"${name}":"words of its own"}}`);
      const come = changesBetween(usual, odd, comparing);
      const removals = changesBetween(odd, usual, comparing);
      expect(come.map(({ change, field }) => [change, field])).to.deep.equal([['new', name]]);
      expect(removals.map(({ change, field }) => [change, field])).to.deep.equal([['gone', name]]);
      expect(changesBetween(mergeShapes(usual, odd), mergeShapes(odd, usual), comparing)).to.deep.equal([]);
    });

  it('counts a word that objects have for a method as any other', () => {
    const words = (word: string) => Array.from({ length: 40 }, () => `{"state":"${word}"}`);
    const usual = shapeOf(...words('open'), ...words('closed'));
    const now = mergeShapes(usual, shapeOf(...words('open'), ...words('constructor')));
    expect(changesBetween(usual, now, comparing).map(({ change, now: word }) => [change, word])).to.deep.equal([
      ['value', 'constructor'],
    ]);
    expect(now.fields.state!.values).to.deep.equal({ open: 80, closed: 40, constructor: 40 });
  });

  it('weighs the lines of a record as one: few ballots with many votes prove little', () => {
    const votes = (position: string | null, lines: number) => Array.from({ length: lines }, () => ({ position }));
    const ballot = (position: string | null) => JSON.stringify({ id: 'a', votes: votes(position, 12) });
    const usual = shapeOf(...Array.from({ length: 30 }, () => ballot('for')));
    const ofEmpty = (empty: number, all: number) =>
      shapeOf(...Array.from({ length: all }, (_, at) => ballot(at < empty ? null : 'for')));
    const changes = (now: Shape) =>
      changesBetween(usual, now, { extent: 'some', namingFields: [] }).map(({ change, field }) => [change, field]);
    expect(changes(ofEmpty(3, 5))).to.deep.equal([]);
    expect(changes(ofEmpty(18, 30))).to.deep.equal([['nulls', 'votes[].position']]);
  });
});

/** Records of a shape: so many of each document. */
type Records = [count: number, document: Document][];

const shapeWith = (records: Records): Shape => {
  const shape = emptyShape();
  for (const [count, document] of records) for (let n = 0; n < count; n += 1) addRecord(shape, document);
  return shape;
};
const f = (value: Document[string]): Document => ({ f: value });
/** So many records with field `f`, and as many without that they are `all`. */
const present = (some: number, all: number): Records => [
  [some, f('x y')],
  [all - some, {}],
];
const filled = (some: number, all: number): Records => [
  [some, f('x y')],
  [all - some, f(null)],
];
const parts = (...counts: [number, Document[string]][]): Records => counts.map(([n, value]) => [n, f(value)]);
const day = '2026-01-31';
const french = '31/01/2026';
const words = (count: number, times: number): Records =>
  Array.from({ length: count }, (_, n) => [times, f(`word${'abcdefghij'[n]}`)]);
const known: Records = [
  [15, f('open')],
  [15, f('closed')],
];

/** What was seen before and is seen now, and the changes that it tells: at each bound, and beside it. */
const comparisons: [what: string, before: Records, now: Records, whole: string, some: string][] = [
  ['two records lack it', present(20, 20), present(0, 2), '', ''],
  ['three records lack it', present(20, 20), present(0, 3), 'gone f', 'gone f'],
  ['all of two records had it', present(2, 2), present(0, 20), '', ''],
  ['all of three records had it', present(3, 3), present(0, 20), 'gone f', 'gone f'],
  ['95 % had it', present(190, 200), present(0, 200), 'gone f', 'gone f'],
  ['less than 95 % had it', present(189, 200), present(0, 200), 'gone f', ''],
  ['few had it', present(1, 200), present(0, 200), '', ''],
  ['none of three had it, all have it', present(0, 3), present(3, 3), 'new f', 'new f'],
  ['none of two had it, all have it', present(0, 2), present(20, 20), '', ''],
  ['20 % have it', present(0, 200), present(40, 200), 'new f', ''],
  ['less than 20 % have it', present(0, 200), present(39, 200), '', ''],
  ['half have it', present(0, 200), present(100, 200), 'new f', 'new f'],
  ['less than half have it', present(0, 200), present(99, 200), 'new f', ''],
  ['30 % more are empty', filled(200, 200), filled(140, 200), 'nulls f', ''],
  ['less than 30 % more are empty', filled(200, 200), filled(141, 200), '', ''],
  ['more are filled', filled(100, 200), filled(200, 200), '', ''],
  ['40 % are empty of 95 % filled', filled(190, 200), filled(120, 200), 'nulls f', 'nulls f'],
  ['40 % are empty of less than 95 % filled', filled(189, 200), filled(120, 200), 'nulls f', ''],
  ['less than 40 % are empty', filled(200, 200), filled(121, 200), 'nulls f', ''],
  ['40 % of 20 records are empty', filled(2000, 2000), filled(12, 20), 'nulls f', 'nulls f'],
  ['more than 40 % of 19 records are empty', filled(2000, 2000), filled(11, 19), 'nulls f', ''],
  ['all of three are empty', filled(20, 20), filled(0, 3), 'nulls f', 'nulls f'],
  ['four of five had it, none has it', present(4, 5), present(0, 5), '', ''],
  ['all of five had it, one has it', present(5, 5), present(1, 5), '', ''],
  ['none of five had it, four have it', present(0, 5), present(4, 5), '', ''],
  ['all of five were filled, one is', filled(5, 5), filled(1, 5), '', ''],
  ['one of three has another type', parts([3, 1]), parts([2, 1], [1, 'x y']), '', ''],
  ['20 % have another type', parts([200, 1]), parts([160, 1], [40, 'x y']), 'type f', 'type f'],
  ['less than 20 % have another type', parts([200, 1]), parts([161, 1], [39, 'x y']), '', ''],
  ['nothing was filled', filled(0, 200), parts([200, 1]), '', ''],
  ['98 % had one form', parts([196, day], [4, french]), parts([5, french]), 'form f', 'form f'],
  ['less than 98 % had one form', parts([195, day], [5, french]), parts([5, french]), '', ''],
  ['90 % had one form, 20 another', parts([180, day], [20, french]), parts([20, french]), 'form f', 'form f'],
  ['less than 90 % had one form', parts([179, day], [21, french]), parts([20, french]), '', ''],
  ['90 % had one form, 19 another', parts([180, day], [20, french]), parts([19, french]), '', ''],
  ['most keep their form', parts([200, day]), parts([101, day], [99, french]), '', ''],
  ['half have another form', parts([200, day]), parts([100, french], [100, day]), 'form f', 'form f'],
  ['words become words of one', parts([200, 'x y']), parts([200, 'x']), 'value f', 'value f'],
  ['words become days', parts([200, 'x y']), parts([180, day], [20, 'x y']), 'form f', 'form f'],
  ['words become days, mostly', parts([200, 'x y']), parts([179, day], [21, 'x y']), '', ''],
  ['a list of words has another', known, [...known, [2, f('late')]], 'value f', ''],
  ['a list of words has another once', known, [...known, [1, f('late')]], '', ''],
  ['a list of words of 29 has another', [known[0]!, [14, f('closed')]], [...known, [2, f('late')]], '', ''],
  ['a word stood there once', [...known, [1, f('lost')]], [...known, [2, f('late')]], '', ''],
  ['eight words are a list', words(8, 4), [...words(8, 4), [2, f('late')]], 'value f', ''],
  ['nine words are none', words(9, 4), [...words(9, 4), [2, f('late')]], '', ''],
  ['a list of words of 200 has another', words(5, 40), [...words(5, 40), [2, f('late')]], 'value f', 'value f'],
  ['a list of words of 199 has another', [[39, f('worda')], ...words(5, 40).slice(1)], [[2, f('late')]], 'value f', ''],
];

describe('a field of answers', () => {
  const told = (before: Shape, now: Shape, extent: DriftOptions['extent'], namingFields: string[] = []) =>
    changesBetween(before, now, { extent, namingFields }).map(({ change, field }) => `${change} ${field}`);

  for (const [what, before, now, whole, some] of comparisons)
    it(`where ${what} is told as ${whole || 'no change'} of all, ${some || 'no change'} of some`, () => {
      const shapes = [shapeWith(before), shapeWith(now)] as const;
      expect(told(...shapes, 'whole').join()).to.equal(whole);
      expect(told(...shapes, 'some').join()).to.equal(some);
      expect(told(...shapes, 'newest').join()).to.equal(some);
    });

  for (const [name, names, isList] of [
    ['state', [], true],
    ['state', ['state'], false],
    ['state', ['other'], true],
    ['id', [], false],
    ['source_ids', [], false],
    ['page_title', [], false],
    ['paid', [], true],
    ['surname', [], true],
  ] as [string, string[], boolean][])
    it(`called ${name} is ${isList ? 'a list of words' : 'none'} beside the names ${names.join() || 'of none'}`, () => {
      const ofName = (records: Records): Records => records.map(([n, { f: value }]) => [n, { [name]: value! }]);
      const late = ofName([[2, f('late')]]);
      const shapes = [shapeWith(ofName(known)), shapeWith([...ofName(known), ...late])] as const;
      expect(told(...shapes, 'whole', names)).to.deep.equal(isList ? [`value ${name}`] : []);
    });

  for (const [what, before, now, changes] of [
    ['one that is alike', { a: 'x y' }, { b: 'x y' }, ['renamed a']],
    ['one of another type', { a: 'x y' }, { b: 1 }, ['gone a', 'new b']],
    ['one of another form', { a: 'x y' }, { b: day }, ['gone a', 'new b']],
    ['two that are alike', { a: 'x y' }, { b: 'x y', c: 'x y' }, ['gone a', 'new b', 'new c']],
    ['one for two', { a: 'x y', b: 'x y' }, { c: 'x y' }, ['gone a', 'gone b', 'new c']],
    ['one in the same object', { o: { k: 1, a: 'x y' } }, { o: { k: 1, b: 'x y' } }, ['renamed o.a']],
    ['one in another object', { a: 'x y', o: { k: 1 } }, { o: { k: 1, a: 'x y' } }, ['gone a', 'new o.a']],
    ['an object and what is in it', { o: { a: { b: 1 } }, p: 1 }, { p: 1 }, ['gone o']],
    ['a list and what is in it', { o: [{ a: 1 }], p: 1 }, { p: 1 }, ['gone o']],
    ['an object and one that begins alike', { o: { a: 1 }, ox: 1, p: 1 }, { p: 1 }, ['gone o', 'gone ox']],
  ] as [string, Document, Document, string[]][])
    it(`in whose place stands ${what} is told as ${changes.join(', ')}`, () => {
      const shapes = [shapeWith([[20, { id: 'i', ...before }]]), shapeWith([[20, { id: 'i', ...now }]])] as const;
      expect(told(...shapes, 'whole')).to.have.members(changes);
    });

  const usual: Envelope = { body: 'items', total: 'total', cursor: 'next', parted: ',' };
  for (const [before, now, changes] of [
    [usual, usual, []],
    [usual, { ...usual, body: 'data' }, ['envelope items']],
    [usual, { ...usual, body: null }, ['envelope items']],
    [usual, { ...usual, total: null }, ['total total']],
    [usual, { ...usual, cursor: 'cursor' }, ['cursor next']],
    [usual, { ...usual, cursor: null }, []],
    [usual, { ...usual, parted: ';' }, ['delimiter ,']],
    [{ ...usual, body: null, total: null, cursor: null }, usual, []],
    [null, usual, []],
    [usual, null, []],
  ] as [Envelope | null, Envelope | null, string[]][])
    it(`stands in an answer, of which ${changes.join() || 'nothing'} changes to ${JSON.stringify(now)}`, () => {
      const shapes = [before, now].map((envelope) => ({ ...emptyShape(), envelope }));
      expect(told(shapes[0]!, shapes[1]!, 'whole')).to.deep.equal(changes);
    });

  it('is gravely changed where records may be lost or misread', () => {
    const grave = {
      gone: true,
      new: false,
      renamed: true,
      type: true,
      nulls: false,
      form: true,
      value: false,
    };
    const all = { ...grave, envelope: true, total: false, cursor: false, delimiter: false };
    for (const [change, expected] of Object.entries(all))
      expect(isGrave({ change, field: 'f', before: null, now: null } as ShapeChange), change).to.equal(expected);
  });

  it('is told with the share of records before and now', () => {
    const [change] = changesBetween(shapeWith(filled(150, 200)), shapeWith(filled(60, 200)), comparing);
    expect(change).to.deep.equal({ change: 'nulls', field: 'f', before: '25%', now: '70%' });
    const [gone] = changesBetween(shapeWith(present(150, 200)), shapeWith(present(0, 200)), comparing);
    expect(gone).to.deep.equal({ change: 'gone', field: 'f', before: '75%', now: null });
  });
});
