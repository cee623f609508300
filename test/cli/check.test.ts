import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram, runAtTerminal } from '../helpers/program.ts';

const article = `# Séance

L’Assemblée nationale a adopté le texte par 59 voix contre 14 (scrutin n° 4 du 4 novembre 2025) <b>.

« On greffe en mars ce que l’on récoltera avec d’autres », et « nul ne l’a jamais dit ».
`;

describe('check --file', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let file: string;

  before(async () => {
    demo = await createDemoMirror();
    file = join(demo.folder, 'draft.md');
    writeFileSync(file, article);
  });

  after(() => demo.remove());

  const run = (argv: string[], options: { input?: string } = {}) =>
    askProgram(['check', ...argv, '--db', demo.db], { env: { HOME: demo.folder }, ...options });

  it('lists each passage with what the records say', async () => {
    const { stdout, exit } = await run(['--file', file, '--columns', 'line,result,id', '--format', 'csv']);
    expect(stdout).to.equal(
      'line,result,id\n3,contradicted,AN:VAL1V4\n5,exact,quote-camille-rouvre-01\n5,not-found,\n',
    );
    expect(exit).to.equal(0);
  });

  it('names in the table of a pipe whose words a quotation is', async () => {
    const input = '« On greffe en mars ce que », a dit Océane Bruyèvre.';
    const { stdout } = await run(['--file', '-'], { input });
    expect(stdout).to.match(/near .* quoted “Océane Bruyèvre”, recorded “Camille Rouvre” /);
  });

  it('says in a table what is not compared, in the language of the reader, and leaves files as they are', async () => {
    const input = 'Lors du scrutin n° 8 de l’Assemblée nationale, Octave Le Passeur a voté contre.';
    const columns = ['--file', '-', '--columns', 'result,differences'];
    const { stdout } = await run(columns, { input });
    expect(stdout).to.match(/near +not compared with the record: “a voté contre”$/m);
    expect((await run([...columns, '--lang', 'fr'], { input })).stdout).to.match(/«\s?a voté contre\s?»/);
    const csv = await run([...columns, '--format', 'csv'], { input });
    expect(csv.stdout).to.equal('result,differences\nnear,"[{""quoted"":""a voté contre"",""said"":""""}]"\n');
  });

  it('says where no ballot can be identified', async () => {
    const input = '« Oui ».\n\nLe texte a été adopté par 997 voix contre 998.';
    const { stdout } = await run(['--file', '-', '--format', 'markdown'], { input });
    expect(stdout).to.include('adopté par 997 voix contre 998.”\n\nno ballot identified\n');
    const rows = await run(['--file', '-', '--columns', 'result,type,id', '--format', 'csv'], { input });
    expect(rows.stdout).to.equal('result,type,id\nnot-found,ballot,\n');
  });

  it('reports in Markdown by passage, with the coverage and the source', async () => {
    const { stdout, stderr } = await run(['--file', '-', '--format', 'markdown'], { input: article });
    expect(stdout).to.include(
      '## “L’Assemblée nationale a adopté le texte par 59 voix contre 14 (scrutin n° 4 du 4 novembre 2025) &lt;b>.”\n\n' +
        "contradicted · l'ensemble du projet de loi relatif aux retraites des gardiens de phare et des éclusiers " +
        '(première lecture). · 4 November 2025 · ballot\n\nn° 4, adopté, 58 pour, 14 contre, 22 abstentions\n\n' +
        '  quoted “59 pour”, recorded “58 pour”\n',
    );
    expect(stdout).to.include('## “nul ne l’a jamais dit”\n\nnot found\n');
    expect(stdout).to.include('Source: ');
    expect(stderr).to.include('in this mirror quotes run from');
  });

  it('refuses a quotation beside a file', async () => {
    const { stdout, stderr, exit } = await run(['nul ne l’a jamais dit', '--file', file]);
    expect([stdout, exit]).to.deep.equal(['', 2]);
    expect(stderr).to.include('give a quotation or --file, not both');
  });

  it('says in French what is checked', async () => {
    const { stdout } = await run(['--file', file, '--format', 'markdown', '--lang', 'fr']);
    expect(stdout)
      .to.include('\ncontredit · ')
      .and.include('\nmot pour mot · Camille Rouvre')
      .and.include('\nintrouvable\n');
  });

  it('says the same to a French reader at a terminal and on a page, whose passages are marked', async () => {
    const words = ['check', '--file', file, '--lang', 'fr', '--no-pager', '--db', demo.db];
    const terminal = await runAtTerminal(words, { env: { HOME: demo.folder } });
    const page = await run(['--file', file, '--lang', 'fr', '--format', 'html']);
    for (const { stdout } of [terminal, page])
      expect(stdout)
        .to.include('n° 4, adopté, 58 pour, 14 contre, 22 abstentions')
        .and.include('cite ballot AN:VAL1V4');
    expect(page.stdout).to.include('n° 4 du 4 novembre 2025) &lt;b&gt;.</mark> <small>[contredit]</small>');
    const lines = stripVTControlCharacters(terminal.stdout).split(/[\r\n]+/);
    expect(lines.filter((line) => line.length > 100)).to.deep.equal([]);
  });

  it('refuses what is no text of an article', async () => {
    for (const input of ['', ' \n', 'PK\u0003\u0004\0\0', 'mot '.repeat(300_000)])
      expect((await run(['--file', '-'], { input })).exit, input.slice(0, 5)).to.equal(2);
    expect((await run(['--file', join(demo.folder, 'none.md')])).exit).to.equal(2);
  });
});
