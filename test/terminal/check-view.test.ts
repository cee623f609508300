import { expect } from 'chai';
import { htmlPage } from '../../src/format/html-page.ts';
import { createCheckRenderer } from '../../src/terminal/check-view.ts';
import { speechOf } from '../../src/words/speech.ts';

describe('a checked article as a page', () => {
  const text = 'Il a dit « un deux trois <quatre> ».\u2029Le scrutin n° 4.';
  const row = { line: 1, type: 'speech', id: 's1', title: '', differences: [], copies: 0, url: 'https://x.example/' };
  const claim = { differences: [{ quoted: 'a voté contre', said: '' }] };
  const rows = [
    { ...row, start: 10, end: 33, quoted: 'un deux trois <quatre>', result: 'exact', politician_name: 'Anne' },
    { ...row, start: 10, end: 20, quoted: 'un deux', result: 'not-found', id: null },
    {
      ...row,
      start: 37,
      end: 53,
      quoted: 'Le scrutin n° 4.',
      result: 'contradicted',
      type: 'ballot',
      said: 'n° 4',
      ...claim,
    },
  ];
  const speech = speechOf('en');
  const article = { title: 'check', url: null, facts: [], sections: [], other: [] };
  const page = htmlPage.document.open({ ...article, paragraphs: createCheckRenderer(text)(rows, speech) }, speech);

  it('marks each passage in its place, before the verdict', () => {
    expect(page).to.include('Il a dit «<mark> un deux trois &lt;quatre&gt;</mark> <small>[word for word]</small>');
    expect(page).to.include(' ».\n<mark>Le scrutin n° 4.</mark> <small>[contradicted]</small></div>');
    expect(page.match(/un deux trois/g)).to.have.length(2);
  });

  it('says of each passage what is recorded', () => {
    expect(page).to.include('<h2>“un deux trois &lt;quatre&gt;”</h2>\n<p>word for word · Anne · ');
    expect(page).to.include('<h2>“un deux”</h2>\n<p>not found</p>');
    expect(page).to.match(/<h2>“Le scrutin n° 4\.”<\/h2>\n<p>contradicted · .*?<\/p>\n<p>n° 4<\/p>/);
    expect(page).to.include('not compared with the record: “a voté contre”');
  });
});
