import { fold } from '../language/fold.ts';
import { proseTokens } from '../language/prose.ts';
import { isStopWord } from '../language/stop-words.ts';

/** Words for a body or its members that go before what it is called: le groupe socialiste, les élus communistes. */
const bodies = new Set(
  'groupe groupes parti partis depute deputes deputee deputees senateur senateurs senatrice senatrices elu elus membre membres'.split(
    ' ',
  ),
);

/** Words of so many names that they tell none. */
const general = new Set([...bodies, ...'union mouvement rassemblement alliance apparentes'.split(' ')]);

/** An acronym that a name ends with, of itself or of an alliance: Les Marins - LMV, Les Marins (LMV). */
const lastAcronym = /\s+(?:[-–—]\s+\p{Lu}{2,}|\(\p{Lu}{2,}\))$/u;

/** Returns what a party is called but for the acronym that its name ends with. */
export function withoutAcronym(name: string): string {
  return name.replace(lastAcronym, '');
}

/** How much of what tells a name must be said for it to be meant. */
const leastSaid = 0.5;

function tells(word: string): boolean {
  return !isStopWord(word) && !bodies.has(word);
}

/** Returns the words by which people call a party or a group, without those for any such body; empty where none is left. */
export function partyWords(words: readonly string[]): string[] {
  return words.filter(tells);
}

/** Endings of words for people: socialistes, démocrate, insoumise, radicaux; not of réunions, territoire, horizon. */
const ofPeople = /(?:(?:ist|[ao]t|air)e|(?:ai|a)ne?|ienn?e?|ante?|eur|(?:eu|o?i)se?|rice|ale?|aux|if|ive)s?$/;

/** True for a word, as it is written, that may be what members of a party are called. */
export function namesPeople(written: string): boolean {
  return ofPeople.test(fold(written));
}

/** Returns a folded word in the singular and the plural, the masculine and the feminine: some are no words at all. */
export function wordForms(word: string): string[] {
  const base = word.replace(/(?:es|s|e)$/, '');
  const forms = ['', 's', 'e', 'es'].map((ending) => base + ending);
  if (/aux$/.test(word)) forms.push(word.replace(/aux$/, 'al'));
  if (/al$/.test(base)) forms.push(base.replace(/al$/, 'aux'));
  // An s may be of the word itself: insoumis, insoumise.
  return [...new Set([word, `${word}e`, `${word}es`, ...forms])].filter((form) => form.length > 3);
}

/**
 * Returns what share of a party's name some words say, each in any of its forms (les insoumis, La France insoumise), from
 * 0 to 1: 0 where one of them is not of it, or where they say less than half of what tells it from others.
 */
export function partyShare(words: readonly string[], parts: readonly string[]): number {
  const asked = partyWords(words).map(tokenOf);
  if (asked.length === 0) return 0;
  const telling = parts.filter((part) => !isStopWord(part) && !general.has(part));
  const ofName = telling.length > 0 ? telling : parts.filter(tells);
  const tokens = new Set(parts.map(tokenOf));
  if (!asked.every((token) => tokens.has(token))) return 0;
  const said = ofName.filter((part) => asked.includes(tokenOf(part)));
  const share = said.join('').length / Math.max(1, ofName.join('').length);
  return share < leastSaid ? 0 : share;
}

function tokenOf(word: string): string {
  return proseTokens(word)[0] ?? fold(word);
}
