import { isLink } from '../../language/acronym.ts';
import { fold } from '../../language/fold.ts';
import { parseQuery, type Query, type QueryTerm } from '../../language/query.ts';
import shortForms from '../../language/short-forms.json' with { type: 'json' };
import { formerStem } from '../../language/stem.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { longForms } from '../../names/acronyms.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';

type QueryWords = Pick<Query, 'terms' | 'excluded'>;

/**
 * The FTS5 expression for a query; null if it has no words. Tokens are quoted, so that nothing typed is read as syntax;
 * each word matches as prose or as part of a name.
 */
export function matchExpression({ terms, excluded }: QueryWords): string | null {
  const wanted = expressionsOf(withNeighbours(terms)).join(' AND ');
  if (wanted === '') return null;
  const unwanted = expressionsOf(excluded).join(' OR ');
  return unwanted === '' ? wanted : `(${wanted}) NOT (${unwanted})`;
}

/** The expressions of some words; repeated ones cost time and match nothing more. */
export function expressionsOf(terms: readonly Neighbour[]): string[] {
  return [...new Set(terms.map(termExpression).filter((each) => each !== null))];
}

/** A word that must be there, or stands before the next one: a text with both side by side scores for that, too. */
type Neighbour = QueryTerm & { beside?: string[] };

/** The words without small ones between others (loi de finances), each with the phrase up to the next. */
function withNeighbours(terms: readonly QueryTerm[]): Neighbour[] {
  const isPlain = ({ phrase, prefix }: QueryTerm) => !phrase && !prefix;
  const telling = terms.filter((term) => !isPlain(term) || !isLink(fold(term.text)));
  // One word alone is narrowed by small ones: a robinet is no A. Robinet.
  if (telling.length < 2) return [...terms];
  return telling.map((term, at) => {
    const next = telling[at + 1];
    if (next === undefined || !isPlain(term) || !isPlain(next)) return term;
    const run = terms.slice(terms.indexOf(term), terms.indexOf(next) + 1);
    return { ...term, beside: run.flatMap(({ prose }) => prose) };
  });
}

function termExpression(term: Neighbour): string | null {
  const { name, nameJoined, phrase, prefix, beside } = term;
  const star = prefix ? ' *' : '';
  const same = sameEverywhere(term);
  const both = beside === undefined ? [] : [`{body} : ${quoted(beside)}`];
  // Without a column filter FTS5 need not read position lists.
  if (same !== null) return `(${[`"${same}"${star}`, ...both].join(' OR ')})`;
  const alternatives = [
    ...both,
    proseExpression(term),
    // The words of a name match in any order, but not inside a phrase.
    name.length > 0
      ? `{name about} : (${phrase ? quoted(name) : name.map((word) => `"${word}"`).join(' AND ')}${name.length === 1 ? star : ''})`
      : null,
    nameJoined && nameJoined !== name.join('') ? `{name about} : ("${nameJoined}")` : null,
    nameJoined && name.length > 1 ? `{name about} : ("${nameJoined}"${star})` : null,
  ].filter((part) => part !== null);
  return alternatives.length === 0 ? null : `(${alternatives.join(' OR ')})`;
}

/** The token of a word whose prose and name forms are the same; null if they differ. */
function sameEverywhere({ prose, name, readings }: QueryTerm): string | null {
  const isOne = prose.length === 1 && name.length === 1 && prose[0] === name[0];
  return isOne && readings.length === 0 ? prose[0]! : null;
}

function proseExpression({ prose, readings, prefix }: QueryTerm): string | null {
  if (prose.length === 0) return null;
  const sequences = [`${quoted(prose)}${prefix ? ' *' : ''}`, ...readings.map(quoted)];
  return `{title body} : (${sequences.join(' OR ')})`;
}

/** Several tokens of one word or phrase must follow each other. */
const quoted = (tokens: string[]): string => `"${tokens.join(' ')}"`;

/** The query in the tokens of the mirror's index: one that program 0.1 built has other stems, no accents and no signs. */
export function inTokensOf(mirror: Mirror, query: Query): Query {
  if (readMeta(mirror, 'analyser') !== '1') return query;
  const formerly = (terms: QueryTerm[]) =>
    terms
      .filter(({ text }) => !/^[%€]$/.test(text))
      .map((term) => ({ ...term, prose: term.prose.map(formerStem), readings: [] }));
  return { ...query, terms: formerly(query.terms), excluded: formerly(query.excluded) };
}

const [mostLetters, mostForms] = [10, 3];

/** What people call things for short that texts write out, whether or not a record explains it. */
const writtenOut = new Map(Object.entries(shortForms).map(([short, forms]) => [fold(short), forms]));

/** The query with what its short words stand for (sécu), and what records call its acronyms in words (PLFSS). */
export function withLongForms(mirror: Mirror, query: Query): Query {
  const terms = query.terms.map((term) => {
    const { text, phrase, prefix, readings } = term;
    if (phrase || prefix || text.length > mostLetters || !/^\p{L}{2,}$/u.test(text) || isStopWord(fold(text)))
      return term;
    const own = writtenOut.get(fold(text)) ?? [];
    const forms = [...own, ...longForms(mirror, text, 1).slice(0, mostForms)];
    const read = forms.flatMap((form) => parseQuery(`"${form}"`).terms);
    return { ...term, readings: [...readings, ...read.flatMap((each) => [each.prose, ...each.readings])] };
  });
  return { ...query, terms };
}

/** The query without alternative spellings that no record has: each is ranked as a separate word, which is slow. */
export function withHeldSpellings(mirror: Mirror, query: Query): Query {
  // The current index says nothing about past records.
  if (mirror.pastOf !== null) return query;
  const find = mirror.sql('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1');
  const isHeld = (tokens: string[]) => tokens.every((token) => find.get(`"${token}"`) !== undefined);
  const terms = query.terms.map((term) => ({
    ...term,
    readings: term.readings.filter(isHeld),
  }));
  return { ...query, terms };
}
