import { expect } from 'chai';
import { ballots } from '../../src/questions/ballots.ts';
import { BadValueError, type Parameter } from '../../src/questions/parameter.ts';
import {
  chamberChoice,
  choices,
  cursor,
  filter,
  integerParameter,
  itemLimit,
  listParameter,
  normaliseKindWord,
  optionalWords,
  pathParameter,
  requiredWords,
  singleChoice,
  truth,
} from '../../src/questions/parameter-kinds.ts';
import { dayBound, momentBound } from '../../src/questions/time-bounds.ts';

/** What a parameter reads, or what it says of a bad value. */
function read<Value>(parameter: Parameter<Value>, ...written: string[]): unknown {
  try {
    return parameter.read(written);
  } catch (error) {
    if (!(error instanceof BadValueError)) throw error;
    return error.near.length > 0 ? `${error.message} (${error.near})` : error.message;
  }
}

describe('a parameter', () => {
  it('of a number takes its bounds, and no other form than digits', () => {
    const limit = itemLimit(100, 'hits');
    expect(limit.schema).to.deep.equal({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(limit.fallback).to.equal(20);
    expect(['1', '100', '007'].map((each) => read(limit, each))).to.deep.equal([1, 100, 7]);
    expect(read(limit, '0')).to.equal('must be at least 1');
    expect(read(limit, '101')).to.equal('must be at most 100');
    for (const bad of ['', '1.0', '1e2', ' 1', '+1', '0x1', '٣', '1'.repeat(16)])
      expect(read(limit, bad), bad).to.equal('must be a whole number');
    expect(read(integerParameter('votes', { minimum: 0 }), '-1')).to.equal('must be at least 0');
    expect(read(integerParameter('votes', { minimum: 0 }), '999999999999999')).to.equal(999999999999999);
  });

  it('of a share takes a fraction and per cent, with a point or a comma', () => {
    const { dissent } = ballots.parameters;
    const shareIn = (text: string) => (read(dissent, text) as { share?: number }).share ?? read(dissent, text);
    expect(['0', '1', '0.2', '0,2', '20%', '20 %', '100%'].map(shareIn)).to.deep.equal([
      ...[0, 1, 0.2, 0.2, 0.2],
      'must be a share such as 0.2 or 20%',
      1,
    ]);
    expect(read(dissent, '1.01')).to.equal('must be at most 1');
    expect(read(dissent, '101%')).to.equal('must be at most 1');
    for (const bad of ['', '-0.1', '.2', '1e-1', 'a'])
      expect(read(dissent, bad), bad).to.match(/must (be a share|not be empty)/);
    expect(read(dissent, 'ADR:20%')).to.deep.equal({ requestedName: 'ADR', share: 0.2 });
  });

  it('of text takes what is not empty and not too long, counted in characters', () => {
    const party = filter('party');
    expect(read(party, '')).to.equal('must not be empty');
    expect(read(party, 'x'.repeat(500))).to.have.length(500);
    expect(read(party, 'x'.repeat(501))).to.equal('must be at most 500 characters long');
    expect(read(party, '😀'.repeat(500))).to.have.length(1000);
    expect(read(party, 'a\0')).to.equal('must not contain the character U+0000');
    expect(read(optionalWords('words'), '')).to.equal('');
    expect(read(optionalWords('words'), ` ${'mot '.repeat(100)}`)).to.be.a('string');
    expect(read(optionalWords('words'), 'mot '.repeat(101))).to.equal('must be at most 100 words');
    expect(read(cursor, 'x'.repeat(2001))).to.equal('must be at most 2000 characters long');
  });

  it('of a query takes no white space alone, and that of a path takes anything', () => {
    for (const blank of ['', ' ', '\t\n', '\u00a0'])
      expect(read(requiredWords('q'), blank)).to.equal('must not be empty');
    expect(read(requiredWords('q'), ' a ')).to.equal(' a ');
    expect(read(pathParameter('key'), '')).to.equal('');
    expect(pathParameter('key')).to.include({ isPathPart: true, isRequired: true });
  });

  it('of a few words names the near ones, and takes several with commas or one by one', () => {
    const sort = singleChoice(['name', 'freshness'], 'order', { fallback: 'name' });
    expect(sort.schema).to.include({ default: 'name' });
    expect(read(sort, 'nme')).to.equal('must be one of name, freshness (name)');
    expect(read(sort, 'NAME')).to.match(/^must be one of/);
    const types = choices(['promise', 'position'], 'types');
    expect(read(types, 'promise, position')).to.deep.equal(['promise', 'position']);
    expect(read(types, 'promise', 'position')).to.deep.equal(['promise', 'position']);
    expect(read(types, 'promise,')).to.match(/^must be one of promise, position/);
    expect(types.fallback).to.equal(undefined);
  });

  it('of several values takes twenty at most, each in its form', () => {
    const groups = listParameter('groups', { pattern: '\\S', read: (text) => text.toUpperCase() });
    expect(read(groups, 'a, b', 'c')).to.deep.equal(['A', 'B', 'C']);
    expect(read(groups, Array(20).fill('a').join())).to.have.length(20);
    expect(read(groups, Array(21).fill('a').join())).to.equal('must be at most 20 values');
    expect(read(groups, 'a,,b')).to.equal('must not be empty');
  });

  it('of a truth value takes true and false only', () => {
    expect([read(truth('t'), 'true'), read(truth('t'), 'false')]).to.deep.equal([true, false]);
    for (const bad of ['', '1', 'yes', 'True'])
      expect(read(truth('t'), bad), bad).to.match(/^must be one of true, false/);
  });

  it('of a moment takes the end of a day that is meant, and how long ago', () => {
    expect(read(momentBound('start', 'since'), '2026-11-01')).to.equal('2026-10-31T23:00:00.000Z');
    expect(read(momentBound('end', 'until'), '2026-11-01')).to.equal('2026-11-01T22:59:59.999Z');
    expect(read(momentBound('start', 'since'), '2026-11-01T08:00:00+02:00')).to.equal('2026-11-01T06:00:00.000Z');
    expect(read(dayBound('end', 'until'), '2026-11-01')).to.equal('2026-11-01');
    expect(read(dayBound('end', 'until'), '2026')).to.equal('2026-12-31');
    const ago = Date.now() - Date.parse(String(read(momentBound('start', 'since'), '7d')));
    expect(ago / 86_400_000).to.be.closeTo(7, 0.001);
    for (const bad of ['', 'soon', '2026-13-01', '2026-02-30', 'd'])
      expect(read(momentBound('start', 'since'), bad), bad).to.match(/^must be a date/);
  });

  it('of a chamber or a kind is meant by other words too', () => {
    const chamber = chamberChoice('AN');
    expect(['sénat', 'SENAT', 'an', 'x'].map((each) => chamber.normalise!(each))).to.deep.equal([
      'Senat',
      'Senat',
      'AN',
      'x',
    ]);
    expect(['Promises', 'promise', 'x'].map(normaliseKindWord)).to.deep.equal(['promise', 'promise', 'x']);
  });
});
