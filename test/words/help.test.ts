import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { frenchWords, wordTables } from '../../src/words/french/french.ts';

type Described = { description?: string };
type Command = {
  summary: string;
  description?: string;
  examples?: Described[];
  flags: Record<string, Described>;
  args: Record<string, Described>;
};

const read = (name: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8'));

const commands = Object.entries(read('oclif.manifest.json').commands as Record<string, Command>);

/** Every text that help prints of a command, a line each, by where it stands. */
const texts = commands.flatMap(([id, { summary, description = '', examples = [], flags, args }]) => [
  { place: id, text: summary },
  ...description.split('\n').map((text) => ({ place: id, text })),
  ...examples.map(({ description: text }) => ({ place: `example of ${id}`, text })),
  ...Object.entries(flags).map(([name, { description: text }]) => ({ place: `${id} --${name}`, text })),
  ...Object.entries(args).map(([name, { description: text }]) => ({ place: `${id} ${name}`, text })),
]);

describe('help in French', () => {
  it('tells every summary, description, example, flag and argument', () => {
    const missing = texts.filter(({ text }) => text && !Object.hasOwn(frenchWords.words, text));
    expect(missing.map(({ place, text }) => `${place}: ${text}`)).to.deep.equal([]);
  });

  it('tells no command and no flag that is gone', () => {
    const { description, oclif } = read('package.json');
    const topics = Object.values(oclif.topics as Record<string, Described>);
    const known = new Set([
      ...texts.map(({ text }) => text),
      description,
      ...topics.map((each) => each.description),
    ]);
    const told = Object.keys({ ...wordTables.help, ...wordTables.helpOfFlags });
    expect(told.filter((text) => !known.has(text))).to.deep.equal([]);
  });
});
