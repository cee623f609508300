import { expect } from 'chai';
import { changesBetween } from '../../src/model/drift.ts';
import { addRecord, emptyShape, merged, type Shape } from '../../src/model/shape.ts';

describe('what answers look like', () => {
  const shapeOf = (...texts: string[]): Shape => {
    const shape = emptyShape();
    for (const text of texts) addRecord(shape, JSON.parse(text));
    return shape;
  };
  const ten = (text: string) => shapeOf(...Array.from({ length: 10 }, () => text));
  const comparing = { extent: 'whole' as const, names: [] };

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    it(`is compared where a field called ${name} comes and goes`, () => {
      const usual = ten('{"id":"a"}');
      const odd = ten(`{"id":"a","${name}":{"${name}":"words of its own"}}`);
      const [come, removals] = [changesBetween(usual, odd, comparing), changesBetween(odd, usual, comparing)];
      expect(come.map(({ change, field }) => [change, field])).to.deep.equal([['new', name]]);
      expect(removals.map(({ change, field }) => [change, field])).to.deep.equal([['gone', name]]);
      expect(changesBetween(merged(usual, odd), merged(odd, usual), comparing)).to.deep.equal([]);
    });

  it('counts a word that objects have for a method as any other', () => {
    const words = (word: string) => Array.from({ length: 40 }, () => `{"state":"${word}"}`);
    const usual = shapeOf(...words('open'), ...words('closed'));
    const now = merged(usual, shapeOf(...words('open'), ...words('constructor')));
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
      changesBetween(usual, now, { extent: 'some', names: [] }).map(({ change, field }) => [change, field]);
    expect(changes(ofEmpty(3, 5))).to.deep.equal([]);
    expect(changes(ofEmpty(18, 30))).to.deep.equal([['nulls', 'votes[].position']]);
  });
});
