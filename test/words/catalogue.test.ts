import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { kinds } from '../../src/model/kinds.ts';
import { questions } from '../../src/questions/table.ts';
import words from '../../src/words/french/words.json' with { type: 'json' };
import { frenchAreas, frenchWords } from '../../src/words/french.ts';
import { saidIn } from '../helpers/said.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The English of every `say` in the sources, with `{}` for each value. */
const englishPhrases = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => saidIn(readFileSync(join(src, path), 'utf8')).map((key) => ({ path, key })));

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
    expect(names.filter((name) => !Object.hasOwn(frenchWords.words, name))).to.deep.equal([]);
  });

  it('has a heading for every column of a list', () => {
    const columns = questions.flatMap((question) =>
      question.answers === 'list' ? [...question.columns, ...(question.fields ?? []).map(({ name }) => name)] : [],
    );
    const missing = columns.filter((name) => !Object.hasOwn(words.fields, name) && !Object.hasOwn(words.headers, name));
    expect([...new Set(missing)]).to.deep.equal([]);
  });
});
