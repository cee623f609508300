import { fold } from '../../src/language/fold.ts';
import { analyseLexeme, lexemes } from '../../src/language/prose.ts';
import type { Random } from '../helpers/random.ts';
import type { Answered, Judged } from './peers.ts';
import { slipIn } from './slips.ts';
import { paraphrases, questions, subjects } from './subjects.ts';
import { accentPairs, linesOf, otherWords, pairsOf, sameWord } from './word-pairs.ts';

/** One query of a group, and whether an answer to it is right; `null` instead of an answer where there was an error. */
export type Case = {
  group: string;
  query: string;
  /** True or 1 where the answer is as it should be, false or 0 where it is not, and between for what is ranked. */
  holds: (answered: Answered | null) => boolean | number;
  /** True where it is asked by meaning. */
  isMeant?: boolean;
};

/** The records of single words, by which pairs of words are judged: each holds one, in a sentence. */
export function wordTexts(): { id: string; title: string; text: string }[] {
  const all = [sameWord, otherWords, accentPairs].flatMap(linesOf).flat();
  return [...new Set(all)].map((word) => ({ id: word, title: '', text: `Ce texte dit ${word} une fois.` }));
}

/** Cases on single words: forms that meet, words that must not, and words told apart by accents. */
export function wordCases(): Case[] {
  const finds = (other: string) => (answered: Answered | null) =>
    answered?.found.some(({ key }) => key === other) ?? false;
  const meets = linesOf(sameWord).flatMap(pairsOf);
  const apart = linesOf(otherWords).flatMap(pairsOf);
  const accented = linesOf(accentPairs);
  return [
    ...meets.map(([query, other]) => ({ group: 'inflection', query, holds: finds(other) })),
    ...apart.map(([query, other]) => ({
      group: 'precision',
      query,
      holds: (answered: Answered | null) => answered !== null && !finds(other)(answered),
    })),
    // Who leaves an accent out asks for both; who types one asks for that word.
    ...accented.flatMap(([one, other]) => [
      {
        group: 'accents',
        query: one!,
        holds: (answered: Answered | null) => finds(one!)(answered) && !finds(other!)(answered),
      },
      {
        group: 'accents',
        query: fold(one!),
        holds: (answered: Answered | null) => finds(one!)(answered) && finds(other!)(answered),
      },
    ]),
  ];
}

/** Cases on the names of people: each in ways that people type them, and with a slip in it. */
export function nameCases(people: Judged[], random: Random): Case[] {
  return people.flatMap(({ key, title }) => {
    const holds = (answered: Answered | null) =>
      answered?.found.slice(0, 10).some((each) => each.key === key) ?? false;
    const [first = '', ...rest] = title.split(' ');
    const last = rest.join(' ');
    const slipped = [first, ...rest.map((word) => (word.length > 4 ? slipIn(word, random) : word))].join(' ');
    const variants = [
      fold(title),
      `${last} ${first}`,
      title.replace(/[-'’]/g, ' '),
      last.toUpperCase(),
      `${first[0]}. ${last}`,
      `M. ${title}`,
    ];
    return [
      { group: 'names', query: random.pick(variants), holds },
      { group: 'typos in names', query: slipped, holds },
    ];
  });
}

/** Words as they are misspelt by ear, each with the word that is meant. */
const misheard = [
  ['fotovoltaique', 'photovoltaïque'],
  ['filosofie', 'philosophie'],
  ['téléfone', 'téléphone'],
  ['pharmassie', 'pharmacie'],
  ['propriétère', 'propriétaire'],
  ['cotisassion', 'cotisation'],
  ['rénumération', 'rémunération'],
  ['tendence', 'tendance'],
  ['gouvernemant', 'gouvernement'],
  ['enviroment', 'environnement'],
  ['imigration', 'immigration'],
  ['ygiène', 'hygiène'],
] as const;

/** Cases on words that texts of a real parliament hold, misspelt by ear. */
export function misheardCases(): Case[] {
  return misheard.map(([query, word]) => slipCase(query, word));
}

/** Cases on words of texts with a slip in them: the word is found, or the answer says that it was looked for. */
export function slipCases(words: readonly string[], random: Random): Case[] {
  return words.map((word) => slipCase(slipIn(word, random), word));
}

function slipCase(query: string, word: string): Case {
  return {
    group: 'typos in prose',
    query,
    holds: (answered) => {
      const token = analyseLexeme(word);
      const isIn = (text: string) => lexemes(text).some((each) => analyseLexeme(each) === token);
      if (answered === null) return false;
      return (
        answered.corrected.some(isIn) ||
        answered.found.slice(0, 3).some(({ title, text }) => isIn(`${title} ${text}`))
      );
    },
  };
}

/** Cases on plain words: 7 of the first 10 texts hold the words themselves, or all that do where fewer of them do. */
export function ownWordCases(queries: readonly string[], records: readonly Judged[]): Case[] {
  const texts = records.filter(({ type }) => type !== 'politician' && type !== 'party');
  const tokensOf = (text: string) => lexemes(text).flatMap((word) => analyseLexeme(word).split(' '));
  const saidBy = new Map(texts.map((each) => [each.key, new Set(tokensOf(each.text))]));
  return queries.map((query) => ({
    group: 'own words',
    query,
    holds: (answered) => {
      const tokens = tokensOf(query);
      const isHeld = ({ key }: Judged) => tokens.every((token) => saidBy.get(key)?.has(token));
      const first = (answered?.found ?? []).filter(({ key }) => saidBy.has(key)).slice(0, 10);
      return first.filter(isHeld).length >= Math.min(7, texts.filter(isHeld).length);
    },
  }));
}

const hostile = [
  ...[
    '"',
    '"""',
    '*',
    '(',
    ')',
    'a*',
    '*a',
    'AND',
    'OR',
    'NOT',
    'NEAR(a b)',
    'name:x',
    'x:y',
    '^a',
    '-',
    '--',
    '-"',
    '+',
  ],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '{title}:x',
    'port"',
    "l'",
    "d'",
    '’',
    '…',
    '%',
    '_',
    ';',
    "'; DROP TABLE x; --",
  ],
  ...[
    'type:',
    'type:x',
    'party:',
    'party:x',
    'since:',
    'since:x',
    'type:"',
    '-type:ballot',
    'a"b"c*',
    '""*',
    '" "',
  ],
  ...[
    '1/2',
    '49.3',
    '50 000',
    'é'.repeat(500),
    'a '.repeat(500),
    '(('.repeat(200),
    '-a -b',
    'port -',
    '\u00a0',
    'ﬁ',
    '日本',
  ],
];

/** Cases on signs that mean something elsewhere: none is an error. */
export function hostileCases(): Case[] {
  return hostile.map((query) => ({ group: 'operators', query, holds: (answered) => answered !== null }));
}

/** Cases on operators: every one of the first texts is as they say. */
export function operatorCases(word: string, other: string): Case[] {
  const each = (test: (text: Judged) => boolean) => (answered: Answered | null) =>
    answered !== null && answered.found.length > 0 && answered.found.every(test);
  const says = (text: Judged, said: string) =>
    lexemes(`${text.title} ${text.text}`).some((word) => analyseLexeme(word) === analyseLexeme(said));
  const cases: [string, (text: Judged) => boolean][] = [
    [`${word} -${other}`, (text) => !says(text, other)],
    [`${word} type:content`, ({ type }) => type === 'content'],
    [`${word} type:ballot`, ({ type }) => type === 'ballot'],
    [`type:content,speech ${word}`, ({ type }) => type === 'content' || type === 'speech'],
    [`${word.slice(0, 4)}*`, () => true],
    [`"${word}"`, () => true],
    [`${word} since:1990`, () => true],
    [`${word} -"${other}"`, (text) => !says(text, other)],
  ];
  return cases.map(([query, test]) => ({ group: 'operators', query, holds: each(test) }));
}

const ranked = 20;

/** Plain questions and paraphrases, judged by how high what is about them stands: nDCG of the first 20. */
export function meaningCases(records: Judged[]): Case[] {
  const texts = records.filter(({ type }) => type === 'content' || type === 'speech');
  const saying = ([query, about]: [string, RegExp], group: string, isMeant: boolean): Case => {
    const isAbout = ({ title, text }: Judged) => about.test(`${title}\n${text}`);
    const all = texts.filter(isAbout).length;
    return { group, query, isMeant, holds: (answered) => gain(answered?.found ?? [], isAbout, all) };
  };
  return [
    ...questions.map((each) => saying(each, 'questions', false)),
    ...questions.map((each) => saying(each, 'questions meant', true)),
    ...paraphrases.map((each) => saying(each, 'paraphrases', true)),
    ...subjects.map((each) => saying(each, 'subjects', true)),
  ];
}

/** https://doi.org/10.1145/582415.582418 */
function gain(found: Judged[], isAbout: (record: Judged) => boolean, all: number): number {
  const discounted = (places: boolean[]) =>
    places.reduce((sum, isGood, place) => sum + (isGood ? 1 / Math.log2(place + 2) : 0), 0);
  const best = Array.from({ length: Math.min(all, ranked) }, () => true);
  return discounted(found.slice(0, ranked).map(isAbout)) / discounted(best);
}
