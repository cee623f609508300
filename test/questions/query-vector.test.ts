import { expect } from 'chai';
import { createQueryModel, withVector } from '../../src/questions/query-vector.ts';
import { readTwoNights } from './question-results.ts';

const options = { url: 'http://127.0.0.1:9/v1', key: null, model: 'm', userAgent: 'test', now: Date.now };

describe('the vector of a query', () => {
  const night = readTwoNights();
  const reading = { searchesByMeaning: true, asOf: null };

  it('is missing, and why is said, where the service of the model is not there', async () => {
    const vector = await createQueryModel(options as never).vectorOf('gardiens');
    expect(vector).to.have.property('trouble').that.is.a('string').and.is.not.empty;
  });

  it('is not asked for where no record has one to compare with', async () => {
    const queryModel = { model: 'm', vectorOf: () => Promise.reject(new Error('asked')) };
    const filter = { topic: undefined, types: undefined };
    const { vector } = await withVector(night.past, reading, { query: 'gardiens', filter, queryModel });
    expect(vector).to.have.property('trouble').that.is.not.empty;
  });

  it('is not compared with records of the past that are not held apart', async () => {
    const queryModel = { model: 'm', vectorOf: () => Promise.reject(new Error('asked')) };
    const filter = { topic: undefined, types: undefined };
    const past = { ...reading, asOf: '2026-11-02T00:00:00.000Z' };
    const { vector } = await withVector(night.now, past, { query: 'gardiens', filter, queryModel });
    expect(vector).to.have.property('trouble').that.is.not.empty;
  });
});
