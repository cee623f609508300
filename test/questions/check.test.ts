import { expect } from 'chai';
import { check } from '../../src/questions/check.ts';
import { fieldsAt, itemsAt, readTwoNights } from './question-results.ts';

describe('the question whether something was said', () => {
  const night = readTwoNights();
  const checkQuotation = (q: string) => itemsAt(night.now, check, { q });
  const speech = 'speech-an-2025-10-21-03';

  it('finds the same words, whatever their case, quotation marks and apostrophes', async () => {
    const [hit] = await checkQuotation('« nous DEMANDONS pourquoi il s’arrête au pied de la jetée »');
    expect(hit).to.include({
      result: 'exact',
      agreement: 1,
      type: 'speech',
      id: speech,
      date: '2025-10-21',
    });
    expect(hit!.said).to.equal("Nous demandons pourquoi il s'arrête au pied de la jetée");
    expect(hit!.politician_name).to.equal('Séraphine Quatrevents');
  });

  it('takes […] for words left out and [brackets] for words of the article', async () => {
    const [cut] = await checkQuotation('Les dockers travaillent les mêmes nuits […] et leurs retraites sont calculées');
    expect(cut).to.include({ result: 'exact', id: speech });
    const [changed] = await checkQuotation('[Le groupe demande] pourquoi il s’arrête au pied de la jetée');
    expect(changed).to.include({ result: 'exact', id: speech });
  });

  it('names the words that differ, and never calls such a quotation exact', async () => {
    const [one] = await checkQuotation('Nous demandons pourquoi il s’arrête au bout de la jetée');
    expect(one).to.deep.include({
      result: 'near',
      id: speech,
      differences: [{ quoted: 'bout', said: 'pied' }],
    });
    const [more] = await checkQuotation('Nous demandons pourquoi il ne s’arrête jamais au pied de la jetée');
    expect(more!.differences).to.deep.equal([
      { quoted: 'ne', said: '' },
      { quoted: 'jamais', said: '' },
    ]);
    const [person] = await checkQuotation('ils demandent pourquoi il s’arrête au pied de la jetée');
    expect([person!.result, person!.agreement]).to.deep.equal(['near', 0.886]);
  });

  it('finds words in the title of a ballot, unless someone said them, and confirms no speaker by them', async () => {
    const q = 'amendement n° 205 du Gouvernement à l’article 4 du projet';
    const fields = ['result', 'type', 'differences'];
    const [[, type]] = (await fieldsAt(night.now, check, ['result', 'type'], { q })) as [[string, string]];
    expect(type).to.equal('ballot');
    const text = `« ${q} », a dit Océane Bruyèvre.`;
    expect(await fieldsAt(night.now, check, fields, { q: text, article: true, limit: 1 })).to.deep.equal([
      ['near', 'ballot', [{ quoted: 'Océane Bruyèvre', said: '' }]],
    ]);
    expect(await fieldsAt(night.now, check, ['result'], { q: q.replace('Gouvernement', 'Sénat') })).to.deep.equal([
      ['not-found'],
    ]);
  });

  it('answers each line of a text, also those that nobody said', async () => {
    const lines = ['On greffe en mars', '', 'Nous planterons des palmiers devant chaque phare'].join('\n');
    expect(await fieldsAt(night.now, check, ['line', 'result', 'id'], { q: lines })).to.deep.equal([
      [1, 'exact', 'quote-camille-rouvre-01'],
      [3, 'not-found', null],
    ]);
  });

  it('finds nothing for words that stand in a text far from each other', async () => {
    expect(
      await fieldsAt(night.now, check, ['result'], { q: 'les dockers du phare sous la République' }),
    ).to.deep.equal([['not-found']]);
  });

  it('lists what a mirror says of the past as it was then', async () => {
    expect(await fieldsAt(night.past, check, ['result'], { q: 'On greffe en mars ce que' })).to.deep.equal([['exact']]);
  });
});
