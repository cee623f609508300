import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pjson from '../../package.json' with { type: 'json' };
import { helpText } from '../../src/cli/help.ts';
import { subjectNames } from '../../src/cli/help-subjects.ts';
import { readManifest } from '../../src/cli/manifest.ts';
import { displayWidth } from '../../src/terminal/width.ts';
import { speechOf } from '../../src/words/speech.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = readManifest(root);

async function shown(words: string[], width = 80): Promise<string[]> {
  return (await helpText(words, { root, pjson }, { width, speech: speechOf('en') })).split('\n');
}

describe('help', () => {
  it('of the program has a line or two for each command', async () => {
    const lines = await shown([]);
    expect(lines.length).to.be.at.most(90);
    for (const id of Object.keys(manifest.commands))
      expect(lines.join('\n')).to.match(new RegExp(`^  ${id.split(':')[0]!}\\b`, 'm'));
  });

  it('of a command tells its own flags, and only names those that it shares', async () => {
    const lines = await shown(['vote']);
    expect(lines.length).to.be.at.most(50);
    expect(lines.some((line) => line.trimStart().startsWith('--card=FILE  '))).to.equal(true);
    expect(lines.join(' '), 'former names').not.to.match(/--svg|--png/);
    expect(lines.join(' ')).to.include('--max-age=DURATION').and.not.include('refuse a mirror that is older');
  });

  it('of commands that share a first word has examples first, too', async () => {
    for (const head of ['config', 'schedule', 'token', 'watch']) {
      const headings = (await shown([head])).filter((line) => /^[A-Z]+$/.test(line));
      expect(headings, head).to.deep.equal(['EXAMPLES', 'USAGE', 'COMMANDS']);
    }
  });

  it('on flags says what each shared one does', async () => {
    const text = (await shown(['flags'])).join('\n');
    const all = Object.values(manifest.commands).flatMap(({ flags }) => Object.values(flags));
    const shared = all.filter(({ helpGroup = '' }) => ['COMMON', 'OUTPUT', 'SOURCE'].includes(helpGroup));
    expect(shared).not.to.deep.equal([]);
    for (const { name } of shared) expect(text).to.match(new RegExp(`--(\\[no-\\])?${name}\\b`));
  });

  it('names every flag and argument of every command', async () => {
    for (const [id, command] of Object.entries(manifest.commands)) {
      const text = (await shown(id.split(':'))).join('\n');
      for (const name of Object.keys(command.flags)) expect(text, id).to.match(new RegExp(`-(\\[no-\\])?${name}\\b`));
      for (const name of Object.keys(command.args)) expect(text, id).to.include(name.toUpperCase());
    }
  });

  for (const width of [42, 60, 80, 100])
    it(`keeps to a width of ${width}, but for what is to be typed`, async () => {
      const commands = Object.keys(manifest.commands).map((id) => id.split(':'));
      for (const words of [[], ...subjectNames.map((name) => [name]), ...commands])
        for (const line of (await shown(words, width)).filter((each) => !/^ *\$ /.test(each)))
          expect(displayWidth(line), line).to.be.at.most(width);
    });

  it('has a page for each subject, which is no command', async () => {
    for (const name of subjectNames) {
      expect((await shown([name])).length).to.be.greaterThan(6);
      expect(Object.keys(manifest.commands)).not.to.include(name);
    }
  });

  it('tells words that begin no command', async () => {
    const helpOrMessage = (...words: string[]) => shown(words).catch(({ message }: Error) => message);
    expect(await helpOrMessage('sarch')).to.equal('unknown command "sarch"');
    expect(await helpOrMessage('config', 'lst')).to.equal('unknown command "config lst"');
  });

  it('is plain unless a style is given, which sets headings apart', async () => {
    const style = { width: 80, speech: speechOf('en'), bold: (text: string) => `<b>${text}</b>` };
    expect(await helpText(['vote'], { root, pjson }, style)).to.include('\n<b>EXAMPLES</b>\n');
    expect((await shown(['vote'])).join()).not.to.include('\u001b');
  });
});
