import { expect } from 'chai';
import { changes } from '../../src/questions/changes.ts';
import { flagName, invalidFlagError, normaliseInput, readValues } from '../../src/questions/parameter.ts';
import { choices, filter, itemLimit, normaliseKindWord, pathParameter } from '../../src/questions/parameter-kinds.ts';
import { dayBound } from '../../src/questions/time-bounds.ts';
import { verbatim } from '../../src/words/speech.ts';

const parameters = {
  key: pathParameter('key'),
  limit: itemLimit(100, 'hits'),
  types: choices(['promise', 'position'], 'types', { normalise: normaliseKindWord }),
  entity_type: filter('kind', { flag: {} }),
  q: filter('words', { flag: { name: 'query', char: 'q' } }),
  k: itemLimit(50, 'hits'),
};

describe('the values of parameters', () => {
  it('are what was written, else what stands in its place', () => {
    const { values, errors } = readValues(parameters, {
      key: 'x',
      types: ['promise', 'position'],
      limit: '5',
    });
    expect(errors).to.deep.equal([]);
    expect(values).to.deep.equal({
      ...{ key: 'x', limit: 5, types: ['promise', 'position'] },
      ...{ entity_type: undefined, q: undefined, k: 20 },
    });
  });

  it('are all read, and every one that is wrong is told, with its default in its place', () => {
    const { values, errors } = readValues(parameters, { limit: '0', types: 'promse', q: ['a', 'b'] });
    expect(values).to.include({ key: '', limit: 20, q: undefined });
    expect(errors.map(({ parameter, userText }) => `${parameter} ${userText}`)).to.deep.equal([
      'key is required',
      'limit must be at least 1',
      'types must be one of promise, position',
      'q must be given only once',
    ]);
    expect(errors[2]!.near).to.deep.equal(['promise']);
  });

  it('of two days are refused where the last is before the first, and `last` is no day', () => {
    const days = { since: dayBound('start', 'since'), until: dayBound('end', 'until') };
    const read = (since: string, until: string) => readValues(days, { since, until }).errors;
    expect(read('2026', '2025').map(({ parameter, userText }) => `${parameter} ${userText}`)).to.deep.equal([
      'until is before `since`: the period is empty',
    ]);
    expect(read('2026', '2026')).to.deep.equal([]);
    expect(readValues(changes.parameters, { since: 'last', until: '2020' }).errors).to.deep.equal([]);
  });

  it('may be written in other words, several with commas', () => {
    expect(normaliseInput(parameters.types, ['Promises, POSITION'])).to.deep.equal(['promise', 'position']);
    expect(normaliseInput(parameters.q, ['Promises, x'])).to.deep.equal(['Promises, x']);
  });

  it('are blamed under the name that they have at a command line', () => {
    const blame = (name: keyof typeof parameters) =>
      invalidFlagError(parameters, [{ parameter: name, userText: verbatim('is bad') }]).message;
    expect(['key', 'entity_type', 'q', 'k'].map((name) => blame(name as never))).to.deep.equal([
      ...['key is bad', '--entity-type is bad', '--query is bad', '-k is bad'],
    ]);
    expect(flagName('entity_type', parameters.entity_type)).to.equal('entity-type');
    expect(
      invalidFlagError(parameters, [{ parameter: 'types', userText: verbatim('m'), near: ['promise'] }]).hint,
    ).to.equal('did you mean: promise?');
  });
});
