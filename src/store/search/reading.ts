import { fold } from '../../language/fold.ts';
import { type Interpretation, parseQuery, type Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { findKindByWord, type Kind } from '../../model/kinds.ts';
import { splitDays } from '../../model/moment.ts';
import { say } from '../../words/speech.ts';
import type { Mirror } from '../mirror.ts';
import { allOf, inValues, type Sql } from '../page.ts';
import { indexedKinds, indexParts, matchingIdsSql } from '../word-index/search-index.ts';
import { matchExpression, textOfTerms } from './expression.ts';
import type { StepDescription } from './steps.ts';

/** A parsed query; `step` turned its key, ballot number or date into `condition` (SQL on `id`). */
export type Reading = {
  query: Query;
  condition?: Sql;
  /** The kinds to search instead of the requested ones; set if the query is a key or number. */
  kinds?: readonly Kind[];
  step?: StepDescription;
  interpretations: Interpretation[];
};

/** The kinds to search for words, and those whose records a key or number may name. */
type QueryKinds = { kinds: readonly Kind[]; referableKinds: readonly Kind[] };

/** A step that reads the text of a query; `read` returns null if the step does not apply. */
type QueryStep = StepDescription & { read: (mirror: Mirror, text: string, kinds: QueryKinds) => Reading | null };

/** Steps that read a whole query before its words are searched; the first whose reading has a match applies. */
export const querySteps: readonly QueryStep[] = [
  {
    name: 'reference', // scrutin n° 3691
    purpose: say`a key, or the number of a ballot`,
    read: readReference,
  },
  {
    name: 'period', // scrutins du 23 janvier 2025
    purpose: say`a day or month, beside words`,
    read: readPeriod,
  },
];

const ballotNumber = /^(?:le\s+)?(?:scrutin|vote)s?(?:\s+publics?)?\s+(?:n(?:°|º|o|uméro|umero)?\s*)?(\d{1,5})$/i;
const keyPattern = /^(?=.*\d)(?=.*\p{L}|\d+-\d+$)[\p{L}\d:_-]{5,80}$/u; // with a digit and a letter, or two numbers

/** Words that make a date no period: it is part of a name (loi du 9 décembre 1905) or only one end (avant). */
const nonPeriodWord = /^(?:lois?|décrets?|ordonnances?|arrêtés?|décisions?|avant|après|depuis|jusqu.*)$/i;
const weekdayWord = /^(?:lun|mar|mercre|jeu|vendre|same)di|dimanche$/i;

/** Reads a query by the first of `querySteps` that applies and has matches; else, or with quotes, as words only. */
export function readQuery(mirror: Mirror, text: string, kinds: readonly Kind[], referableKinds = kinds): Reading {
  if (text.includes('"')) return { query: parseQuery(text), interpretations: [] };
  for (const step of querySteps) {
    const reading = step.read(mirror, text.trim(), { kinds, referableKinds });
    if (reading !== null && hasMatch(mirror, reading, kinds)) return excludeWordAfterSans(mirror, { ...reading, step });
  }
  return excludeWordAfterSans(mirror, { query: parseQuery(text), interpretations: [] });
}

/** `sans X` is an expression (sans emploi) if more than this share of the records with X contain it. */
const minShareOfExpression = 0.003;

/** Excludes the word X after `sans`, unless `sans X` is an expression, or a record has it after the same word. */
function excludeWordAfterSans(mirror: Mirror, reading: Reading): Reading {
  const { query, interpretations } = reading;
  const { terms, excluded } = query;
  const sansIndex = terms.findIndex(({ text, phrase }, at) => at > 0 && !phrase && fold(text) === 'sans');
  const wordIndex = sansIndex < 0 ? -1 : terms.findIndex(({ text }, at) => at > sansIndex && !isStopWord(fold(text)));
  if (wordIndex < 0) return reading;
  const word = terms[wordIndex]!.text;
  const phraseFrom = (from: number) => textOfTerms(terms.slice(from, wordIndex + 1));
  const isExpression =
    countRecords(mirror, phraseFrom(sansIndex - 1)) > 0 ||
    countRecords(mirror, phraseFrom(sansIndex)) > minShareOfExpression * countRecords(mirror, word);
  if (isExpression) return reading;
  const otherTerms = terms.filter((_, at) => at < sansIndex || at > wordIndex);
  return {
    ...reading,
    query: { ...query, terms: otherTerms, excluded: [...excluded, terms[wordIndex]!] },
    interpretations: [...interpretations, { words: phraseFrom(sansIndex), as: 'exclusion', values: [word] }],
  };
}

/** The number of records that contain a phrase. */
function countRecords(mirror: Mirror, phrase: string): number {
  const match = matchExpression(parseQuery(`"${phrase}"`));
  const { sql, parameters } = matchingIdsSql(indexParts(mirror), match ?? '""', [...indexedKinds]);
  return mirror.column<number>(`SELECT count(*) FROM record WHERE ${sql}`).get(...parameters)!;
}

/** The condition on `id` that records meet `condition` and, unless `match` is null, are of `kinds` and match it. */
export function conditionSql(mirror: Mirror, match: string | null, reading: Pick<Reading, 'condition' | 'kinds'>): Sql {
  const { condition, kinds = [] } = reading;
  const matchConditions = match === null ? [] : [matchingIdsSql(indexParts(mirror), match, kinds)];
  return allOf(condition === undefined ? matchConditions : [...matchConditions, condition]);
}

function hasMatch(mirror: Mirror, reading: Reading, kinds: readonly Kind[]): boolean {
  const { sql, parameters } = conditionSql(mirror, matchExpression(reading.query), { ...reading, kinds });
  return mirror.sql(`SELECT 1 FROM record WHERE withdrawn IS NULL AND ${sql} LIMIT 1`).get(...parameters) !== undefined;
}

/** Reads a whole query as a ballot number or as a key in any case, with or without its prefix; null for other text. */
function readReference(mirror: Mirror, text: string, { referableKinds: kinds }: QueryKinds): Reading | null {
  const [, number] = ballotNumber.exec(text) ?? [];
  const ids = number === undefined ? [] : ballotIds(mirror, number);
  const spellings = keyPattern.test(text) ? [text, text.toUpperCase(), text.toLowerCase()] : [];
  const keys = spellings.flatMap((spelling) => ['', 'AN:', 'Senat:', 'PE:'].map((prefix) => prefix + spelling));
  if (ids.length + keys.length === 0) return null;
  const condition = idConditionSql(kinds, ids.length > 0 ? inValues('id', ids) : inValues('key', keys));
  const interpretation: Interpretation = { words: text, as: 'reference', values: [number ?? text] };
  return { query: parseQuery(''), condition, kinds, interpretations: [interpretation] };
}

/** Ids of the ballots with a number; all numbers are cached until the next write. */
export function ballotIds(mirror: Mirror, number: string): number[] {
  const sql = `SELECT id, CAST(json_extract(coalesce(row, detail), '$.number') AS TEXT) AS number
    FROM record WHERE kind = 'ballot' AND withdrawn IS NULL`;
  const read = () => mirror.sql<{ id: number; number: string | null }>(sql).all();
  const idsByNumber = mirror.readOnce('ballots by number', () => Map.groupBy(read(), (each) => each.number));
  return (idsByNumber.get(number) ?? []).map(({ id }) => id);
}

/** Reads a day or month and other words, the first of which may name a kind; null without a day or month. */
function readPeriod(_mirror: Mirror, text: string, { kinds }: QueryKinds): Reading | null {
  const typedWords = text.split(/\s+/);
  const { words: wordsOutsideDate, days } = splitDays(typedWords);
  if (days === null || wordsOutsideDate.some((word) => nonPeriodWord.test(word))) return null;
  const [first, last] = days;
  if (first.endsWith('-01-01') && last.endsWith('-12-31')) return null; // a whole year
  const otherWords = wordsOutsideDate.filter((word) => !isStopWord(word.toLowerCase()) && !weekdayWord.test(word));
  const kind = kinds.find((each) => each === findKindByWord(otherWords[0] ?? ''));
  const query = parseQuery((kind === undefined ? otherWords : otherWords.slice(1)).join(' '));
  const dayWords = typedWords.filter((word) => !wordsOutsideDate.includes(word)).join(' ');
  const interpretations: Interpretation[] = [{ words: dayWords, as: 'period', values: days }];
  if (kind) interpretations.push({ words: otherWords[0]!, as: 'kind', values: [kind.name] });
  const periodCondition = { sql: 'date >= ? AND date < ?', parameters: [first, `${last}~`] }; // ~ follows T in ASCII
  return { query, condition: idConditionSql(kind === undefined ? kinds : [kind], periodCondition), interpretations };
}

function idConditionSql(kinds: readonly Kind[], condition: Sql): Sql {
  const names = kinds.map(({ name }) => name);
  const { sql, parameters } = allOf([inValues('kind', names), condition]);
  return { sql: `id IN (SELECT id FROM record WHERE ${sql})`, parameters };
}
