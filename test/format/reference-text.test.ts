import { Cite } from '@citation-js/core';
import { expect } from 'chai';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-ris';
import { type CitationStyle, citationText } from '../../src/format/reference-text.ts';
import { attributionOf } from '../../src/model/attribution.ts';
import { citedWork } from '../../src/model/cited-work.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

const attribution = attributionOf(
  { name: 'Service de Valombre', siteUrl: 'https://valombre.example' },
  { retrievedAt: '2026-11-01T06:00:00.000Z' },
);
const work = citedWork(
  {
    id: 'quote-1',
    title: 'Une règle à 50 % & des {frais} d’essai_n° 3, « claire » <b>',
    date: '2026-03-01',
    url: 'https://valombre.example/quotes/1?a=1&b=2',
    politician: 'oceane-bruyevre',
  },
  { kind: 'quote', author: 'Océane Bruyèvre', attribution, sources: [] },
);
const cite = (style: CitationStyle, more = {}) => citationText({ ...work, ...more }, { style, speech: speechOf('en') });

type Csl = {
  title: string;
  author: { literal?: string; family?: string }[];
  issued: { 'date-parts': number[][] };
  accessed: { 'date-parts': number[][] };
  URL: string;
  note: string;
};

/** What another program reads in a citation. */
const read = (text: string) => new Cite(text).data[0] as Csl;

describe('a citation', () => {
  before(() => loadLanguage('fr'));

  it('is a sentence that names and links the service, the page, the retrieval and the content', () => {
    expect(cite('text')).to.equal(
      `Océane Bruyèvre, “${work.title}”, 1\u00a0March 2026, Service de Valombre (https://valombre.example), ` +
        `quote:quote-1, retrieved 1\u00a0November 2026 (sha256 ${work.hash}), https://valombre.example/quotes/1?a=1&b=2\n`,
    );
    expect(work.hash).to.match(/^[0-9a-f]{32}$/);
  });

  it('keeps the braces of a BibTeX entry balanced for a reader that ignores backslashes', () => {
    for (const text of ['a { c', 'a } c', '}{', 'a \\{ c']) {
      const entry = cite('bibtex', { title: text, author: text, url: `https://v.example/a${text[2]}b` });
      let depth = 0;
      for (const sign of entry) {
        depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
        expect(depth).to.be.at.least(0);
      }
      expect(depth).to.equal(0);
      expect(read(entry).note).to.contain(work.hash);
    }
  });

  it('is typeset as French is', () => {
    const french = citationText(
      { ...work, asOf: '2026-10-31T23:59:59.999Z' },
      { style: 'text', speech: speechOf('fr') },
    );
    expect(french)
      .to.include(`«\u00a0${work.title}\u00a0»`)
      .and.include('1er\u00a0mars 2026')
      .and.include('consulté le 1er\u00a0novembre 2026')
      .and.include('état au 31\u00a0octobre 2026');
  });

  it('is HTML in which no text of a record is markup', () => {
    expect(cite('html'))
      .to.match(/^<cite lang="en">Océane Bruyèvre, “<a href="https:\/\/valombre\.example\/quotes\/1\?a=1&amp;b=2">/)
      .and.include('50 % &amp; des')
      .and.include('&lt;b&gt;')
      .and.include('<a href="https://valombre.example">Service de Valombre</a>');
  });

  for (const style of ['bibtex', 'csl-json', 'ris'] as const) {
    it(`in ${style} is read back by another program`, () => {
      const citation = read(cite(style));
      expect(citation.title).to.equal(work.title);
      expect(citation.URL).to.equal(work.url);
      const [author] = citation.author;
      expect(author!.literal ?? author!.family).to.equal('Océane Bruyèvre');
      // The day of access of a web page stands under Y2 for EndNote and Zotero, which this reader does not read there.
      if (style === 'ris') expect(cite(style)).to.include('Y2  - 2026/11/01\r\n');
      else expect(citation.accessed['date-parts']).to.deep.equal([[2026, 11, 1]]);
      expect(citation.issued['date-parts'][0]!.slice(0, 2)).to.deep.equal([2026, 3]);
      expect(citation.note).to.include(work.hash).and.include('https://valombre.example');
    });
  }

  it('leaves out what is not stated', () => {
    const bare = { author: null, date: null, url: null, publisherUrl: null, retrievedAt: null };
    expect(cite('text', bare)).to.equal(`“${work.title}”, Service de Valombre, quote:quote-1, (sha256 ${work.hash})\n`);
    expect(cite('ris', bare)).not.to.match(/^(AU|PY|DA|UR|Y2) /m);
    expect(cite('bibtex', bare)).not.to.match(/null|undefined/);
    expect(JSON.parse(cite('csl-json', bare))[0]).not.to.have.any.keys('author', 'issued', 'URL');
  });
});
