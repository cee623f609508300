import type { Query, QueryTerm } from '../../language/query.ts';
import { formerStem } from '../../language/stem.ts';
import { readMeta } from '../meta.ts';
import type { Mirror } from '../mirror.ts';

/**
 * How far a word reaches by its accents: as it was typed; what it may be where they were left out, too; or every word that
 * they alone tell from it.
 */
export type Reach = 'typed' | 'readings' | 'accents';

type QueryWords = Pick<Query, 'terms' | 'without'>;

/**
 * The FTS5 expression for a query, or null when no word is left to find. Every token stands in quotes, so that nothing
 * a person types is read as syntax; each word may match as prose or as a part of a name.
 */
export function matchExpression(
  { terms, without }: QueryWords,
  operator: 'AND' | 'OR',
  reach: Reach = 'readings',
): string | null {
  // Repeated words cost time and match nothing more.
  const parts = distinct(terms.map((term) => termExpression(term, reach)));
  if (parts.length === 0) return null;
  const excluded = distinct(without.map((term) => termExpression(term, 'readings')));
  const wanted = parts.join(` ${operator} `);
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${excluded.join(' OR ')})`;
}

function distinct(expressions: (string | null)[]): string[] {
  return [...new Set(expressions.filter((each) => each !== null))];
}

function termExpression(term: QueryTerm, reach: Reach): string | null {
  const { name, nameJoined, phrase, prefix } = term;
  const star = prefix ? ' *' : '';
  const same = sameEverywhere(term, reach);
  // Without a column filter FTS5 need not read position lists.
  if (same !== null) return `("${same}"${star})`;
  const alternatives = [
    proseExpression(term, reach),
    // The words of a name match in any order, but not inside a phrase.
    name.length > 0
      ? `{name about} : (${phrase ? quoted(name) : name.map((word) => `"${word}"`).join(' AND ')}${name.length === 1 ? star : ''})`
      : null,
    nameJoined && nameJoined !== name.join('') ? `{name about} : ("${nameJoined}")` : null,
    nameJoined && name.length > 1 ? `{name about} : ("${nameJoined}"${star})` : null,
  ].filter((part) => part !== null);
  return alternatives.length === 0 ? null : `(${alternatives.join(' OR ')})`;
}

/** The token of a word whose prose and name forms are the same; null where they differ. */
function sameEverywhere({ prose, name, readings, otherAccents }: QueryTerm, reach: Reach): string | null {
  const isOne = prose.length === 1 && name.length === 1 && prose[0] === name[0];
  const others =
    reach === 'typed' ? 0 : reach === 'readings' ? readings.length : readings.length + otherAccents.length;
  return isOne && others === 0 ? prose[0]! : null;
}

function proseExpression({ prose, readings, otherAccents, prefix }: QueryTerm, reach: Reach): string | null {
  if (prose.length === 0) return null;
  const others = reach === 'typed' ? [] : reach === 'readings' ? readings : [...readings, ...otherAccents];
  const sequences = [`${quoted(prose)}${prefix ? ' *' : ''}`, ...others.map(quoted)];
  return `{title body} : (${sequences.join(' OR ')})`;
}

/** Several tokens of one word or phrase must follow each other. */
function quoted(tokens: string[]): string {
  return `"${tokens.join(' ')}"`;
}

/** The query in the tokens of the mirror's index: one that program 0.1 built has other stems, no accents and no signs. */
export function inTokensOf(mirror: Mirror, query: Query): Query {
  if (readMeta(mirror, 'analyser') !== '1') return query;
  const formerly = (terms: QueryTerm[]) =>
    terms
      .filter(({ text }) => !/^[%€]$/.test(text))
      .map((term) => ({ ...term, prose: term.prose.map(formerStem), readings: [], otherAccents: [] }));
  return { ...query, terms: formerly(query.terms), without: formerly(query.without) };
}

/**
 * The query without the spellings of its words that no record has: for porte all of porté are looked for too, as another
 * word that is ranked by itself, which takes several times as long.
 */
export function withHeldSpellings(mirror: Mirror, query: Query): Query {
  // The current index says nothing about past records.
  if (mirror.pastOf !== null) return query;
  const find = mirror.sql('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1');
  const isHeld = (tokens: string[]) => tokens.every((token) => find.get(`"${token}"`) !== undefined);
  const terms = query.terms.map((term) => ({
    ...term,
    readings: term.readings.filter(isHeld),
    otherAccents: term.otherAccents.filter(isHeld),
  }));
  return { ...query, terms };
}
