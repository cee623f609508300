import { fold } from '../language/fold.ts';
import { firstToken } from '../language/prose.ts';
import { isStopWord } from '../language/stop-words.ts';

/** Words for a body or its members before its name: le groupe socialiste, les élus communistes. */
const bodyWords = new Set(
  `groupe groupes parti partis depute deputes deputee deputees senateur senateurs senatrice senatrices elu elus membre
  membres`.split(/\s+/),
);

/** Words in so many names of parties that they identify none. */
const genericWords = new Set([...bodyWords, ...'union mouvement rassemblement alliance apparentes'.split(' ')]);

/** Returns a party's name without its trailing acronym: Les Marins for Les Marins - LMV and Les Marins (LMV). */
export const withoutAcronym = (name: string): string => name.replace(/\s+(?:[-–—]\s+\p{Lu}{2,}|\(\p{Lu}{2,}\))$/u, '');

const minMatchedShare = 0.5;

const isPartyWord = (word: string): boolean => !isStopWord(word) && !bodyWords.has(word);

/** Returns the words that are neither stop words nor words for a body (groupe, élus); empty if none remain. */
export const partyWords = (words: readonly string[]): string[] => words.filter(isPartyWord);

/** Matches folded nouns for people (socialistes, démocrate, insoumise, radicaux), but not réunions or territoire. */
const peopleEnding = /(?:(?:ist|[ao]t|air)e|(?:ai|a)ne?|ienn?e?|ante?|eur|(?:eu|o?i)se?|rice|ale?|aux|if|ive)s?$/;

/** True for a word, as written, that may refer to members of a party. */
export const mayNamePeople = (written: string): boolean => peopleEnding.test(fold(written));

/** Returns possible singulars, plurals, masculines and feminines of a folded word; some are not words. */
export function wordForms(word: string): string[] {
  const base = word.replace(/(?:es|s|e)$/, '');
  const forms = ['', 's', 'e', 'es'].map((ending) => base + ending);
  if (/aux$/.test(word)) forms.push(word.replace(/aux$/, 'al'));
  if (/al$/.test(base)) forms.push(base.replace(/al$/, 'aux'));
  // The s may belong to the stem: insoumis, insoumise.
  return [...new Set([word, `${word}e`, `${word}es`, ...forms])].filter((form) => form.length > 3);
}

/** Share of a party's name, 0 to 1, that the words match in any form; 0 below half, or if it lacks a word. */
export function matchedNameShare(words: readonly string[], parts: readonly string[]): number {
  const queryTokens = partyWords(words).map(firstToken);
  if (queryTokens.length === 0) return 0;
  const identifyingParts = parts.filter((part) => !isStopWord(part) && !genericWords.has(part));
  const nameParts = identifyingParts.length > 0 ? identifyingParts : parts.filter(isPartyWord);
  const tokens = new Set(parts.map(firstToken));
  if (!queryTokens.every((token) => tokens.has(token))) return 0;
  const matchedParts = nameParts.filter((part) => queryTokens.includes(firstToken(part)));
  const share = matchedParts.join('').length / Math.max(1, nameParts.join('').length);
  return share < minMatchedShare ? 0 : share;
}

const ofSenate = /\bs[ée]nat\b/iu;
const ofAssembly = /\bassembl[ée]e(?: nationale)?(?!\p{L})/iu;
const ofYear = /\b(?:19|20)\d\d\b/;

/** Separates a chamber and a year from a party query (PS sénat, LR 2018); null if it has neither, or no name. */
export function parsePartyQualifiers(query: string) {
  const chamber = ofSenate.test(query) ? 'Senat' : ofAssembly.test(query) ? 'AN' : null;
  const year = ofYear.exec(query)?.[0] ?? null;
  const remainingText = [ofSenate, ofAssembly, ofYear].reduce((text, each) => text.replace(each, ' '), query).trim();
  return remainingText === '' || (chamber === null && year === null) ? null : { remainingText, chamber, year };
}
