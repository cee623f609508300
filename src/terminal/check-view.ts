import type { Article } from '../format/article.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, textOf } from '../model/document.ts';
import { differencePhrases } from '../questions/check.ts';
import type { Speech } from '../words/speech.ts';
import { joinWithDots } from './view.ts';

/** Returns a renderer: the highlighted `checkedText`, then a paragraph per quoted passage with its verdicts. */
export const createCheckRenderer =
  (checkedText: string | null) =>
  (items: Document[], speech: Speech): Article['paragraphs'] => {
    const matchesByPassage = [...Map.groupBy(items, ({ start, quoted }) => `${start} ${quoted}`).values()];
    const verdictParagraphs = matchesByPassage.map((matches) => ({
      label: speech.quoted(fieldText(matches[0]!, 'quoted')),
      text: matches.map((item) => matchLines(item, speech).join('\n')).join('\n\n'),
    }));
    if (checkedText === null) return verdictParagraphs;
    const marks = matchesByPassage.map(([item]) => {
      return { start: Number(item!.start), end: Number(item!.end), note: verdictText(item!, speech) };
    });
    // In the plain text of HTML, U+2029 separates blocks.
    return [{ label: '', text: checkedText.replaceAll('\u2029', '\n'), marks }, ...verdictParagraphs];
  };

const fieldText = (item: Document, field: string) => sanitiseLine(textOf(item, field) ?? '');

function verdictText({ result, type, agreement }: Document, speech: Speech): string {
  if (result === 'exact') return type === 'ballot' ? speech.say`as recorded` : speech.say`word for word`;
  if (result === 'contradicted') return speech.say`contradicted`;
  if (result === 'near') return speech.say`near match (${speech.share(Number(agreement))})`;
  return type === 'ballot' ? speech.say`no ballot identified` : speech.say`not found`;
}

/** Returns the lines of one match: verdict with speaker or ballot, text of the record, differences, URL, command. */
function matchLines(item: Document, speech: Speech): string[] {
  const verdict = verdictText(item, speech);
  if (item.result === 'not-found') return [verdict];
  const isVote = item.type === 'ballot';
  const date = textOf(item, 'date');
  const speaker = fieldText(item, 'politician_name') || fieldText(item, 'politician') || speech.say`no person named`;
  const day = date === null ? speech.say`no day stated` : speech.day(date);
  return [
    joinWithDots([verdict, isVote ? fieldText(item, 'title') : speaker, day, speech.word(String(item.type))]),
    item.result === 'exact' ? '' : isVote ? fieldText(item, 'said') : speech.quoted(fieldText(item, 'said')),
    ...differencePhrases(item).map((each) => `  ${speech.render(each)}`),
    Number(item.copies) > 0 ? speech.say`others with the same agreement: ${speech.number(Number(item.copies))}` : '',
    fieldText(item, 'url'),
    item.id === null ? '' : `hemicycle cite ${fieldText(item, 'type')} ${fieldText(item, 'id')}`,
  ].filter((line) => line !== '');
}
