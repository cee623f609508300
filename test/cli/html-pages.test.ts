import { expect } from 'chai';
import { readManifest } from '../../src/cli/manifest.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { saveDemoSubject } from '../helpers/demo-subject.ts';
import { tagsOf, textOfHtml } from '../helpers/html-tags.ts';
import { askProgram } from '../helpers/program.ts';

/** What a person types after the name of a command that needs words. */
const words: Record<string, string[]> = {
  ask: ['amendments-by-group'],
  check: ['pommes'],
  cite: ['AN:VAL1V4'],
  compare: ['ADR', 'PDV'],
  history: ['party', 'parti-du-verger'],
  open: ['src-an-scrutins'],
  records: ['party'],
  search: ['retraites'],
  show: ['politician', 'oceane-bruyevre'],
  'subject:show': ['veille'],
  sql: ['SELECT slug, name FROM parties'],
  text: ['retraites'],
  vote: ['VAL1V4'],
};

describe('every command that reads', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
    await saveDemoSubject(demo.db);
  });
  after(() => demo.remove());
  const run = (argv: string[]) => askProgram(argv, { env: { HEMICYCLE_DB: demo.db, HOME: demo.folder } });
  const { commands } = readManifest(process.cwd());
  const reading = Object.keys(commands).filter((id) => commands[id]!.flags.format?.options?.includes('markdown'));

  it('offers HTML wherever it offers Markdown', () => {
    expect(reading).to.include.members(['politicians', 'vote', 'status', 'sql', 'ask', 'show', ...Object.keys(words)]);
    for (const id of reading) expect(commands[id]!.flags.format!.options, id).to.include('html');
  });

  for (const id of reading)
    it(`writes ${id} as a whole document with its source, in the language asked for`, async () => {
      const argv = [...id.split(':'), ...(words[id] ?? []), '--format', 'html', '--lang', 'fr'];
      const { stdout, exit } = await run(argv);
      expect(exit).to.equal(0);
      expect(stdout).to.match(/^<!doctype html>\n<html lang="fr">[\s\S]*<\/html>\n$/);
      const tags = tagsOf(stdout);
      expect(tags.filter((tag) => tag.startsWith('h1'))).to.have.length(1);
      expect(tags.filter((tag) => tag === 'main')).to.have.length(1);
      expect(tags.filter((tag) => /^th(?!ead| scope="(col|row)")/.test(tag))).to.deep.equal([]);
      expect(tags.filter((tag) => tag.startsWith('script'))).to.deep.equal([]);
      expect(/<title>([^<]+)<\/title>/.exec(stdout)?.[1]).not.to.equal('Hemicycle');
      expect(textOfHtml(stdout)).to.match(/Source\s: /);
    });

  it('titles an answer by its question, and what is said of a record by that record', async () => {
    const titleOf = async (...argv: string[]) => {
      const { stdout } = await run([...argv, '--format', 'html']);
      return textOfHtml(/<title>[^<]+<\/title>/.exec(stdout)?.[0] ?? '');
    };
    expect(await titleOf('ask', 'amendments-by-group', '--lang', 'fr')).to.match(/amendements/i);
    expect(await titleOf('ask')).to.include(commands.ask!.summary);
    const { title } = JSON.parse((await run(['vote', 'VAL1V4', '--json'])).stdout).item;
    for (const argv of [['cite'], ['show'], ['open', '--print'], ['show', '--columns', 'title,date']])
      expect(await titleOf(...argv, 'AN:VAL1V4'), argv.join(' ')).to.include(title);
  });

  it('writes the names and words of its columns in the language asked for, and files in English', async () => {
    const page = async (...argv: string[]) => (await run([...argv, '--format', 'html', '--lang', 'fr'])).stdout;
    expect(await page('status'))
      .to.include('>détails<')
      .and.include('>responsable politique<')
      .and.not.match(/>(details|withdrawn|completeness|retrieved_at|imported)</);
    expect(await page('affiliations'))
      .to.include('<td>début</td>')
      .and.not.include('<td>began');
    expect(await page('changes', '--since', '2000-01-01')).to.include('<td>ajouté</td><td>scrutin</td>');
    expect((await run(['parties', 'ADR', '--format', 'csv'])).stdout.split('\n', 1)[0]).to.include('end_date');
    expect((await run(['affiliations', '--format', 'csv', '--lang', 'fr'])).stdout).to.include('began');
    expect((await run(['ballots', '--format', 'markdown'])).stdout)
      .to.match(/\|\n\n[^\n|]/)
      .and.match(/^\|.* voted /);
  });

  it('states in the page of a list what was cut, what it covers, and the command', async () => {
    const page = async (...argv: string[]) => textOfHtml((await run([...argv, '--format', 'html'])).stdout);
    expect(await page('politicians', '--limit', '2')).to.match(/shown 2 of \d+/);
    expect(await page('compare', 'ADR', 'PDV'))
      .to.include('in this mirror ballots of the')
      .and.include('agreement = same / n');
    expect(await page('ballots', '-q', 'zzzz'))
      .to.include('nothing found; in this mirror')
      .and.include('hemicycle ballots -q zzzz');
  });
});
