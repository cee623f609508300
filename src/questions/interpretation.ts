import type { Interpretation } from '../language/query.ts';
import { column, nonNull } from '../model/columns.ts';
import { clauses, type Phrase, say, wordPhrase } from '../words/speech.ts';
import type { Parameter } from './parameter.ts';
import { truth } from './parameter-kinds.ts';

/** Phrases for the ways in which words of a query are interpreted. */
const meanings: Record<Interpretation['as'], (words: string, values: string) => Phrase> = {
  author: (words, names) => say`"${words}" is read as the author ${names}`,
  role: (words, names) => say`"${words}" is read as the role of ${names}`,
  reference: (words, value) => say`"${words}" is read as the record or number ${value}`,
  period: (words, days) => say`"${words}" is read as the days ${days}`,
  kind: (words, kind) => say`"${words}" is read as the kind ${wordPhrase(kind)}`,
  exclusion: (words, word) => say`"${words}" is read as texts without "${word}"`,
  'other-name': (words, names) => say`"${words}" is also searched as: ${names}`,
};

/** The parameter that turns off the interpretation of search words. */
export const literalParameter: Parameter<boolean> = truth(
  'search the words as they stand, as if each stood in quotation marks: none means an author, a role, a day or another name',
  { isBeyondInterface: true },
);

/** The field of an answer that states how words of the query were interpreted. */
export const interpretedColumn = column.json(
  'interpreted',
  'What words of the query mean beyond themselves; `literal` turns it off. Absent if nothing.',
  {
    inside: {
      list: [
        column.text('words', 'Words of the query.', nonNull),
        column.text('as', 'What they mean.', { ...nonNull, words: Object.keys(meanings) }),
        column.json('values', 'Slugs of the authors or role holders, first and last day, or words.', {
          ...nonNull,
          inside: { list: 'ids' },
        }),
        column.json('names', 'Names of the authors or role holders; absent for others.', { inside: { list: 'ids' } }),
      ],
    },
  },
);

/** Returns interpretations as a field of an answer and as one remark; both empty if there are none. */
export function interpretedFields(interpretations: readonly Interpretation[] = []) {
  if (interpretations.length === 0) return { extra: {}, remarks: [] };
  const phrases = interpretations.map(({ words, as, values, names = values }) =>
    meanings[as](words, [...new Set(names)].join(as === 'period' ? ' – ' : ', ')),
  );
  const hint = say`quotation marks around a word prevent this`;
  return { extra: { interpreted: interpretations }, remarks: [clauses([...phrases, hint])] };
}
