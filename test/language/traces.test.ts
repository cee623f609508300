import { expect } from 'chai';
import { createTraceScanner, keyedHash, tracesOf } from '../../src/language/traces.ts';

const salt = 'abc';
const text = 'L’élue promet un phare neuf à Océane, « d’ici à l’été », puis dix digues sûres.';
const keys = new Set(['promise-9-b', 'sha256:0f0f'].map((key) => keyedHash(salt, key)));

/** What a scan finds in chunks: numbers of words of traces, and keys. */
async function scanned(chunks: string[], traces = tracesOf(text, salt)): Promise<(string | number)[]> {
  const findKey = (token: string) => (keys.has(keyedHash(salt, token)) ? token : null);
  const hits = await createTraceScanner(traces, { salt, findKey })(chunks);
  return Array.from(hits, (hit) => (typeof hit === 'string' ? hit : hit.words));
}

describe('traces of a withheld text', () => {
  it('are some words at a time, and hold none of them', () => {
    const traces = tracesOf(text, salt);
    expect(traces.map(({ words }) => words)).to.deep.equal([4, 4, 4, 4]);
    expect(JSON.stringify(traces)).not.to.match(/phare|digues/i);
    expect(tracesOf('Zoé Brun', salt)).to.deep.equal([]);
    expect(tracesOf('Zoé Brun', salt, true)).to.have.length(1);
    expect(tracesOf('Zoé', salt, true)).to.deep.equal([]);
  });

  it('are found however a file writes the text, and in a part of it', async () => {
    const written: [string, string[]][] = [
      ['as it stands', [text]],
      ['HTML', [`<p lang="fr">${text.replaceAll('’', '&#39;').replaceAll('«', '&laquo;')}</p>`]],
      ['JSON', [JSON.stringify({ text: `${text}\n` })]],
      ['an address', [encodeURIComponent(text.normalize('NFD').replaceAll(/\p{M}/gu, ''))]],
      ['other accents and case', [text.normalize('NFD').toUpperCase()]],
      ['chunks of a character', [...text]],
      ['its beginning', [text.slice(0, 30)]],
    ];
    for (const [name, chunks] of written) expect(await scanned(chunks), name).to.include(4);
    expect(await scanned(['un phare neuf ailleurs'])).to.deep.equal([]);
  });

  it('are joined by keys, in addresses and names of files too', async () => {
    expect(await scanned(['href="/records/promise/promise-9-b#x"', ' sha256:0f0f, '])).to.deep.equal([
      'promise-9-b',
      'sha256:0f0f',
    ]);
    expect(await scanned(['politicians/promise-9-b.html'])).to.deep.equal(['promise-9-b']);
    expect(await scanned(['promise-9-bis', 'a-promise-9-b'])).to.deep.equal([]);
  });
});
