import type { Near } from '../store/search/answer.ts';
import type { Relaxed } from '../store/search/relaxation.ts';
import { figure, type Phrase, say } from '../words/speech.ts';

const resemblances: Record<Relaxed, Phrase> = {
  family: say`records with related words`,
  corrected: say`records with a similar spelling`,
  file: say`records on the same legislative file`,
  'any-word': say`records with some of the words`,
};

/** The heading of suggestions, which follow an answer with few results or none. */
export function suggestionsPhrase({ relaxed, total, items }: Near): Phrase {
  const resemblance = resemblances[relaxed];
  return total === null
    ? say`Suggestions: ${resemblance}`
    : say`Suggestions, ${figure(items.length)} of ${figure(total)}: ${resemblance}`;
}
