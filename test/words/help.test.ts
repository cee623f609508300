import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { helpText } from '../../src/cli/help.ts';
import { subjectNames } from '../../src/cli/help-subjects.ts';
import { frenchAreas, frenchWords, nameList } from '../../src/words/french.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';

type Described = { description?: string };
type Command = {
  summary: string;
  description?: string;
  examples?: Described[];
  flags: Record<string, Described>;
  args: Record<string, Described>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(`${root}${name}`, 'utf8'));
const program = { root, pjson: read('package.json') };

const commands = Object.entries(read('oclif.manifest.json').commands as Record<string, Command>);

/** Every text that help prints of a command, a line each, by where it stands. */
const texts = commands.flatMap(([id, { summary, description = '', examples = [], flags, args }]) => [
  { location: id, text: summary },
  ...description.split('\n').map((text) => ({ location: id, text })),
  ...examples.map(({ description: text }) => ({ location: `example of ${id}`, text })),
  ...Object.entries(flags).map(([name, { description: text }]) => ({ location: `${id} --${name}`, text })),
  ...Object.entries(args).map(([name, { description: text }]) => ({ location: `${id} ${name}`, text })),
]);

const pages = [[], ['flags'], ...subjectNames.map((name) => [name]), ['config'], ['token']];

/** Texts that help on `words` translates, beside what stands for values and is typed. */
async function textsOf(words: string[]): Promise<string[]> {
  const texts = new Set<string>();
  const word = (text: string) => {
    texts.add(text);
    return text;
  };
  const help = await helpText(words, program, { width: 80, speech: { ...speechOf('en'), word } });
  const sentences = [...texts].filter((text) => /[a-z].* /.test(text) && !/^( *\$|--)/.test(text));
  return [...sentences, ...help.split('\n').filter((line) => /^[A-Z][A-Z ,]+$/.test(line))];
}

describe('help in French', () => {
  it('tells every page: of the program, of each command and of each subject', async () => {
    for (const words of [...pages, ...commands.map(([id]) => id.split(':'))]) {
      const texts = await textsOf(words);
      expect(texts.length).to.be.greaterThan(1);
      expect(texts.filter((text) => frenchWords.word(text) === undefined)).to.deep.equal([]);
    }
  });

  it('tells every summary, description, example, flag and argument', () => {
    const missing = texts.filter(({ text }) => text && frenchWords.word(text) === undefined);
    expect(missing.map(({ location, text }) => `${location}: ${text}`)).to.deep.equal([]);
  });

  it('leaves what is typed as it is, and says in French what stands for a value', async () => {
    await loadLanguage('fr');
    const text = await helpText(['ballots'], program, { width: 80, speech: speechOf('fr') });
    expect(text)
      .to.include('$ hemicycle ballots [WORDS...] [OPTION…]')
      .and.include('--voted=GROUPE:POSITION...  ')
      .and.include('$ hemicycle ballots --margin 5 --sort margin');
  });

  it('tells no command and no flag that is gone', () => {
    const { description, oclif } = read('package.json');
    const topics = Object.values(oclif.topics as Record<string, Described>);
    const englishTexts = new Set([
      ...texts.map(({ text }) => text),
      description,
      ...topics.map((each) => each.description),
    ]);
    const translatedTexts = Object.keys(frenchAreas.cli!.help!);
    const written = new Set([...englishTexts].map((text) => text.replace(nameList, '{}')));
    expect(translatedTexts.filter((text) => !englishTexts.has(text) && !written.has(text))).to.deep.equal([]);
  });
});
