import { expect } from 'chai';
import { readBallot } from '../../src/model/ballot.ts';
import { ballotSentence, outcomeSentence, positionPhrase } from '../../src/model/ballot-sentence.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

const totals = { for: 247, against: 232, abstention: 90, non_voting: 0 };
const groups = [{ party: 'aube', members: 576, position: 'pour', ...totals }];

const sentence = (ballot: Parameters<typeof outcomeSentence>[0]) => `${outcomeSentence(ballot)}`;

describe('the sentence about a ballot', () => {
  before(() => loadLanguage('fr'));

  it('keeps a result that has the name of a property of every object', () => {
    for (const result of ['constructor', '__proto__', 'toString'])
      expect(sentence({ result, totals: null }))
        .to.include(result.slice(1))
        .and.not.include('function');
  });

  it('is the result in the language of the reader, and its counts', () => {
    expect(sentence({ result: 'adopté', totals })).to.equal('Adopted: 247 for, 232 against, 90 abstentions');
    const french = outcomeSentence({ result: 'adopté', totals }).render(speechOf('fr'));
    expect(french, 'no line ends between a count and its word').to.equal(
      'Adopté\u00a0: 247\u00a0pour, 232\u00a0contre, 90\u00a0abstentions',
    );
  });

  it('states that no result is published, and no outcome, where the source states none', () => {
    expect(sentence({ totals: { ...totals, against: 0 } })).to.equal(
      'No result published: 247 for, 0 against, 90 abstentions',
    );
    expect(sentence({ result: 'rejeté' })).to.equal('Rejected: no counts published');
    expect(sentence({ totals: { for: 3, non_voting: 1 } }), 'nor a count that is not stated').to.equal(
      'No result published: 3 for, 1 declared non-voter',
    );
  });

  it('measures a motion of censure by what it requires, and knows no votes against it', () => {
    const motion = { title: 'Motion de censure', result: 'rejeté', totals: { for: 197, against: 0 } };
    expect(sentence({ ...motion, required: 289 })).to.equal('Rejected: 197 for of 289 required');
    expect(sentence(motion)).to.equal('Rejected: 197 for (the number required is not stated)');
  });

  it('names a position in one vocabulary, beside its figures and members', () => {
    const votes = { ...groups[0]!, party_name: 'L’Aube', stated_position: 'pour' };
    const figures = '247 for, 232 against, 90 abstentions';
    const texts = [
      [votes, `for, ${figures}, of 576 members`],
      [{ ...votes, members: null }, `for, ${figures} (members not stated)`],
      [{ ...votes, position: null }, `(for), ${figures}, of 576 members`],
      [{ ...votes, position: null, stated_position: null }, `(none), ${figures}, of 576 members`],
      [{ ...votes, party: 'ni-an17', position: null }, `${figures}, of 576 members`],
    ] as const;
    for (const [each, text] of texts) expect(`${positionPhrase(each, false)}`).to.equal(text);
    const french = positionPhrase(votes, false).render(speechOf('fr')).replaceAll('\u00a0', ' ');
    expect(french).to.equal('pour, 247 pour, 232 contre, 90 abstentions, sur 576 membres');
    expect(`${positionPhrase(votes, true)}`, 'only votes for are recorded').to.equal('for, 247 for, of 576 members');
  });

  it('tells how many of the members voted only where they are listed', () => {
    const ballot = { result: 'adopté', chamber: 'AN', totals, votes_by_party: groups };
    expect(`${ballotSentence(readBallot(ballot))}`).to.equal(
      'Adopted: 247 for, 232 against, 90 abstentions; 569 of 576 members listed voted or abstained',
    );
    const senate = `${ballotSentence(readBallot({ ...ballot, chamber: 'Senat' }))}`;
    expect(senate, 'delegates cast the votes of whole groups').not.to.contain('voted or abstained');
    const unlisted = [{ ...groups[0]!, members: null }];
    expect(`${ballotSentence(readBallot({ ...ballot, votes_by_party: unlisted }))}`).not.to.contain(' of ');
  });
});
