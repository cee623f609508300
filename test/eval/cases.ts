import { fold } from '../../src/language/fold.ts';
import { analyseLexeme, lexemes } from '../../src/language/prose.ts';
import type { Random } from '../helpers/random.ts';
import {
  absent,
  ballotsCalled,
  everyday,
  lawsCalled,
  numbersCalled,
  partiesCalled,
  partiesNicknamed,
  slipped,
  verbForms,
  whoSaid,
} from './newsroom.ts';
import type { Answered, Judged, Way } from './peers.ts';
import { slipIn } from './slips.ts';
import { paraphrases, questions, subjects } from './subjects.ts';
import { accentPairs, linesOf, otherWords, pairsOf, sameWord } from './word-pairs.ts';

/** One query of a group, and whether an answer to it is right; `null` instead of an answer where there was an error. */
export type Case = {
  group: string;
  query: string;
  /** True or 1 where the answer is as it should be, false or 0 where it is not, and between for what is ranked. */
  holds: (answered: Answered | null) => boolean | number;
  /** How it is asked; by words unless said otherwise. */
  searchMode?: Way;
};

/** The records of single words, by which pairs of words are judged: each holds one, in a sentence. */
export function wordTexts(): { id: string; title: string; text: string }[] {
  const all = [sameWord, otherWords, accentPairs].flatMap(linesOf).flat();
  return [...new Set(all)].map((word) => ({ id: word, title: '', text: `Ce texte dit ${word} une fois.` }));
}

/** Cases on single words: forms that meet, words that must not, and words told apart by accents. */
export function wordCases(): Case[] {
  const finds = (other: string) => (answered: Answered | null) =>
    answered?.hits.some(({ key }) => key === other) ?? false;
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
    const holds = (answered: Answered | null) => answered?.hits.slice(0, 10).some((each) => each.key === key) ?? false;
    const [first = '', ...laterWords] = title.split(' ');
    const last = laterWords.join(' ');
    const slipped = [first, ...laterWords.map((word) => (word.length > 4 ? slipIn(word, random) : word))].join(' ');
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
        answered.corrected.some(isIn) || answered.hits.slice(0, 3).some(({ title, text }) => isIn(`${title} ${text}`))
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
      const first = (answered?.hits ?? []).filter(({ key }) => saidBy.has(key)).slice(0, 10);
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
  ...['type:', 'type:x', 'party:', 'party:x', 'since:', 'since:x', 'type:"', '-type:ballot', 'a"b"c*', '""*', '" "'],
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
    answered !== null && answered.hits.length > 0 && answered.hits.every(test);
  const says = (text: Judged, soughtWord: string) =>
    lexemes(`${text.title} ${text.text}`).some((word) => analyseLexeme(word) === analyseLexeme(soughtWord));
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
  const saying = ([query, about]: [string, RegExp], group: string, searchMode: Way): Case => {
    const isAbout = (each: Judged) => saysOf(about)(each);
    const all = texts.filter(isAbout).length;
    return { group, query, searchMode, holds: (answered) => gain(answered?.hits ?? [], isAbout, all) };
  };
  return [
    ...questions.map((each) => saying(each, 'questions', 'words')),
    ...questions.map((each) => saying(each, 'questions meant', 'meaning')),
    ...paraphrases.map((each) => saying(each, 'paraphrases', 'meaning')),
    ...subjects.map((each) => saying(each, 'subjects', 'meaning')),
    ...everyday.map((each) => saying(each, 'everyday', 'words')),
    ...everyday.map((each) => saying(each, 'everyday meant', 'meaning')),
  ];
}

/** https://doi.org/10.1145/582415.582418 */
function gain(hits: Judged[], isAbout: (record: Judged) => boolean, all: number): number {
  const discounted = (places: boolean[]) =>
    places.reduce((sum, isGood, rank) => sum + (isGood ? 1 / Math.log2(rank + 2) : 0), 0);
  const best = Array.from({ length: Math.min(all, ranked) }, () => true);
  return discounted(hits.slice(0, ranked).map(isAbout)) / discounted(best);
}

const saysOf =
  (about: RegExp) =>
  ({ title, text, dossier }: Judged) =>
    about.test(`${title}\n${text}\n${dossier}`);

/** Letters of a surname that are typed of half a name, and names that may begin so. */
const leastTyped = 4;
const mostBegun = 8;

/** Cases on the beginnings of surnames, alone or behind a first name, that few people share: each is among the first. */
export function halfNameCases(people: Judged[], { count, random }: { count: number; random: Random }): Case[] {
  const wordsOf = ({ title }: Judged) => fold(title).split(/[^a-z]+/);
  const cases: Case[] = [];
  while (cases.length < count) {
    const { key, title } = random.pick(people);
    const [first = '', ...laterWords] = title.split(/[\s-]/);
    const last = laterWords.reduce((long, word) => (word.length > long.length ? word : long), '');
    const typed = fold(last).slice(0, Math.max(leastTyped, Math.ceil(last.length * 0.6)));
    const matchCount = people.filter((each) => wordsOf(each).some((word) => word.startsWith(typed))).length;
    if (typed.length >= last.length || matchCount > mostBegun || !/^[a-z]+$/.test(typed)) continue;
    const query = cases.length % 3 === 2 ? `${first} ${typed}` : typed;
    const holds = (answered: Answered | null) => answered?.hits.slice(0, 10).some((each) => each.key === key) ?? false;
    cases.push({ group: 'half names', query, holds });
  }
  return cases;
}

/** Cases on names that several people bear: all stand first. */
export function homonymCases(people: Judged[]): Case[] {
  const bearers = Map.groupBy(people, ({ title }) => fold(title));
  return [...bearers.values()]
    .filter(({ length }) => length > 1)
    .map((all) => ({
      group: 'homonyms',
      query: all[0]!.title,
      holds: (answered) => {
        const first = (answered?.hits ?? []).slice(0, all.length).map(({ key }) => key);
        return all.every(({ key }) => first.includes(key));
      },
    }));
}

/** Cases as a newsroom types them, over the records of a real parliament. */
export function newsroomCases(records: Judged[]): Case[] {
  const ofParty = ({ type }: Judged) => type === 'party';
  const texts = records.filter(({ type }) => ['content', 'speech', 'ballot'].includes(type));
  const ballots = texts.filter(({ type }) => type === 'ballot');
  const half = (group: string, among: Judged[], searchMode: Way) => {
    return ([query, about]: [string, RegExp]): Case => {
      const isAbout = saysOf(about);
      const enough = Math.min(5, among.filter(isAbout).length);
      const relevantHits = ({ hits }: Answered) =>
        hits
          .filter((each) => among === ballots || !['politician', 'party'].includes(each.type))
          .slice(0, 10)
          .filter(isAbout);
      return {
        group,
        query,
        searchMode,
        holds: (answered) => answered !== null && relevantHits(answered).length >= enough,
      };
    };
  };
  return [
    ...partiesCalled.map(([query, slugs]) => ({
      group: 'parties',
      query,
      holds: (answered: Answered | null) => {
        const [first] = (answered?.hits ?? []).slice(0, 5).filter(ofParty);
        return first !== undefined && slugs.split(' ').includes(first.key);
      },
    })),
    ...partiesNicknamed.map(([query, slugs]) => ({
      group: 'nicknames',
      query,
      holds: (answered: Answered | null) => {
        const [first] = (answered?.hits ?? []).slice(0, 5).filter(ofParty);
        const all = [...(answered?.suggested ?? []), ...(first ? [first.key] : [])];
        return all.some((slug) => slugs.split(' ').includes(slug));
      },
    })),
    ...verbForms.map(half('verbs', texts, 'words')),
    ...lawsCalled.map(half('laws', texts, 'words')),
    ...ballotsCalled.map(half('ballots', ballots, 'ballots')),
    ...whoSaid.map(([query, slug, about]) => ({
      group: 'who said what',
      query,
      holds: (answered: Answered | null) =>
        (answered?.hits ?? [])
          .filter(({ type }) => type === 'content' || type === 'speech')
          .slice(0, 5)
          .some((each) => each.politician === slug && about.test(each.text)),
    })),
    ...numbersCalled.map(half('numbers', texts, 'words')),
    ...slipped.map(([query, about]) => ({
      group: 'slips',
      query,
      holds: (answered: Answered | null) => (answered?.hits ?? []).slice(0, 3).some(saysOf(about)),
    })),
    ...absent.map((query) => ({ group: 'absent', query, holds: isHonest(query) })),
  ];
}

/** True of an answer whose first records hold every word of the query, or of which it says that they do not. */
export function isHonest(query: string): Case['holds'] {
  const tokensOf = (text: string) => lexemes(text).flatMap((word) => analyseLexeme(word).split(' '));
  const queryTokens = tokensOf(query).filter((token) => token.length > 2);
  return (answered) => {
    if (answered === null) return false;
    return answered.hits.slice(0, 10).every((each) => {
      const isNamed = each.type === 'politician' || each.type === 'party';
      if (isNamed ? answered.near.has(each.key) : answered.isRelaxed || answered.corrected.length > 0) return true;
      const recordTokens = new Set(tokensOf(`${each.title} ${each.text} ${each.dossier} ${each.politician}`));
      return queryTokens.every((token) => recordTokens.has(token));
    });
  };
}
