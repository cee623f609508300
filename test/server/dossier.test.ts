import { expect } from 'chai';
import { type DemoServer, startDemoServer } from './demo-server.ts';

describe('a dossier', () => {
  let server: DemoServer;
  before(async () => {
    const citation = { name: 'Valombre', siteUrl: 'https://valombre.example' };
    server = await startDemoServer({ settings: { citation } });
  });
  after(() => server.close());
  const dossier = async (path: string, ending = 'html', lang = 'en') =>
    (await server.app.inject({ url: `${encodeURI(path)}.dossier.${ending}?lang=${lang}` })).body;

  it('holds who somebody is, what is filed under them, what is missing and whom to cite, in a file alone', async () => {
    const page = await dossier('/politicians/oceane-bruyevre');
    expect(page).to.include('<h1>Océane Bruyèvre</h1>').and.include('What is missing').and.include('valombre.example');
    expect(page)
      .to.match(/<h2>Promises<\/h2>/)
      .and.match(/<h2>Sources<\/h2>/);
    expect(page, 'no link leads into a server, nothing is loaded').not.to.match(/(?:href|src)="\/|<script|<link/);
    expect(page, 'what is folded is printed too').not.to.match(/<details(?! open)/);
  });

  it('of a text lists its ballots in order', async () => {
    const page = await dossier('/texts/retraites des gardiens');
    const days = [...page.matchAll(/<time datetime="([^"]+)"/g)].map(([, day]) => day!);
    expect(days.length).to.be.above(2);
    expect(days).to.deep.equal([...days].sort());
  });

  it('is the same in Markdown', async () => {
    const text = await dossier('/texts/retraites des gardiens', 'md');
    expect(text)
      .to.match(/^# projet de loi relatif aux retraites/m)
      .and.match(/^\| -+ \| -+ \|/m);
    expect(text).not.to.match(/<\/?\w+>/);
    const person = await dossier('/politicians/oceane-bruyevre', 'md');
    expect(person)
      .to.match(/^# Océane Bruyèvre$/m)
      .and.match(/^## Promises$/m)
      .and.match(/\]\(https:\/\//);
  });

  it('begins in Markdown with its heading, and has no words of a picture that is not there', async () => {
    for (const path of ['/politicians/oceane-bruyevre', '/parties/alliance-des-rivages', '/votes/AN/VAL1V4']) {
      const text = await dossier(path, 'md');
      expect(text, path).to.match(/^# \S/);
      expect(text, path).not.to.match(/For \d+\s+Against \d|No vote recorded \d/);
    }
  });

  it('states the sources of each record below it, and has no line that only led into a server', async () => {
    const text = await dossier('/politicians/oceane-bruyevre', 'md');
    const [, promise] = text.split(/^## Promises$/m)[1]!.split(/^- ### /m);
    expect(promise).to.match(/\n {2}- \[[^\]]+\]\(https:\/\//);
    expect(text).not.to.match(/All changes|Every version|about this source|as a picture/);
    expect(text, 'no empty item is left').not.to.match(/^\s*-\s*$/m);
    expect(text, 'a day is apart from the name before it').not.to.match(/\p{L}\d{1,2} [A-Z]/u);
  });

  it('of a party lists what its politicians promised and said, and counts what the mirror holds', async () => {
    const page = await dossier('/parties/alliance-des-rivages');
    expect(page)
      .to.match(/<h2>Promises<\/h2>/)
      .and.match(/It contains \d+ quotes, \d+ positions, \d+ promises/);
  });

  it('is offered for download on the page, in its language, and loads nothing from this server', async () => {
    for (const path of [
      '/politicians/oceane-bruyevre',
      '/parties/alliance-des-rivages',
      '/votes/AN/VAL1V4',
      '/texts/retraites%20des%20gardiens',
    ]) {
      const page = await server.app.inject({ url: `${path}?lang=fr`, headers: { accept: 'text/html' } });
      for (const ending of ['html', 'md']) {
        expect(page.body, path).to.include(`href="${path}.dossier.${ending}?lang=fr"`);
        const { statusCode, headers, body } = await server.app.inject({ url: `${path}.dossier.${ending}?lang=fr` });
        expect(statusCode, path).to.equal(200);
        expect(headers['content-disposition']).to.equal(
          `attachment; filename="${path.split('/').at(-1)}.dossier.${ending}"`,
        );
        expect(body, path).not.to.match(/(?:href|src)="\/|\]\(\/|<script|<link|<form/);
        expect(body, path).to.match(/consulté le/);
      }
    }
  });
});
