import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pageOf } from '../../src/cli/help.ts';
import { subjectNames } from '../../src/cli/help-subjects.ts';
import { helpText } from '../../src/cli/help-text.ts';
import { frenchRooms, frenchWords, nameList } from '../../src/words/french.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { pipe } from '../helpers/memory-sink.ts';

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

const manifest = read('oclif.manifest.json');
const pages = [
  '',
  'flags',
  ...subjectNames,
  'config',
  'token',
  ...commands.map(([id]) => id.replace(':', ' ')),
];

/** What a page says, beside what stands for values and is typed. */
function saidOn(words: string): string[] {
  const typed = words === '' ? [] : words.split(' ');
  const { summary, sections } = pageOf(typed, { program: { pjson: read('package.json') }, manifest });
  const items = sections.flatMap((section) => section.items).map(({ text }) => text);
  return [summary, ...sections.map(({ heading }) => heading), ...items].filter(
    (text) => text !== '' && !/^(\$|--)/.test(text),
  );
}

describe('help in French', () => {
  it('tells every page: of the program, of each command and of each subject', () => {
    const missing = pages.flatMap((words) =>
      saidOn(words)
        .filter((text) => frenchWords.word(text) === undefined)
        .map((text) => `${words}: ${text}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('tells every summary, description, example, flag and argument', () => {
    const missing = texts.filter(({ text }) => text && frenchWords.word(text) === undefined);
    expect(missing.map(({ place, text }) => `${place}: ${text}`)).to.deep.equal([]);
  });

  it('leaves what is typed as it is, and says in French what stands for a value', async () => {
    await loadLanguage('fr');
    const page = pageOf(['ballots'], { program: { pjson: read('package.json') }, manifest });
    const text = helpText(page, { ...pipe, speech: speechOf('fr') }, speechOf('fr'));
    expect(text)
      .to.include('$ hemicycle ballots [OPTION…]')
      .and.include('--voted GROUPE:POSITION  ')
      .and.include('$ hemicycle ballots --margin 5 --sort margin');
  });

  it('tells no command and no flag that is gone', () => {
    const { description, oclif } = read('package.json');
    const topics = Object.values(oclif.topics as Record<string, Described>);
    const known = new Set([
      ...texts.map(({ text }) => text),
      description,
      ...topics.map((each) => each.description),
    ]);
    const told = Object.keys(frenchRooms.cli!.help!);
    const written = new Set([...known].map((text) => text.replace(nameList, '{}')));
    expect(told.filter((text) => !known.has(text) && !written.has(text))).to.deep.equal([]);
  });
});
