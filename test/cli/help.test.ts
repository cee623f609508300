import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pjson from '../../package.json' with { type: 'json' };
import { pageOf } from '../../src/cli/help.ts';
import { subjectNames } from '../../src/cli/help-subjects.ts';
import { helpText } from '../../src/cli/help-text.ts';
import { flagsIn, readManifest } from '../../src/cli/manifest.ts';
import { terminalOf } from '../../src/terminal/terminal.ts';
import { displayWidth } from '../../src/terminal/width.ts';
import { speechOf } from '../../src/words/speech.ts';

const manifest = readManifest(fileURLToPath(new URL('../..', import.meta.url)));
const screen = terminalOf({ isTTY: true, columns: 80 }, { TERM: 'dumb' });

function shown(...words: string[]): string[] {
  const page = pageOf(words, { program: { pjson }, manifest });
  return helpText(page, screen, speechOf('en')).split('\n');
}

describe('help', () => {
  it('of the program fits a screen, with a line for each command', () => {
    const lines = shown();
    expect(lines.length).to.be.at.most(60);
    for (const id of Object.keys(manifest.commands))
      expect(lines.join('\n')).to.match(new RegExp(`^  ${id.split(':')[0]!}\\b`, 'm'));
  });

  it('of a command tells its own flags, and only names those that it shares', () => {
    const lines = shown('vote');
    expect(lines.length).to.be.at.most(50);
    expect(lines.some((line) => line.trimStart().startsWith('--svg FILE  '))).to.equal(true);
    expect(lines.join(' ')).to.include('--max-age DURATION').and.not.include('refuse a mirror that is older');
  });

  it('on flags says what each shared one does', () => {
    const text = shown('flags').join('\n');
    const shared = Object.values(manifest.commands).flatMap((command) => flagsIn(command).shared);
    for (const { name } of shared) expect(text).to.match(new RegExp(`--(\\[no-\\])?${name}\\b`));
  });

  it('names every flag and argument of every command', () => {
    for (const [id, command] of Object.entries(manifest.commands)) {
      const text = shown(...id.split(':')).join('\n');
      for (const name of Object.keys(command.flags))
        expect(text, id).to.match(new RegExp(`-(\\[no-\\])?${name}\\b`));
      for (const name of Object.keys(command.args)) expect(text, id).to.include(name.toUpperCase());
    }
  });

  it('keeps to the width of the screen, but for what is to be typed', () => {
    for (const words of [
      [],
      ...subjectNames.map((name) => [name]),
      ...Object.keys(manifest.commands).map((id) => id.split(':')),
    ])
      for (const line of shown(...words).filter((each) => !each.includes('$ hemicycle')))
        expect(displayWidth(line), line).to.be.at.most(80);
  });

  it('has a page for each subject, which is no command', () => {
    for (const name of subjectNames) {
      expect(shown(name).length).to.be.greaterThan(6);
      expect(Object.keys(manifest.commands)).not.to.include(name);
    }
  });

  it('tells words that begin no command', () => {
    expect(() => shown('sarch')).to.throw('there is no command "sarch"');
    expect(() => shown('config', 'lst')).to.throw('there is no command "config lst"');
  });
});
