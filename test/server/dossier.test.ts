import { expect } from 'chai';
import { dossierHtml, pageMarkdown } from '../../src/server/dossier.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

const options = {
  citation: { name: 'Valombre', siteUrl: 'https://valombre.example' },
  language: 'en' as const,
};

describe('a dossier', () => {
  const demo = readDemoMirror();
  const dossier = (page: 'politician' | 'party' | 'text', key: string) =>
    dossierHtml(demo.mirror, { page, key }, options);

  it('holds who somebody is, what is filed under them, what is missing and whom to cite, in a file alone', () => {
    const page = dossier('politician', 'oceane-bruyevre');
    expect(page).to.include('<h1>Océane Bruyèvre</h1>').and.include('What is missing').and.include('valombre.example');
    expect(page)
      .to.match(/<h2>Promises<\/h2>/)
      .and.match(/<h2>Sources<\/h2>/);
    expect(page, 'no link leads into a server, nothing is loaded').not.to.match(/(?:href|src)="\/|<script|<link/);
    expect(page, 'what is folded is printed too').not.to.match(/<details(?! open)/);
  });

  it('of a text lists its ballots in order', () => {
    const page = dossier('text', 'retraites des gardiens');
    const days = [...page.matchAll(/<time datetime="([^"]+)"/g)].map(([, day]) => day!);
    expect(days.length).to.be.above(2);
    expect(days).to.deep.equal([...days].sort());
  });

  it('is the same in Markdown', () => {
    const text = pageMarkdown(dossier('text', 'retraites des gardiens'));
    expect(text)
      .to.match(/^# projet de loi relatif aux retraites/m)
      .and.match(/^\| -+ \| -+ \|/m);
    expect(text).not.to.match(/<\/?\w+>/);
    const person = pageMarkdown(dossier('politician', 'oceane-bruyevre'));
    expect(person)
      .to.match(/^# Océane Bruyèvre$/m)
      .and.match(/^## Promises$/m)
      .and.match(/\]\(https:\/\//);
  });

  it('states the sources of each record below it, and has no line that only led into a server', () => {
    const text = pageMarkdown(dossier('politician', 'oceane-bruyevre'));
    const [, promise] = text.split(/^## Promises$/m)[1]!.split(/^- ### /m);
    expect(promise).to.match(/\n {2}- \[[^\]]+\]\(https:\/\//);
    expect(text).not.to.match(/All changes|Every version|about this source|as a picture/);
    expect(text, 'no empty item is left').not.to.match(/^\s*-\s*$/m);
    expect(text, 'a day is apart from the name before it').not.to.match(/\p{L}\d{1,2} [A-Z]/u);
  });

  it('of a party lists what its politicians promised and said, and counts what the mirror holds', () => {
    const page = dossier('party', 'alliance-des-rivages');
    expect(page)
      .to.match(/<h2>Promises<\/h2>/)
      .and.match(/It contains \d+ quotes, \d+ positions, \d+ promises/);
  });
});
