import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { UsageError } from '../../src/errors.ts';
import { type Answer, type OutputFormat, writeAnswer } from '../../src/terminal/list.ts';
import { verbatim } from '../../src/words/speech.ts';
import { attribution, attributionText, memorySinks, pipe, terminalOfWidth } from '../helpers/memory-sink.ts';

const rows = [
  { slug: 'ada-brume', full_name: 'Ada Brume', votes: null, added: 'x' },
  { slug: 'zoe-vatel', full_name: 'Zoé Vatel', votes: 3, added: null },
];

const answer: Answer = {
  items: rows,
  columns: ['slug', 'full_name'],
  allColumns: ['slug', 'full_name', 'votes', 'added'],
  total: 2,
  nextCursor: null,
  origin: { from: 'mirror', as_of: '2031-05-06' },
  attribution,
};

async function shown(format: OutputFormat, change: Partial<Answer> = {}, options: object = {}) {
  const sinks = memorySinks();
  await writeAnswer({ ...answer, ...change }, { format, header: true, terminal: pipe, ...options }, sinks);
  return { stdout: sinks.stdout.text, stderr: sinks.lines };
}

const origin = 'from the mirror, as of 2031-05-06';

describe('an answer', () => {
  it('as a table ends with the attribution', async () => {
    expect(await shown('table')).to.deep.equal({
      stdout: `slug       full_name\nada-brume  Ada Brume\nzoe-vatel  Zoé Vatel\n${attributionText}\n`,
      stderr: [origin],
    });
  });

  it('as a table at a terminal has names for slugs, but not beside a name, nor where columns were chosen', async () => {
    const items = [{ politician: 'ada-brume', party: 'adr', party_name: 'Rivages' }];
    const nameOf = (_kind: string, slug: string) => (slug === 'ada-brume' ? 'Ada Brume' : 'Alliance');
    const screen = { terminal: terminalOfWidth(80) };
    const texts = async (columns: string[], options: object) =>
      (await shown('table', { items, columns, allColumns: columns, nameOf, total: 1 }, options)).stdout;
    expect(await texts(['politician', 'party'], screen))
      .to.include('Ada Brume')
      .and.include('Alliance');
    expect(await texts(['party', 'party_name'], screen))
      .to.include('adr')
      .and.not.include('Alliance');
    expect(await texts(['politician'], { ...screen, columns: ['politician'] })).to.include('ada-brume');
    expect(await texts(['politician'], {})).to.include('ada-brume');
  });

  it('says how much was cut', async () => {
    const { stdout } = await shown('table', { total: 40 });
    expect(stdout.split('\n').slice(-3, -1)).to.deep.equal(['shown 2 of 40', attributionText]);
    const open = await shown('table', { total: null, nextCursor: () => 'abc' });
    expect(open.stdout).to.contain('\nshown 2 of more\n');
    expect((await shown('csv', { total: 40 })).stderr).to.include('shown 2 of 40');
    expect((await shown('table', { total: null })).stdout).to.not.contain('shown');
  });

  it('at a terminal puts notes and origin between the rows and the attribution, in a pipe on stderr', async () => {
    const notes = [verbatim('full text only')];
    const atTerminal = await shown('table', { notes }, { terminal: terminalOfWidth(80) });
    const text = stripVTControlCharacters(atTerminal.stdout).replaceAll('\n', ' ');
    expect(text).to.contain(' full text only from the mirror, as of 6 May 2031 Source: Vitrine (');
    expect(atTerminal.stderr).to.deep.equal([]);
    expect((await shown('table', { notes })).stderr).to.deep.equal(['full text only', origin]);
  });

  it('says on stderr that nothing was found', async () => {
    expect(await shown('table', { items: [], total: 0 })).to.deep.equal({
      stdout: `${attributionText}\n`,
      stderr: [origin, 'nothing found'],
    });
  });

  it('as CSV, TSV or NDJSON is rows only, the attribution beside', async () => {
    expect(await shown('csv')).to.deep.equal({
      stdout: 'slug,full_name,votes,added\nada-brume,Ada Brume,,x\nzoe-vatel,Zoé Vatel,3,\n',
      stderr: [origin, attributionText],
    });
    expect((await shown('tsv', {}, { header: false })).stdout).to.equal(
      'ada-brume\tAda Brume\t\tx\nzoe-vatel\tZoé Vatel\t3\t\n',
    );
    const ndjson = await shown('ndjson');
    expect(ndjson.stdout).to.equal(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(ndjson.stderr).to.deep.equal([origin, attributionText]);
  });

  it('when quiet still attributes', async () => {
    expect((await shown('csv', { notes: [verbatim('full text only')] }, { quiet: true })).stderr).to.deep.equal([
      'full text only',
      attributionText,
    ]);
  });

  it('as Markdown ends with the attribution as a paragraph', async () => {
    const { stdout } = await shown('markdown', {}, { columns: ['slug'] });
    expect(stdout).to.equal(`| slug |\n| --- |\n| ada-brume |\n| zoe-vatel |\n\n${attributionText}\n`);
  });

  it('as JSON says everything inside, and on stderr who answered', async () => {
    const { stdout, stderr } = await shown('json', {}, { columns: ['votes'] });
    expect(JSON.parse(stdout)).to.deep.include({
      items: [{ votes: null }, { votes: 3 }],
      shown: 2,
      total: 2,
    });
    expect(stderr).to.deep.equal([origin]);
    expect((await shown('json', {}, { quiet: true })).stderr).to.deep.equal([]);
    const pretty = await shown('json', {}, { terminal: terminalOfWidth(80) });
    expect(pretty.stdout.startsWith('{\n  "items": [\n    {\n      "slug"')).to.equal(true);
  });

  it('refuses an unknown column, names the known ones, and closes its source', async () => {
    let closed = false;
    const source = function* () {
      try {
        yield* rows;
      } finally {
        closed = true;
      }
    };
    const failure = await shown('table', { items: source() }, { columns: ['slug', 'nom'] }).catch((error) => error);
    expect(failure).to.be.instanceOf(UsageError);
    expect(failure.message).to.equal('unknown column: nom');
    expect(failure.hint).to.equal('known columns: slug, full_name, votes, added');
    expect(closed).to.equal(true);
  });

  it('takes columns of a stream from its first row when no others are known', async () => {
    const pages = async function* () {
      yield* rows;
    };
    const change = { items: pages(), allColumns: undefined };
    expect((await shown('csv', change)).stdout).to.match(/^slug,full_name,votes,added\n/);
  });

  it('stops reading when the reader has gone, without a word', async () => {
    let pulled = 0;
    const endless = function* () {
      for (;;) yield { slug: `row-${pulled++}`, full_name: 'x' };
    };
    for (const format of ['table', 'csv', 'ndjson', 'json'] as const) {
      pulled = 0;
      const sinks = memorySinks();
      Object.defineProperty(sinks.stdout, 'closed', { get: () => sinks.stdout.text.length > 0 });
      await writeAnswer({ ...answer, items: endless() }, { format, header: true, terminal: pipe, quiet: true }, sinks);
      expect(pulled).to.be.lessThan(10_000);
      expect(sinks.lines).to.deep.equal([]);
    }
  });
});
