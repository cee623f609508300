import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import examined from '../../src/server/pages/accessibility.json' with { type: 'json' };
import { type DemoServer, startDemoServer } from './demo-server.ts';

const criteria = examined.themes.flatMap((theme) => theme.criteria);
const countOf = (result: string) => criteria.filter((each) => each.result === result).length;

/** How many criteria each theme of RGAA 4.1 has. */
const ofTheme = [9, 2, 3, 13, 8, 2, 5, 10, 4, 14, 13, 11, 12];

describe('the statement of accessibility', () => {
  let server: DemoServer;
  before(async () => {
    const citation = { name: 'Transparence Valombre', siteUrl: null, contact: 'redaction@valombre.example' };
    server = await startDemoServer({ settings: { citation } });
  });
  after(() => server.close());
  const page = async (lang: string, path = '/accessibility') => (await server.app.inject(`${path}?lang=${lang}`)).body;

  it('has a row for each of the 106 criteria, in their order', async () => {
    const numbers = ofTheme.flatMap((count, at) => Array.from({ length: count }, (_, n) => `${at + 1}.${n + 1}`));
    expect(numbers).to.have.length(106);
    expect(criteria.map(({ id }) => id)).to.deep.equal(numbers);
    for (const lang of ['en', 'fr']) {
      const rows = [...(await page(lang)).matchAll(/<th scope="row"[^>]*>(\d+\.\d+) /g)].map(([, id]) => id);
      expect(rows, lang).to.deep.equal(numbers);
    }
  });

  it('counts what it found, and takes what was not tested for not met', async () => {
    const metCount = countOf('conform');
    const outside = countOf('not-applicable');
    const body = await page('en');
    expect(body).to.include(`${metCount} of the ${106 - outside} criteria that apply are met`);
    const counted = [...body.matchAll(/<li>(?:met|not met|not tested|not applicable): (\d+)</g)];
    expect(counted.map(([, count]) => Number(count))).to.deep.equal(
      ['conform', 'not-conform', 'not-tested', 'not-applicable'].map(countOf),
    );
    expect(body).to.include('partially compliant').and.include('href="mailto:redaction@valombre.example"');
  });

  it('says of each criterion that is met how it was examined, and what fails of the others', () => {
    for (const { id, result, how = [], ...otherFields } of criteria) {
      expect(how.length > 0, id).to.equal(result === 'conform' || result === 'not-conform');
      expect('fails' in otherFields, id).to.equal(result === 'not-conform');
    }
  });

  it('names tests that there are', () => {
    for (const [name, method] of Object.entries(examined.methods)) {
      if (!('file' in method)) continue;
      expect(existsSync(method.file), name).to.equal(true);
      expect(readFileSync(method.file, 'utf8'), name).to.match(
        new RegExp(`it\\(['\`]${method.test.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&')}`),
      );
    }
  });

  it('is linked from the foot of every page, with what it comes to', async () => {
    expect(await page('fr', '/votes')).to.match(
      /<a href="\/accessibility\?lang=fr">Accessibilité\s: partiellement conforme<\/a>/,
    );
  });
});
