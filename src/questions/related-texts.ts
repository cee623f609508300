import { column, nonNull } from '../model/columns.ts';
import { documentsIn } from '../model/document.ts';
import { type TextLinkKind, textLinkKinds } from '../parliament/text-links.ts';
import type { Mirror } from '../store/mirror.ts';
import { type RelatedText, relatedTexts, searchTextKeys, textKeysNamedBy } from '../store/records/ballot-texts.ts';
import { type Phrase, say, saying } from '../words/speech.ts';

/** The field of an answer that lists other texts on the same subject. */
export const relatedColumn = column.json(
  'related_texts',
  'Other texts on the same subject, linked by the records. Their ballots are not in the answer; absent if none.',
  {
    inside: {
      list: [
        column.text('text', 'Title of the other text, in its most frequent spelling.', nonNull),
        column.integer('ballots', 'Number of ballots on it.', nonNull),
        column.text(
          'linked_by',
          'What links both: `amendments` put to the vote under one title and filed under the other, the same words ' +
            'in a `name`, or `days`: one title has all words of the other, with votes in one chamber within 31 days.',
          { ...nonNull, words: textLinkKinds },
        ),
      ],
    },
  },
);

const maxTexts = 3; // that match a query; more have no common subject

/** Returns the field with texts related to the text with that key, else to texts named by `q`; empty if none. */
export function relatedTextsField(mirror: Mirror, text?: string, q = ''): { related_texts?: RelatedText[] } {
  const keys = text === undefined ? searchTextKeys(mirror, q) : [text];
  const namedKeys = text === undefined ? textKeysNamedBy(mirror, keys, q) : keys;
  const links = keys.length > maxTexts ? [] : relatedTexts(mirror, namedKeys);
  return links.length === 0 ? {} : { related_texts: links };
}

/** Returns a phrase about each related text in an answer, with the text's title. */
export const relatedPhrases = ({ related_texts: related }: { related_texts?: unknown }) =>
  documentsIn(related).map(({ text, ballots, linked_by: linkedBy }): { text: string; phrase: Phrase } => {
    const size = saying((speech) => speech.count(Number(ballots), 'ballot'));
    const reason = reasons[linkedBy as TextLinkKind];
    return { text: String(text), phrase: say`other text on this subject: "${String(text)}", ${size}; ${reason}` };
  });

const reasons: Record<TextLinkKind, Phrase> = {
  amendments: say`amendments put to the vote are filed under both titles`,
  name: say`both titles have the same words`,
  days: say`one title has all words of the other, with votes within 31 days`,
};
