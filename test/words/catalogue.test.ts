import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { kinds } from '../../src/model/kinds.ts';
import { questions } from '../../src/questions/table.ts';
import words from '../../src/words/french/words.json' with { type: 'json' };
import { frenchAreas, frenchWords } from '../../src/words/french.ts';
import { nouns } from '../../src/words/nouns.ts';
import { loadLanguage, say, textIn } from '../../src/words/speech.ts';
import { messageKeysIn } from '../helpers/message-templates.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The English of every `say` in the sources, with `{}` for each value. */
const englishPhrases = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => messageKeysIn(readFileSync(join(src, path), 'utf8')).map((key) => ({ path, key })));

const entries = Object.entries(frenchAreas).flatMap(([room, { phrases, words, help }]) =>
  Object.entries({ ...phrases, ...words, ...help }).map(([key, french]) => ({ room, key, french })),
);

/** The places of a template, by number: `{}` is the next one. */
function placesOf(template: string): number[] {
  let next = 0;
  return [...template.matchAll(/\{(\d*)\}/g)].map(([, at]) => (at === '' ? next++ : Number(at))).sort();
}

describe('what is told in French', () => {
  it('covers every sentence that the sources say', () => {
    const missing = englishPhrases.filter(({ key }) => !Object.hasOwn(frenchWords.phrases, key));
    expect(missing.map(({ path, key }) => `${path}: ${key}`)).to.deep.equal([]);
  });

  it('holds no sentence that nobody says', () => {
    const phraseKeys = new Set(englishPhrases.map(({ key }) => key));
    const unused = Object.keys(frenchWords.phrases).filter((key) => !phraseKeys.has(key));
    expect(unused).to.deep.equal([]);
  });

  it('has each value of the English once', () => {
    const wrong = Object.entries(frenchWords.phrases).filter(
      ([key, french]) => placesOf(french).join() !== placesOf(key).join(),
    );
    expect(wrong).to.deep.equal([]);
  });

  describe('agrees with its numbers', () => {
    before(() => loadLanguage('fr'));

    /** Words with a final s or x in the singular, too. */
    const invariable = 'dans des du exclus fois frais mais mois pas plus puis requis sans sous vers voix'.split(' ');

    /** The French of a phrase whose values are all the same number. */
    const filled = (key: string, value: string) => {
      const parts = key.split(/\{\d*\}/);
      return textIn(say(parts as unknown as TemplateStringsArray, ...parts.slice(1).map(() => value)), 'fr');
    };
    const counting = Object.entries(frenchWords.phrases).filter(([, french]) => /\{[^{}]*\|/.test(french));

    it('has no plural beside a number that may be one', () => {
      const plurals = Object.values(frenchWords.phrases).filter((french) =>
        [...french.matchAll(/\{\d*\}[\s\u00a0](\p{L}+)(?![\p{L}{’])/gu)].some(
          ([, word = '']) => /.[sx]$/.test(word) && !['critères', 'depuis', ...invariable].includes(word),
        ),
      );
      expect(plurals.filter((french) => !/\{\} des \{\}/.test(french))).to.deep.equal([]);
    });

    it('is singular for 0, 1 and 1,5 and plural for 2, 11 and 1 234, in every sentence that counts', () => {
      // A word joiner ends each number: in some sentences numbers touch.
      const numbers = ['0', '1', '1,5', '2', '11', '1\u202f234'].map((number) => `${number}\u2060`);
      const wrong = counting.filter(([key]) => {
        const [none, one, half, two, ...many] = numbers.map((each) => filled(key, each).replaceAll(each, '#'));
        const isSingular = none === one && one === half;
        return !isSingular || one === two || many.some((text) => text !== two) || /[{}|]/.test(`${one}${two}`);
      });
      expect(counting).to.have.length.above(70);
      expect(wrong).to.deep.equal([]);
    });

    it('takes the number before it, or the one that it names', () => {
      const imported = (...[kind, added, changed, unchanged]: [string, number, number, number]) =>
        textIn(say`${kind}: ${added} added, ${changed} changed, ${unchanged} unchanged`, 'fr');
      expect([imported('votes', 0, 1, 2), imported('partis', 2, 0, 1)]).to.deep.equal([
        'votes\u00a0: 0 ajout, 1 modification, 2 sans changement',
        'partis\u00a0: 2 ajouts, 0 modification, 1 sans changement',
      ]);
      const listed = (voters: number) => textIn(say`; ${voters} of ${577} members listed voted or abstained`, 'fr');
      expect([listed(1), listed(2)]).to.deep.equal([
        '\u00a0; 1 des 577 membres listés a voté ou s’est abstenu',
        '\u00a0; 2 des 577 membres listés ont voté ou se sont abstenus',
      ]);
    });
  });

  it('stands in one room only', () => {
    for (const section of ['phrases', 'words'] as const) {
      const keys = Object.values(frenchAreas).flatMap((room) => Object.keys(room[section] ?? {}));
      expect(keys.filter((key, at) => keys.indexOf(key) !== at)).to.deep.equal([]);
    }
  });

  it('is set as French is: typographic apostrophes and quotation marks, and a space before high signs', () => {
    const prose = (text: string) => text.replace(/`[^`]*`|https?:\/\/\S+|\{\d*\}/g, 'x');
    const wrong = entries.filter(({ french }) =>
      /\p{L}'\p{L}|"|[“”]|\.\.\.|[\p{L}\d)»][;!?]|\p{L}:(?!\S)|«\S|\S»/u.test(prose(french)),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('names every kind of record', () => {
    const names = kinds.flatMap(({ name, plural }) => [name, plural]);
    expect(names.filter((name) => frenchWords.word(name) === undefined)).to.deep.equal([]);
  });

  it('counts the same nouns as English', () => {
    expect(Object.keys(words.nouns)).to.have.members(Object.keys(nouns));
  });

  it('has a heading for every column of a list', () => {
    const columns = questions.flatMap((question) =>
      question.answers === 'list' ? [...question.columns, ...(question.fields ?? []).map(({ name }) => name)] : [],
    );
    const missing = columns.filter((name) => !Object.hasOwn(words.fields, name) && !Object.hasOwn(words.headers, name));
    expect([...new Set(missing)]).to.deep.equal([]);
  });
});
