import type { NearMatches } from '../store/search/answer.ts';
import { type Relaxation, relaxations } from '../store/search/relaxation.ts';
import { figure, type Phrase, say, saying } from '../words/speech.ts';

const resemblances: Record<Relaxation, Phrase> = {
  family: say`records with related words`,
  corrected: say`records with a similar spelling`,
  file: say`records on the same legislative file`,
  'any-word': say`records with some of the words`,
};

/** Returns the heading of suggestions: their numbers, and how they resemble the query, such as a similar spelling. */
export function suggestionsPhrase({ relaxed, total, items }: NearMatches): Phrase {
  const shownRelaxations = relaxations.filter((each) => items.some((item) => item.matched === each));
  const phrases = (shownRelaxations.length > 0 ? shownRelaxations : [relaxed]).map((each) => resemblances[each]);
  const resemblance = saying(({ list, render }) => list(phrases.map(render), 'or'));
  return total === null
    ? say`Suggestions: ${resemblance}`
    : say`Suggestions, ${figure(items.length)} of ${figure(total)}: ${resemblance}`;
}
