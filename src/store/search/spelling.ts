import { otherSpellings } from '../../language/accents.ts';
import { isLinkWord } from '../../language/acronym.ts';
import { fold } from '../../language/fold.ts';
import { nameWords } from '../../language/name.ts';
import { editDistance } from '../../language/near-miss.ts';
import { analyseLexeme, firstToken, lexemes } from '../../language/prose.ts';
import { parseQuery, type Query, type QueryTerm } from '../../language/query.ts';
import { isUnstemmed } from '../../language/stem.ts';
import { type Document, stringsOf } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { allowedMistakes } from '../../names/nearness.ts';
import type { Mirror } from '../mirror.ts';
import { documentAt, kindOfRecord } from '../record.ts';
import { countIndexedRecords } from '../word-index/search-index.ts';
import { type Terms, termsOf } from '../word-index/terms.ts';
import { expressionsOf, textOfTerms } from './expression.ts';

/** A typed word and the token searched in its place. */
export type Correction = { from: string; to: string };

/** A query in another spelling, with its corrections. */
export type SpelledQuery = { query: Query; corrections: Correction[] };

const doublingDistance = 0.5; // of words that differ only by a doubled letter; the distance of one mistake is 1
const twoMistakesDistance = 1.5;
const minLettersTwoMistakes = 9; // letters of a word with two mistakes
const maxCorrectedLength = 30; // letters of a word that is corrected
const minRecords = 20; // a word or phrase in fewer records may itself be a mistake

/** Replaces unknown words by the terms of `findReplacement` (null keeps the word); null if no word changes. */
function replaceUnknownWords(
  mirror: Mirror,
  query: Query,
  findReplacement: (term: QueryTerm) => { to: string; terms: QueryTerm[] } | null,
): SpelledQuery | null {
  const corrections: Correction[] = [];
  const terms = query.terms.flatMap((term) => {
    const replacement = term.prose.length === 1 && !isIndexedTerm(mirror, term) ? findReplacement(term) : null;
    if (replacement === null) return term;
    corrections.push({ from: term.text, to: replacement.to });
    return replacement.terms;
  });
  return corrections.length === 0 ? null : { query: { ...query, terms }, corrections };
}

/** The query with each unknown word replaced by the likeliest similar one; null if no word has one. */
export function findSpelling(mirror: Mirror, query: Query): SpelledQuery | null {
  return replaceUnknownWords(mirror, query, (term) => {
    const [to] = isCorrectable(term) ? findNearTokens(termsOf(mirror), term) : [];
    if (to === undefined) return null;
    return { to, terms: [{ ...term, prose: [to], readings: [], name: [to], nameJoined: to }] };
  });
}

const wordOfLetters = /^\p{L}{4,30}$/u;
/** A word is frequent if at least one of this many records has it; only frequent words complete or split others. */
const recordsPerFrequentWord = 2000;

const isFrequent = (mirror: Mirror, records: number) => records * recordsPerFrequentWord >= countIndexedRecords(mirror);

/** The query with unknown words that begin a frequent word searched as prefixes (agricult*); null if none does. */
export function findCompletion(mirror: Mirror, query: Query): SpelledQuery | null {
  const terms = termsOf(mirror);
  return replaceUnknownWords(mirror, query, ({ text }) => {
    const completions = wordOfLetters.test(text) ? terms.tokensWithPrefix(fold(text)) : [];
    const isPrefixOfFrequent = completions.some((token) => isFrequent(mirror, terms.countRecords(token)));
    return isPrefixOfFrequent ? { to: `${text}*`, terms: parseQuery(`${text}*`).terms } : null;
  });
}

/** The query with each unknown word split into the words it joins (pouvoirdachat); null if none can be split. */
export function findSplit(mirror: Mirror, query: Query): SpelledQuery | null {
  const matchAtOffset = mirror.sql('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1 OFFSET ?');
  return replaceUnknownWords(mirror, query, (term) => {
    const words = wordOfLetters.test(term.text) ? splitWord(mirror, term.text) : '';
    if (words === '' || words.split(' ').every((word) => isLinkWord(fold(word)))) return null;
    const phraseExpression = expressionsOf(parseQuery(`"${words}"`).terms)[0];
    if (phraseExpression === undefined) return null;
    // A likely correction is preferred to words that few texts have in this order.
    const isFrequentPhrase = matchAtOffset.get(phraseExpression, minRecords) !== undefined;
    if (!isFrequentPhrase && tokensOneEditAway(termsOf(mirror), term).hasLikelyCorrection) return null;
    const { terms } = parseQuery(words);
    return { to: textOfTerms(terms), terms };
  });
}

const costPerWord = 4; // of a split, besides the rarity of the word
const minPartLength = 3; // letters of a part of a split that is no link word

/** The likeliest frequent words and link words that a run of letters consists of; empty if there are none. */
function splitWord(mirror: Mirror, letters: string): string {
  const costOf = (part: string) => {
    if (isLinkWord(fold(part))) return costPerWord;
    const tokens = part.length < minPartLength ? [] : [part, ...otherSpellings(part)].map(firstToken);
    const records = Math.max(0, ...tokens.map((token) => termsOf(mirror).countRecords(token)));
    const rarity = Math.log(countIndexedRecords(mirror) / records);
    return isFrequent(mirror, records) ? costPerWord + rarity : Number.POSITIVE_INFINITY;
  };
  // The cheapest split of the first n letters, by n.
  const cheapestSplits = [{ cost: 0, words: '' }];
  for (let to = 1; to <= letters.length; to += 1) {
    const splits = cheapestSplits.map(({ cost, words }, from) => {
      const part = letters.slice(from, to);
      return { cost: cost + costOf(part), words: `${words} ${part}` };
    });
    cheapestSplits.push(splits.reduce((one, other) => (other.cost < one.cost ? other : one)));
  }
  const { cost, words } = cheapestSplits.at(-1)!;
  return cost === Number.POSITIVE_INFINITY ? '' : words.trim();
}

/** For words of a query, the likeliest similar word if at least ten times as many records have it. */
export function findLikelierWords(mirror: Mirror, query: Query): Correction[] {
  const correctable = query.terms.filter(isCorrectable);
  if (correctable.length === 0) return [];
  const terms = termsOf(mirror);
  return correctable.flatMap((term) => {
    const [token] = findNearTokens(terms, term).filter((each) => each !== term.prose[0]);
    if (token === undefined || terms.countRecords(token) < 10 * terms.countRecords(term.prose[0]!)) return [];
    return [{ from: term.text, to: token }];
  });
}

function isCorrectable({ prose, phrase, prefix, text }: QueryTerm): boolean {
  return (
    prose.length === 1 &&
    !phrase &&
    !prefix &&
    !isUnstemmed(prose[0]!) &&
    text.length <= maxCorrectedLength &&
    allowedMistakes(fold(text)) > 0
  );
}

function isIndexedTerm(mirror: Mirror, term: QueryTerm): boolean {
  const matchStatement = mirror.sql('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1');
  return expressionsOf([term]).some((expression) => matchStatement.get(expression) !== undefined);
}

/** Indexed tokens one mistake away, with distances; a likely one has the same initial and at least `minRecords`. */
function tokensOneEditAway(terms: Terms, { text }: QueryTerm) {
  const typedWord = text.toLowerCase().replace(/^.*['’]/, '');
  const typed = fold(typedWord);
  const distances = new Map<string, number>();
  for (const word of new Set([...spellingsOneEditAway(typedWord), typedWord.replaceAll('f', 'ph')])) {
    const tokens = [analyseLexeme(word), fold(word)].filter((token) => terms.countRecords(token) > 0);
    if (tokens.length === 0) continue;
    // A letter doubled or left single is likelier than another mistake.
    const distance = removeDoubling(word) === removeDoubling(typedWord) ? doublingDistance : 1;
    for (const token of tokens) distances.set(token, Math.min(distance, distances.get(token) ?? distance));
  }
  const isLikely = (token: string) => token[0] === typed[0] && terms.countRecords(token) >= minRecords;
  return { typed, distances, hasLikelyCorrection: distances.keys().some(isLikely) };
}

/** Indexed tokens similar to a word, likeliest first: few mistakes, same first letter, many records. */
function findNearTokens(terms: Terms, term: QueryTerm): string[] {
  // Try two mistakes only without a likely correction; rare tokens may be the same misspelling.
  const { typed, distances, hasLikelyCorrection } = tokensOneEditAway(terms, term);
  const forms = [term.prose[0]!, typed];
  if (!hasLikelyCorrection && typed.length >= minLettersTwoMistakes)
    for (const token of terms.tokensWithPrefix(typed[0]!))
      if (!distances.has(token) && forms.some((form) => editDistance(form, token, 2) <= 2))
        distances.set(token, twoMistakesDistance);
  const costs = Array.from(distances, ([token, distance]) => {
    return { token, cost: distance * 2 + (token[0] === typed[0] ? 0 : 1) - Math.log10(1 + terms.countRecords(token)) };
  });
  return costs.sort((a, b) => a.cost - b.cost || (a.token < b.token ? -1 : 1)).map(({ token }) => token);
}

/** Spellings one mistake away: a letter removed, added, replaced or swapped. https://norvig.com/spell-correct.html */
function* spellingsOneEditAway(word: string): Iterable<string> {
  for (let at = 0; at <= word.length; at += 1) {
    const before = word.slice(0, at);
    const letter = word.charAt(at);
    const after = word.slice(at + 1);
    for (const other of 'abcdefghijklmnopqrstuvwxyzé') {
      yield before + other + letter + after;
      if (letter) yield before + other + after;
    }
    if (letter) yield before + after;
    if (after) yield before + after[0] + letter + after.slice(1);
  }
}

const removeDoubling = (word: string): string => word.replace(/(.)\1+/g, '$1');

/** Corrections with each token as a record spells it; people and parties are preferred, as their ids are highest. */
export function spellAsInRecords(mirror: Mirror, corrections: readonly Correction[]): Correction[] {
  const sql = 'SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT 1';
  return corrections.map(({ from, to }) => {
    const id = mirror.column<number>(sql).get(`"${to}"`);
    const spelling = id === undefined ? null : spellingInRecord(to, kindOfRecord(id), documentAt(mirror, id));
    return { from, to: spelling ?? to };
  });
}

/** The first word of a record that has this index token, as the record spells it; null without one. */
function spellingInRecord(token: string, { search }: Kind, document: Document): string | null {
  const names = stringsOf(document, [...search.name, ...search.about]).flatMap((name) => name.split(/[\s-]+/));
  const nameWord = names.find((each) => nameWords(each).includes(token));
  if (nameWord !== undefined) return nameWord;
  for (const text of stringsOf(document, [...search.body, ...search.title])) {
    const word = lexemes(text).find((each) => analyseLexeme(each) === token);
    if (word !== undefined) return withoutCapital(word, text).replace(/^(?:\p{L}|qu)['’]/iu, '');
  }
  return null;
}

/** Lower-cases a word unless its text capitalises it in mid-sentence. */
function withoutCapital(word: string, text: string): string {
  const isWithinSentence = /[\p{L}\p{N},'’-]\s*$/u.test(text.slice(0, text.indexOf(word)));
  return isWithinSentence && /^\p{Lu}\p{Ll}/u.test(word) ? word : word.toLowerCase();
}
