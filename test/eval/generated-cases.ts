import { acronymsIn } from '../../src/language/acronym.ts';
import { fold } from '../../src/language/fold.ts';
import { analyseLexeme, lexemes } from '../../src/language/prose.ts';
import { isStopWord } from '../../src/language/stop-words.ts';
import { type Document, documentsIn, textOf } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { rows } from '../../src/store/rows.ts';
import { dayText } from '../../src/words/figures.ts';
import { createRandom, type Random } from '../helpers/random.ts';
import { type Case, isHonest } from './cases.ts';
import type { Answered, Judged } from './peers.ts';

/** What the cases are drawn from: records by kind, and each text with its words. */
type Material = {
  random: Random;
  judged: ReadonlyMap<string, Judged>;
  people: Document[];
  groups: Document[];
  ballots: Document[];
  contents: Document[];
  /** The number of texts with each word, as written in lower case. */
  texts: ReadonlyMap<string, number>;
};

type Query = Omit<Case, 'group'>;
/** A group of cases: its name, and how one of them is drawn; null where the draw gives none. */
type Group = [name: string, draw: (material: Material) => Query | null];

const casesOfGroup = 20;
const mostDraws = 4000;
const first = 10;

/** Cases drawn from the records of a mirror by rules alone, the same for the same records: at most 20 of each group. */
export function generatedCases(mirror: Mirror, judged: ReadonlyMap<string, Judged>, groupPattern: RegExp): Case[] {
  const documents = (name: 'politician' | 'party' | 'ballot' | 'content') => [...rows(mirror, kindOf(name))];
  const contents = documents('content');
  const texts = new Map<string, number>();
  for (const each of contents)
    for (const word of new Set(lexemes(textOf(each, 'text') ?? ''))) texts.set(word, (texts.get(word) ?? 0) + 1);
  const groups = documents('party').filter((each) => textOf(each, 'chamber') === 'AN' && !textOf(each, 'end_date'));
  const material = { judged, people: documents('politician'), groups, ballots: documents('ballot'), contents, texts };
  return generatedGroups.flatMap(([name, draw], seed) => {
    const group = `drawn: ${name}`;
    if (!groupPattern.test(group)) return [];
    const random = createRandom(55 + seed);
    const queries = new Map<string, Query>();
    for (let draws = 0; draws < mostDraws && queries.size < casesOfGroup; draws += 1) {
      const query = draw({ ...material, random });
      if (query !== null && !queries.has(query.query)) queries.set(query.query, query);
    }
    return [...queries.values()].map((each) => ({ ...each, group }));
  });
}

type Test = (record: Judged) => boolean;
const isText: Test = ({ type }) => type !== 'politician' && type !== 'party';
const wholeText = ({ title, text, dossier }: Judged) => `${title}\n${text}\n${dossier}`;

/** True if one of the first records is one of those. */
const has =
  (test: Test, most = first) =>
  (answered: Answered | null) =>
    answered?.hits.slice(0, most).some(test) ?? false;
/** True if of the first five texts at least so many pass. */
const texts = (test: Test, least = 4) => {
  return (answered: Answered | null) => (answered?.hits ?? []).filter(isText).slice(0, 5).filter(test).length >= least;
};
const isKey = (key: string | null) => (record: Judged) => record.key === key;
const tokensByRecord = new WeakMap<Judged, string>();
const tokensOf = (text: string) => ` ${lexemes(text).map(analyseLexeme).join(' ')} `;
const says = (word: string): Test => {
  const tokens = tokensOf(word);
  return (record) => {
    const own = tokensByRecord.get(record) ?? tokensOf(wholeText(record));
    tokensByRecord.set(record, own);
    return own.includes(tokens);
  };
};
/** True if all texts of an answer without suggestions lack a word, and some have the other. */
const lacks = (word: string, other: string) => {
  const isWith = says(word);
  return (answered: Answered | null) => {
    const hits = answered?.hits.filter(isText) ?? [];
    return hits.length > 0 && hits.every((each) => !isWith(each)) && hits.some(says(other));
  };
};

const keyOfBallot = (ballot: Document) => `${textOf(ballot, 'chamber')}:${textOf(ballot, 'scrutin_id')}`;
const contentWord = (minLength: number) => new RegExp(`^\\p{Ll}{${minLength},}$`, 'u');

/** A word of a text that a few others have as well. */
function wordOf({ random, texts }: Material, text: string, { minLength = 6, least = 15, most = 2000 } = {}) {
  const isWord = contentWord(minLength);
  const words = lexemes(text).filter((word) => {
    const count = texts.get(word) ?? 0;
    return isWord.test(word) && !isStopWord(fold(word)) && count >= least && count <= most;
  });
  return words.length === 0 ? null : random.pick(words);
}

const textIn = ({ random, contents }: Material) => textOf(random.pick(contents), 'text') ?? '';

/** Two words of one text. */
function wordPair(material: Material): [string, string] | null {
  const text = textIn(material);
  const [one, other] = [wordOf(material, text), wordOf(material, text)];
  return one === null || other === null || analyseLexeme(one) === analyseLexeme(other) ? null : [one, other];
}

/** The acronym that a text defines, with its long form as written. */
function acronymOf(material: Material): { short: string; long: string } | null {
  const text = textIn(material);
  const [acronym] = acronymsIn(text);
  if (acronym === undefined) return null;
  const { length } = acronym.long.split(' ');
  const before = text.slice(0, text.search(new RegExp(`\\(${acronym.short}\\)`, 'i'))).trim();
  const long = new RegExp(`(?:[\\p{L}\\p{N}]+[^\\p{L}\\p{N}]+){${length - 1}}[\\p{L}\\p{N}]+$`, 'u').exec(before)?.[0];
  return long === undefined ? null : { short: acronym.short, long: long.replace(/\s+/g, ' ') };
}

const saysEither = ({ short, long }: { short: string; long: string }): Test => {
  const isWritten = [says(short.toUpperCase()), says(long)];
  return (record) => isWritten.some((test) => test(record));
};

/** An acronym and a word that at least two different texts have beside it or its long form. */
function acronymAndWord(material: Material) {
  const acronym = acronymOf(material);
  const word = wordOf(material, textIn(material), { least: 300 });
  if (acronym === null || word === null) return null;
  const [isEither, isWord] = [saysEither(acronym), says(word)];
  const isBoth: Test = (record) => isEither(record) && isWord(record);
  const content = [...material.judged.values()].filter(({ type }) => type === 'content');
  // One hit stands for all copies of a text.
  const all = new Set(content.filter(isBoth).map(({ text }) => text)).size;
  return all < 2 ? null : { acronym, word, holds: texts(isBoth, Math.min(all, 3)) };
}

/** The beginning of a word, and texts with any word that begins so. */
function begun(word: string, share: number) {
  const query = word.slice(0, Math.ceil(word.length * share));
  const isOne = (each: string) =>
    fold(each)
      .replace(/^.*['’]/, '')
      .startsWith(fold(query));
  const isBegun: Test = (record) => lexemes(wholeText(record)).some(isOne);
  return { query, isBegun, holds: texts(isBegun, 3) };
}

/** A member of the Assemblée with a department. */
const memberOf = ({ random, people }: Material, chamber: string) =>
  random.pick(people.filter((each) => textOf(each, 'chamber') === chamber && textOf(each, 'department')));

/** True for the profile of a member of a chamber for a department. */
function isMemberFor({ people }: Material, chamber: string, department: string | null): Test {
  const members = people.filter(
    (each) => textOf(each, 'chamber') === chamber && textOf(each, 'department') === department,
  );
  const slugs = new Set(members.map((each) => textOf(each, 'slug')));
  return ({ key, type }) => type === 'politician' && slugs.has(key);
}

const dated = ({ ballots, contents }: Material, day: string) => {
  const keys = new Set(ballots.filter((each) => textOf(each, 'date')?.startsWith(day)).map(keyOfBallot));
  for (const each of contents) if (textOf(each, 'date')?.startsWith(day)) keys.add(textOf(each, 'id')!);
  return ({ key }: Judged) => keys.has(key);
};
const dayOf = ({ random, ballots }: Material) => textOf(random.pick(ballots), 'date') ?? '';

/** A text of a current group, with a word of it. */
function groupAndWord(material: Material) {
  const { random, groups, contents } = material;
  const group = random.pick(groups);
  const slug = textOf(group, 'slug');
  const own = contents.filter((each) => textOf(each, 'party') === slug);
  const word = own.length < 50 ? null : wordOf(material, textOf(random.pick(own), 'text') ?? '', { least: 150 });
  if (word === null) return null;
  const ids = new Set(own.map((each) => textOf(each, 'id')));
  return { group, word, holds: texts((record) => ids.has(record.key) && says(word)(record), 3) };
}

const capitalised = (word: string) => word[0]!.toUpperCase() + word.slice(1);

const generatedGroups: Group[] = [
  [
    'role',
    (material) => {
      const { random, people } = material;
      const person = random.pick(
        people.filter((each) => /inistre|^Prési|^Vice/.test(textOf(each, 'current_role') ?? '')),
      );
      const [office = '', ministry = ''] = (textOf(person, 'current_role') ?? '').split(' · ');
      const field = /(?:de l['’]|du |de la |des |de )[^,]+/.exec(ministry)?.[0] ?? '';
      return { query: `${office.toLowerCase()} ${field}`.trim(), holds: has(isKey(textOf(person, 'slug'))) };
    },
  ],
  [
    'role of the department',
    (material) => {
      const person = memberOf(material, material.random.isOneIn(2) ? 'AN' : 'Senat');
      const [chamber, department] = [textOf(person, 'chamber')!, textOf(person, 'department')];
      const [office = ''] = (textOf(person, 'current_role') ?? '').split(' ');
      return { query: `${office} ${department}`, holds: has(isMemberFor(material, chamber, department), 1) };
    },
  ],
  [
    'place',
    (material) => {
      const department = textOf(memberOf(material, 'AN'), 'department');
      return { query: `députés ${department}`.toLowerCase(), holds: has(isMemberFor(material, 'AN', department), 3) };
    },
  ],
  [
    'role in a group',
    ({ random, people, groups }) => {
      const group = random.pick(groups);
      const slug = textOf(group, 'slug');
      const leads = (each: Document) =>
        documentsIn(each.affiliations).some(
          ({ party, role, end }) => party === slug && end === null && /^Président/.test(String(role)),
        );
      const leaders = new Set(people.filter(leads).map((each) => textOf(each, 'slug')));
      if (leaders.size === 0) return null;
      const query = `président du groupe ${textOf(group, random.isOneIn(2) ? 'short_name' : 'name')}`;
      return { query, holds: has(({ key }) => leaders.has(key), 3) };
    },
  ],
  [
    'day',
    (material) => {
      const day = dayOf(material);
      const [year, month, dayOfMonth] = day.split('-');
      const query = material.random.pick([
        `scrutins du ${dayText(day, 'fr').replace(/\u00a0/g, ' ')}`,
        dayText(day, 'fr').replace(/\u00a0/g, ' '),
        `${dayOfMonth}/${month}/${year}`,
      ]);
      return {
        query,
        holds: texts(dated(material, day), Math.min(4, material.ballots.filter((b) => b.date === day).length)),
      };
    },
  ],
  [
    'month',
    (material) => {
      const month = dayOf(material).slice(0, 7);
      const query = `scrutins ${dayText(month, 'fr')}`;
      return { query, holds: texts(dated(material, month), 3) };
    },
  ],
  [
    'word and month',
    (material) => {
      const { random, ballots } = material;
      const ballot = random.pick(ballots);
      const word = wordOf(material, textOf(ballot, 'title') ?? '', { least: 50, most: 20_000 });
      if (word === null) return null;
      const month = (textOf(ballot, 'date') ?? '').slice(0, 7);
      return { query: `${word} ${dayText(month, 'fr')}`, holds: texts((each) => dated(material, month)(each), 1) };
    },
  ],
  [
    'id',
    ({ random, contents, ballots }) => {
      const isBallot = random.isOneIn(2);
      const key = isBallot ? textOf(random.pick(ballots), 'scrutin_id')! : textOf(random.pick(contents), 'id')!;
      if (/^\d+-\d+$/.test(key)) return null;
      return {
        query: random.isOneIn(2) ? key : key.toLowerCase(),
        holds: has(({ key: each }) => each.endsWith(key), 1),
      };
    },
  ],
  [
    'ballot number',
    ({ random, ballots }) => {
      const ballot = random.pick(ballots.filter((each) => textOf(each, 'chamber') === 'AN'));
      const number = textOf(ballot, 'number');
      const query = random.pick([`scrutin n° ${number}`, `scrutin ${number}`, `scrutin public n°${number}`]);
      return { query, holds: has(isKey(keyOfBallot(ballot)), 3) };
    },
  ],
  [
    'amendment number',
    ({ random, contents }) => {
      const content = random.pick(contents);
      const number = /n° (\S+?),/.exec(textOf(content, 'title') ?? '')?.[1];
      if (number === undefined) return null;
      const query = random.pick([`amendement ${number}`, `amendement n° ${number}`, `amendement n°${number}`]);
      return { query, holds: has((record) => isText(record) && record.title.includes(`n° ${number}`), 1) };
    },
  ],
  [
    'acronym',
    (material) => {
      const acronym = acronymOf(material);
      return acronym && { query: acronym.short.toUpperCase(), holds: texts(saysEither(acronym), 1) };
    },
  ],
  [
    'acronym spelled out',
    (material) => {
      const acronym = acronymOf(material);
      return acronym && { query: acronym.long, holds: texts(saysEither(acronym), 1) };
    },
  ],
  [
    'acronym beside a word',
    (material) => {
      const drawn = acronymAndWord(material);
      return drawn && { query: `${drawn.acronym.long} ${drawn.word}`, holds: drawn.holds };
    },
  ],
  [
    'pasted sentence',
    (material) => {
      const { random, contents } = material;
      const content = random.pick(contents);
      const sentences = (textOf(content, 'text') ?? '')
        .split(/(?<=\.)\s+/)
        .filter(({ length }) => length > 70 && length < 400);
      if (sentences.length === 0) return null;
      const sentence = random.pick(sentences);
      // One hit stands for all copies of a text, whatever their white space.
      const isOf: Test = ({ text }) => text.replace(/\s+/g, ' ').includes(sentence.replace(/\s+/g, ' '));
      return { query: sentence, holds: has(isOf, 3) };
    },
  ],
  [
    'hashtag',
    (material) => {
      const pair = wordPair(material);
      const joined = pair && [capitalised(pair[0]), capitalised(pair[1])].join('');
      return pair && { query: `#${joined}`, holds: texts((each) => says(pair[0])(each) && says(pair[1])(each), 1) };
    },
  ],
  [
    'missing apostrophe',
    (material) => {
      const elided = lexemes(textIn(material)).filter((word) => /^[ld]['’]\p{Ll}{4,}$/u.test(word));
      if (elided.length === 0) return null;
      const word = material.random.pick(elided);
      return { query: word.replace(/['’]/, ''), holds: texts(says(word.slice(2)), 3) };
    },
  ],
  [
    'beginning of a word',
    (material) => {
      const word = wordOf(material, textIn(material), { minLength: 9, least: 40 });
      return word === null ? null : begun(word, 0.7);
    },
  ],
  ...['-', 'NOT ', 'SAUF ', 'sans ', 'sauf '].map(
    (operator): Group => [
      `without (${operator.trim()})`,
      (material) => {
        const pair = wordPair(material);
        if (pair === null) return null;
        const [word, other] = pair;
        return { query: `${word} ${operator}${other}`, holds: lacks(other, word) };
      },
    ],
  ),
  [
    'group and word',
    (material) => {
      const drawn = groupAndWord(material);
      return drawn && { query: `${textOf(drawn.group, 'short_name')} ${drawn.word}`, holds: drawn.holds };
    },
  ],
  [
    'group in full and word',
    (material) => {
      const drawn = groupAndWord(material);
      return drawn && { query: `${textOf(drawn.group, 'name')} ${drawn.word}`, holds: drawn.holds };
    },
  ],
  [
    'amendments of a group',
    (material) => {
      const drawn = groupAndWord(material);
      return drawn && { query: `amendements ${textOf(drawn.group, 'short_name')} ${drawn.word}`, holds: drawn.holds };
    },
  ],
  [
    'somebody and a word',
    (material) => {
      const content = material.random.pick(material.contents);
      const person = material.people.find((each) => each.slug === content.politician);
      const word = wordOf(material, textOf(content, 'text') ?? '');
      if (person === undefined || word === null) return null;
      return {
        query: `${textOf(person, 'last_name')} ${word}`,
        holds: texts((each) => each.politician === person.slug && says(word)(each), 1),
      };
    },
  ],
  [
    'names of nobody',
    ({ random, people }) => {
      const [one, other] = [random.pick(people), random.pick(people)];
      const name = `${textOf(one, 'first_name')} ${textOf(other, 'last_name')}`;
      const isName = people.some((each) => textOf(each, 'full_name') === name);
      return isName ? null : { query: name, holds: isHonest(name) };
    },
  ],
  [
    'words of no text',
    (material) => {
      const word = wordOf(material, textIn(material), { minLength: 7 });
      if (word === null) return null;
      const letters = [...word].reverse().join('');
      return material.texts.has(letters) ? null : { query: letters, holds: isHonest(letters) };
    },
  ],
  [
    'words in capitals',
    (material) => {
      const pair = wordPair(material);
      return (
        pair && {
          query: pair.join(' ').toUpperCase(),
          holds: texts((each) => pair.every((word) => says(fold(word))(each) || says(word)(each)), 1),
        }
      );
    },
  ],
  [
    'phrase',
    (material) => {
      const words = /\p{Ll}{4,} (?:de|du|des) \p{Ll}{4,}/u.exec(textIn(material))?.[0];
      return words === undefined ? null : { query: `"${words}"`, holds: texts(says(words), 1) };
    },
  ],
  [
    'article of a code',
    (material) => {
      const article = /\b[LR]\. ?\d+(?:-\d+)+/.exec(textIn(material))?.[0];
      return article === undefined ? null : { query: article, holds: texts(says(article), 1) };
    },
  ],
  [
    'quantity',
    (material) => {
      const quantity = /\b\d{1,3}(?: \d{3})* (?:euros|ans|%|millions|milliards|hectares|jours)/.exec(
        textIn(material),
      )?.[0];
      return quantity === undefined ? null : { query: quantity, holds: texts(says(quantity), 1) };
    },
  ],
  [
    'file',
    (material) => {
      const dossier = textOf(material.random.pick(material.contents), 'dossier');
      return dossier === null
        ? null
        : { query: dossier, holds: texts((each) => each.dossier === dossier || says(dossier)(each), 1) };
    },
  ],
  [
    'acronym and a word',
    (material) => {
      const drawn = acronymAndWord(material);
      return drawn && { query: `${drawn.acronym.short.toUpperCase()} ${drawn.word}`, holds: drawn.holds };
    },
  ],
  [
    'word and acronym spelled out',
    (material) => {
      const drawn = acronymAndWord(material);
      return drawn && { query: `${drawn.word} ${drawn.acronym.long}`, holds: drawn.holds };
    },
  ],
  [
    'part of a sentence',
    (material) => {
      const { random, contents } = material;
      const words = (textOf(random.pick(contents), 'text') ?? '').split(/\s+/);
      const length = 6 + random.integer(6);
      if (words.length < 4 * length) return null;
      const from = random.integer(words.length - length);
      const part = words.slice(from, from + length).join(' ');
      // A part that another mark or number interrupts would judge the reading of marks.
      if (!/^[\p{L}’' -]+$/u.test(part)) return null;
      const isPassage: Test = ({ text }) => fold(text).replace(/\s+/g, ' ').includes(fold(part));
      return { query: part, holds: has(isPassage, 1) };
    },
  ],
  [
    'sentence without marks',
    (material) => {
      const { random, contents } = material;
      const sentences = (textOf(random.pick(contents), 'text') ?? '')
        .split(/(?<=\.)\s+/)
        .filter((each) => each.length > 70 && each.length < 250 && /^[\p{L}\s,.’'-]+$/u.test(each));
      if (sentences.length === 0) return null;
      const sentence = random.pick(sentences);
      const query = sentence.toLowerCase().replace(/[,.]/g, '');
      return { query, holds: has(({ text }) => fold(text).includes(fold(sentence)), 3) };
    },
  ],
  [
    'half of a word',
    (material) => {
      const word = wordOf(material, textIn(material), { minLength: 10, least: 40 });
      return word === null ? null : begun(word, 0.55);
    },
  ],
  [
    'word and beginning of a word',
    (material) => {
      const text = textIn(material);
      const [other, word] = [
        wordOf(material, text, { least: 200 }),
        wordOf(material, text, { minLength: 9, least: 40 }),
      ];
      if (word === null || other === null || other === word) return null;
      const { query, isBegun } = begun(word, 0.7);
      return { query: `${other} ${query}`, holds: texts((each) => says(other)(each) && isBegun(each), 1) };
    },
  ],
  [
    'two words glued',
    (material) => {
      const pair = wordPair(material);
      return pair && { query: pair.join(''), holds: texts((each) => pair.every((word) => says(word)(each)), 1) };
    },
  ],
  [
    'hashtag in small letters',
    (material) => {
      const pair = wordPair(material);
      return pair && { query: `#${pair.join('')}`, holds: texts((each) => pair.every((word) => says(word)(each)), 1) };
    },
  ],
  [
    'missing apostrophe beside a word',
    (material) => {
      const text = textIn(material);
      const elided = lexemes(text).filter((each) => /^[ld]['’]\p{Ll}{4,}$/u.test(each));
      const word = wordOf(material, text);
      if (elided.length === 0 || word === null) return null;
      const other = material.random.pick(elided);
      const isBoth: Test = (each) => says(word)(each) && says(other.slice(2))(each);
      return { query: `${word} ${other.replace(/['’]/, '')}`, holds: texts(isBoth, 1) };
    },
  ],
  [
    'expression with sans',
    (material) => {
      const expression = /\p{Ll}{4,} sans \p{Ll}{4,}/u.exec(textIn(material))?.[0];
      return expression === undefined ? null : { query: expression, holds: has(says(expression), 5) };
    },
  ],
  [
    'number of a law',
    (material) => {
      const number = /\bn° ?((?:19|20)\d\d-\d+)/.exec(textIn(material))?.[1];
      if (number === undefined) return null;
      const query = material.random.pick([`loi ${number}`, `loi n° ${number}`, `loi n°${number}`, number]);
      return { query, holds: has((each) => wholeText(each).replace(/[‑–]/g, '-').includes(number), 3) };
    },
  ],
  [
    'article written otherwise',
    (material) => {
      const [article = '', letter, number] = /\b([LR])\. ?(\d+(?:-\d+)+)/.exec(textIn(material)) ?? [];
      if (article === '') return null;
      const written = material.random.pick([
        `${letter}${number}`,
        `${letter} ${number}`,
        `article ${letter}.${number}`,
        `art. ${letter}${number}`,
        `article ${letter!.toLowerCase()}. ${number}`,
      ]);
      return { query: written, holds: texts(says(article), 1) };
    },
  ],
  [
    'amount written otherwise',
    (material) => {
      const [amount = '', number = ''] = /\b(\d{1,3}(?: \d{3})+) euros/.exec(textIn(material)) ?? [];
      if (amount === '') return null;
      const digits = number.replaceAll(' ', '');
      const query = material.random.pick([`${digits} euros`, `${digits}€`, `${number} €`, `${digits} €`]);
      return { query, holds: texts((each) => says(amount)(each) || says(`${number} €`)(each), 1) };
    },
  ],
  [
    'group in small letters and word',
    (material) => {
      const drawn = groupAndWord(material);
      const short = drawn && textOf(drawn.group, 'short_name')?.toLowerCase();
      return drawn && { query: `${short} ${drawn.word}`, holds: drawn.holds };
    },
  ],
  [
    'law as texts call it',
    (material) => {
      const law = /\bloi \p{Lu}\p{Ll}{3,}(?: (?:\d|I{1,3}))?(?=[ ,.;)»])/u.exec(textIn(material))?.[0];
      if (law === undefined) return null;
      const query = material.random.isOneIn(2) ? law : law.toLowerCase();
      return { query, holds: texts(says(law), 1) };
    },
  ],
  [
    'hyphenated word',
    (material) => {
      const written = lexemes(textIn(material)).filter((each) => /^\p{Ll}{3,}-\p{Ll}{3,}$/u.test(each));
      if (written.length === 0) return null;
      const word = material.random.pick(written);
      const query = material.random.pick([word, word.replace('-', ' ')]);
      return { query, holds: texts(says(word), 1) };
    },
  ],
  [
    'words with a comma',
    (material) => {
      const pair = wordPair(material);
      return pair && { query: pair.join(', '), holds: texts((each) => pair.every((word) => says(word)(each)), 1) };
    },
  ],
];
