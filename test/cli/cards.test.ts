import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { tagsOf, textOfHtml } from '../helpers/html-tags.ts';
import { askProgram } from '../helpers/program.ts';

describe('a card of a figure', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());
  const run = (line: string) => askProgram(line.split(' '), { env: { HEMICYCLE_DB: demo.db, HOME: demo.folder } });
  const card = async (line: string, name: string) => {
    const file = join(demo.folder, name);
    const { exit, stdout, stderr } = await run(`${line} --card ${file}`);
    expect([exit, stdout], stderr).to.deep.equal([0, '']);
    return readFileSync(file);
  };
  const pairOf = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout).items;

  for (const line of ['vote VAL1V4', 'compare ADR PDV', 'compare ADR PDV UDC --lang fr'])
    it(`of ${line} is a picture or a page by its ending, with the same bytes each time`, async () => {
      const png = await card(line, 'a.png');
      expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([
        'PNG',
        1200,
        630,
      ]);
      const svg = await card(line, 'a.svg');
      expect(svg.toString()).to.match(
        /^<svg [^>]*role="img"[\s\S]*<title[^>]*>[^<]+<\/title>\n?<desc[^>]*>[^<]+<\/desc>/,
      );
      const html = await card(line, 'a.HTML');
      const tags = tagsOf(html.toString().replace(/<svg[\s\S]*<\/svg>/, ''));
      expect(tags.filter((tag) => /^(script|img|link|iframe)/.test(tag))).to.deep.equal([]);
      expect(tags).to.include('figure');
      expect(html.includes(svg)).to.equal(true);
      expect(textOfHtml(html.toString())).to.match(/(free for non-commercial use|libre d’utilisation non commerciale)/);
      for (const [bytes, ending] of [
        [png, 'png'],
        [svg, 'svg'],
        [html, 'html'],
      ] as const)
        expect(bytes.equals(await card(line, `b.${ending}`)), ending).to.equal(true);
    });

  it('of a file that cannot be written advises the flag that was typed', async () => {
    expect((await run('compare ADR PDV --card nowhere/a.png')).stderr).to.include('another target with --card');
    expect((await run('vote VAL1V4 --svg nowhere/a')).stderr).to.include('another target with --svg');
  });

  it('of a ballot says its sentence, key and address, and of a censure that only votes for count', async () => {
    const { stdout } = await run('vote VAL1V4');
    const page = textOfHtml((await card('vote VAL1V4', 'vote.html')).toString());
    expect(page).to.include(stdout.split('\n')[0]!);
    expect(page).to.include('AN:VAL1V4 · ');
    for (const name of ['censure.svg', 'censure.html'])
      expect((await card('vote VAL1V7', name)).toString(), name).to.include('only votes for');
  });

  it('of a pair says the numbers of the table, what was left out, what is covered, and the command', async () => {
    const [pair] = await pairOf('compare ADR PDV --chamber AN');
    const page = textOfHtml((await card('compare ADR PDV --chamber AN', 'pair.html')).toString());
    expect(page).to.include(
      `took the same position in ${pair.same} of ${pair.n} ballots (${Math.round(pair.agreement * 100)}%)`,
    );
    expect(page).to.include(
      `left out: not listed ${pair.not_listed}, no position ${pair.no_position}, one sided ${pair.one_sided}`,
    );
    expect(page).to.include('in this mirror ballots of the').and.include('hemicycle compare ADR PDV --chamber AN ');
    expect(page).not.to.include(demo.folder);
  });

  it('comes beside the answer if that is asked for in another format', async () => {
    for (const line of ['vote VAL1V4', 'compare ADR PDV']) {
      const file = join(demo.folder, 'beside.svg');
      expect((await run(`${line} --json --card ${file}`)).stdout).to.equal((await run(`${line} --json`)).stdout);
      expect(existsSync(file)).to.equal(true);
    }
  });

  it('of few ballots has their numbers and no percentage', async () => {
    const line = 'compare ADR PDV --text retraites';
    const [pair] = await pairOf(line);
    expect(pair.few).to.equal(true);
    const page = textOfHtml((await card(line, 'few.html')).toString());
    expect(page).to.include(`in ${pair.same} of ${pair.n} ballots`).and.not.match(/\d%/);
  });

  it('of one-sided ballots says so with what not for includes, and counts none of them as left out', async () => {
    const page = textOfHtml((await card('compare ADR PDV --one-sided', 'censure.html')).toString());
    expect(page)
      .to.include('Only ballots that record only votes in favour')
      .and.include('as not for, which includes absence')
      .and.not.include('one sided ');
  });

  for (const [selection, reason] of [
    ['--nature censure', 'no ballot in which both have a position'],
    ['--since 1990 --until 1991', 'no ballot matches'],
  ])
    it(`over no ballot that counts (${selection}) has no figure but the reason, and draws no bar`, async () => {
      const line = `compare ADR PDV ${selection}`;
      expect((await pairOf(line)).every(({ n }: { n: number }) => n === 0)).to.equal(true);
      const svg = (await card(line, 'none.svg')).toString();
      expect(svg).to.include('no figure for ').and.include(reason!);
      expect(svg).not.to.match(/in 0 of 0|>: |%|the same position|height="14" fill="#ffffff"/);
    });

  it('of parts without a ballot has no figure', async () => {
    const svg = (await card('compare ADR PDV --by month --since 1990 --until 1991', 'none.svg')).toString();
    expect(svg).to.include('no figure for these groups').and.not.include('height="14" fill="#ffffff"');
  });

  it('has no path of this machine in it, of no flag that takes one, nor has a page', async () => {
    const list = join(demo.folder, 'list.txt');
    writeFileSync(list, 'AN:VAL1V4\nAN:VAL1V5\n');
    for (const flags of [`--ballots ${list}`, `--ballots=${list}`]) {
      const line = `compare ADR PDV ${flags} --db ${demo.db} --no-color`;
      for (const page of [await card(line, 'a.svg'), (await run(`${line} --format html`)).stdout]) {
        expect(page.toString()).not.to.include(demo.folder);
        expect(page.toString()).to.match(/hemicycle compare ADR PDV --ballots[= ]list\.txt(?! --)/);
      }
    }
    for (const former of [`--svg ${join(demo.folder, 'a.svg')}`, `--png=${join(demo.folder, 'a.png')}`])
      expect((await run(`vote VAL1V4 --format html --columns party,position ${former}`)).stdout)
        .to.include('hemicycle vote VAL1V4 --columns party,position<')
        .and.not.include(demo.folder);
  });

  it('is refused under another ending, with the three that there are, and nothing is written', async () => {
    for (const line of ['vote VAL1V4', 'compare ADR PDV'])
      for (const name of ['a.pdf', 'card', '-']) {
        const { exit, stdout, stderr } = await run(`${line} --card ${name}`);
        expect([exit, stdout], line).to.deep.equal([2, '']);
        expect(stderr).to.include(name).and.include('.png, .svg or .html');
        expect(existsSync(name)).to.equal(false);
      }
  });

  it('has the former names --svg and --png of vote, which give the same picture', async () => {
    const { stdout } = await run('vote VAL1V4 --svg -');
    expect(stdout).to.equal((await card('vote VAL1V4', 'same.svg')).toString());
  });
});
