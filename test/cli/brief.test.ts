import { expect } from 'chai';
import { openWatches } from '../../src/store/watch-book.ts';
import { createDemoMorning } from '../helpers/demo-morning.ts';
import { askProgram } from '../helpers/program.ts';

describe('hemicycle brief', () => {
  let demo: Awaited<ReturnType<typeof createDemoMorning>>;
  before(async () => {
    demo = await createDemoMorning();
  });
  after(() => demo.remove());
  const run = (...argv: string[]) => askProgram(argv, { env: { HOME: demo.folder, HEMICYCLE_DB: demo.db } });

  it('is Markdown in a pipe: sentences below a heading for each section, each with its link', async () => {
    const { stdout, exit } = await run('brief');
    expect(exit).to.equal(0);
    const headings = ['## Votes', '## Statements', '## Withdrawals', '## Edits', '## Contradictions'];
    expect(stdout.split('\n').filter((line) => line.startsWith('## '))).to.deep.equal(headings);
    expect(stdout).to.match(/^# what is new .*\n\n- \*\*command\*\*: hemicycle brief\n/);
    expect(stdout).to.match(
      /\n## Votes\n\nAdded: ballot, “l'ensemble .* `hemicycle show ballot AN:VAL1V90`\n\n## Stat/,
    );
    expect(stdout).to.match(/\nAdded: quote of .* https?:\/\/\S+\n/);
    expect(stdout).to.match(/\n\nSource: .*\n$/);
    expect((await run('brief', '--format', 'markdown')).stdout).to.equal(stdout);
  });

  it('is a page with the same sentences, and their addresses as links', async () => {
    const { stdout } = await run('brief', '--format', 'html');
    expect(stdout).to.match(/<h2>Votes<\/h2>\n<p>Added: ballot, “l/);
    expect(stdout).to.match(/<p>Added: quote of .* <a href="https?:[^"]+">http[^<]+<\/a><\/p>/);
    expect(stdout).to.not.include('<table');
    expect((await run('brief', '--format', 'html', '--columns', 'section,key')).stdout).to.include('<table');
    const { stdout: none } = await run('brief', '--format', 'html', '--since', '2026-11-03');
    expect(none).to.match(/<footer>\n<p>nothing found; /);
  });

  it('says how much it leaves out, and the line that shows it', async () => {
    const { stdout, stderr } = await run('brief', '-n', '2', '--since', 'last');
    expect(stdout).to.include('\nshown 2 of 5\n');
    expect(stderr).to.include('and 3 more: `hemicycle brief --since last --limit 5`\n');
    const { stdout: all } = await run('brief', '--since', 'last', '--limit', '5');
    expect(all.match(/^\w+: (ballot|quote|promise)/gm)).to.have.length(5);
  });

  it('is in the language of its reader', async () => {
    const { stdout } = await run('brief', '--lang', 'fr');
    expect(stdout).to.match(/\n## Votes\n\nAjout\s: scrutin, «\sl'ensemble .* Adopté\s: 22\spour, 3\scontre/);
    expect(stdout).to.include('Groupe rivages (20 sur 28)').and.to.include('## Déclarations');
    const [first] = JSON.parse((await run('brief', '--json')).stdout).items;
    expect([first.summary, first.summary_fr].map((text) => text.slice(0, 5))).to.deep.equal(['Added', 'Ajout']);
  });

  it('exits with 20 only if there is news and this is asked for', async () => {
    expect((await run('brief', '--exit-status', '--json')).exit).to.equal(20);
    const none = await run('brief', '--exit-status', '--since', '2026-11-03', '--quiet');
    expect([none.exit, none.stdout.split('\n').length]).to.deep.equal([0, 2]);
    expect(none.stderr).to.match(/^nothing found; this mirror has seen changes since 1 November 2026/);
  });

  it('has its rows in the formats of programs, and in a table of chosen columns', async () => {
    const { items, shown, total } = JSON.parse((await run('brief', '--json', '--limit', '1')).stdout);
    expect([items[0].key, items[0].section, shown, total]).to.deep.equal(['AN:VAL1V90', 'votes', 1, 5]);
    expect((await run('brief', '--format', 'csv')).stdout).to.match(/^section,summary,summary_fr,seen_at,.*\nvotes,/);
    expect((await run('brief', '--columns', 'section,key')).stdout).to.match(/^section +key\nvotes +AN:VAL1V90\n/);
  });

  it('is watched: a watch reports what a brief tells from then on', async () => {
    const added = await run(
      'watch',
      'add',
      'matin',
      'brief',
      '--from',
      '2026-11-02',
      '--file',
      `${demo.folder}/matin.atom`,
    );
    expect(added.exit, added.stderr).to.equal(0);
    expect((await run('watch', 'run')).stdout).to.include('5 changes');
    const { stdout } = await run('watch', 'test', 'matin');
    expect(stdout).to.not.include('VAL1V91');
    openWatches(demo.db).close();
    expect((await run('watch', 'add', 'soir', 'brief', '--since', '7d')).exit).to.equal(2);
  });
});
