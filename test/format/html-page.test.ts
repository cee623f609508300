import { expect } from 'chai';
import type { Article } from '../../src/format/article.ts';
import { html } from '../../src/format/html.ts';
import { htmlPage, linkAddresses } from '../../src/format/html-page.ts';
import { writeRows } from '../../src/format/rows.ts';
import type { Document } from '../../src/model/document.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { tagsOf, textOfHtml } from '../helpers/html-tags.ts';
import { memorySink } from '../helpers/memory-sink.ts';

const hostile = '<script>alert(1)</script>" onload="x \u202etourne\u2066 \0 & </table>';

async function rowsAsHtml(rows: Document[], columns: string[], language: 'en' | 'fr' = 'en') {
  await loadLanguage(language);
  const sink = memorySink();
  const format = htmlPage.rowFormat(columns, { speech: speechOf(language) });
  await writeRows(rows, format, sink, { columns, header: true });
  return sink.text;
}

const linked = (text: string) => html`${linkAddresses(text)}`.text;

describe('rows as HTML', () => {
  it('are, to the character', async () => {
    expect(
      await rowsAsHtml(
        [{ slug: 'aube', n: 1234, share: 0.24980803, ids: ['a', 'b'] }, { slug: null }],
        ['slug', 'n', 'share', 'ids'],
      ),
    ).to.equal(
      '<div role="region" aria-labelledby="title" tabindex="0"><table>\n' +
        '<thead><tr><th scope="col">slug</th><th scope="col">n</th><th scope="col">share</th><th scope="col">ids</th></tr></thead>\n' +
        '<tr><th scope="row">aube</th><td class="number">1234</td><td class="number">0.250</td><td>a, b</td></tr>\n' +
        '<tr><td></td><td></td><td></td><td></td></tr>\n' +
        '</table></div>\n',
    );
  });

  it('have headings and decimals of the reader’s language', async () => {
    const text = await rowsAsHtml([{ date: '2031-05-06', agreement: 0.5 }], ['date', 'agreement'], 'fr');
    expect(text).to.include('<td class="number">0,5');
    expect(text).to.include('<th scope="col">accord</th>');
  });

  it('contain no markup and no bidirectional control of a record', async () => {
    const text = await rowsAsHtml(
      [{ [hostile]: hostile, list: [hostile], object: { [hostile]: hostile } }],
      [hostile, 'list', 'object'],
    );
    const names = tagsOf(text).map((tag) => tag.split(' ')[0]);
    expect(names.filter((name) => name === 'script')).to.deep.equal([]);
    expect(text).not.to.match(/[\0\u202e\u2066]/);
    expect(textOfHtml(text)).to.include('<script>alert(1)</script>" onload="x');
  });
});

describe('links in a page', () => {
  it('lead to web addresses only, without the punctuation around them', () => {
    expect(linked('Source (https://vitrine.example/a?b=1&c=2), retrieved')).to.equal(
      'Source (<a href="https://vitrine.example/a?b=1&amp;c=2">https://vitrine.example/a?b=1&amp;c=2</a>), retrieved',
    );
    expect(linked('https://vitrine.example/a_(b)')).to.equal(
      '<a href="https://vitrine.example/a_(b)">https://vitrine.example/a_(b)</a>',
    );
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'https://user:secret@vitrine.example/', 'see //x'])
      expect(linked(text), text).not.to.include('<a');
  });
});

describe('a page', () => {
  const article: Article = {
    title: hostile,
    url: null,
    facts: [
      { label: hostile, value: hostile },
      { label: 'id', value: 'x' },
    ],
    paragraphs: [{ label: '', text: `one\n\n${hostile}` }],
    sections: [{ label: 'sources', lines: [hostile] }],
  };

  it('is one document in its language with one heading, whatever stands in it', () => {
    const text = htmlPage.document.open(article, speechOf('fr')) + htmlPage.document.close([hostile]);
    const tags = tagsOf(text);
    expect(text).to.match(/^<!doctype html>\n<html lang="fr">/);
    expect(tags.filter((tag) => tag.startsWith('h1'))).to.have.length(1);
    expect(tags.filter((tag) => /^(script|link|img|iframe)|\son[a-z]+=/.test(tag))).to.deep.equal([]);
    expect(tags.filter((tag) => tag === 'p')).to.have.length(3);
    expect(text).not.to.match(/[\0\u202e\u2066]/);
  });
});
