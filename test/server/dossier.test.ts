import { expect } from 'chai';
import { dossierHtml } from '../../src/server/dossier.ts';
import { pageMarkdown } from '../../src/server/page-markdown.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

const options = {
  citation: { name: 'Valombre', siteUrl: 'https://valombre.example' },
  language: 'en' as const,
};

describe('a dossier', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  before(async () => {
    demo = await createDemoMirror();
    mirror = openMirror(demo.db);
  });
  after(() => {
    mirror.close();
    demo.remove();
  });

  it('holds who somebody is, what is filed under them, what is missing and whom to cite, in a file alone', () => {
    const page = dossierHtml(mirror, { page: 'politician', key: 'oceane-bruyevre' }, options);
    expect(page)
      .to.include('<h1>Océane Bruyèvre</h1>')
      .and.include('What is missing')
      .and.include('valombre.example');
    expect(page)
      .to.match(/<h2>Promises<\/h2>/)
      .and.match(/<h2>Sources<\/h2>/);
    expect(page, 'no link leads into a server, nothing is loaded').not.to.match(
      /(?:href|src)="\/|<script|<link/,
    );
    expect(page, 'what is folded is printed too').not.to.match(/<details(?! open)/);
  });

  it('of a text lists its ballots in order', () => {
    const page = dossierHtml(mirror, { page: 'text', key: 'retraites des gardiens' }, options);
    const days = [...page.matchAll(/<time datetime="([^"]+)"/g)].map(([, day]) => day!);
    expect(days.length).to.be.above(2);
    expect(days).to.deep.equal([...days].sort());
  });

  it('is the same in Markdown', () => {
    const text = pageMarkdown(dossierHtml(mirror, { page: 'text', key: 'retraites des gardiens' }, options));
    expect(text)
      .to.match(/^# projet de loi relatif aux retraites/m)
      .and.match(/^\| --- \| --- \|/m);
    expect(text).not.to.match(/<\/?\w+>/);
    const person = pageMarkdown(dossierHtml(mirror, { page: 'politician', key: 'oceane-bruyevre' }, options));
    expect(person)
      .to.match(/^# Océane Bruyèvre$/m)
      .and.match(/^## Promises$/m)
      .and.match(/\]\(https:\/\//);
  });
});
