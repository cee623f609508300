import { expect } from 'chai';
import { errorSentence } from '../../src/service/body.ts';

describe('the sentence of an error response', () => {
  it('is the detail, message, error or title of a JSON problem', () => {
    expect(errorSentence('{"title":"Bad request","detail":"since is no date"}')).to.equal('since is no date');
    expect(errorSentence('{"error":{"message":"too many requests"}}')).to.equal('too many requests');
  });

  it('is the text of an HTML page without its tags', () => {
    expect(errorSentence('<html><h1>Bad\n  gateway</h1></html>')).to.equal('Bad gateway');
  });

  it('is the start of a megabyte of tags that never end', () => {
    expect(errorSentence('<'.repeat(2 ** 20))).to.equal('<'.repeat(200));
  });
});
