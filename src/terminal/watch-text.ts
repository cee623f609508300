import { sanitiseLine } from '../format/sanitise.ts';
import { attributionPhrase } from '../model/attribution.ts';
import { type Document, documentsIn, textOf } from '../model/document.ts';
import type { MessageBody } from '../watches/message.ts';
import type { Speech } from '../words/speech.ts';
import { fieldDifference } from './change-view.ts';
import { terminalOf } from './terminal.ts';

/** Subject line of a watch message. */
export function mailSubject({ type, data }: MessageBody, speech: Speech): string {
  if (type === 'watch.test') return sanitiseLine(speech.say`${data.watch.name}: a test`);
  return sanitiseLine(`${data.watch.name}: ${speech.count(data.shown + data.more, 'change')}`);
}

/** Mail text of a watch message: changes with differences and sources, then attribution. */
export function mailText({ data }: MessageBody, speech: Speech): string {
  const { changes, more, show, attribution } = data;
  return [
    ...changes.map((change) => changeText(change, speech)),
    ...(more > 0 ? [speech.say`and ${speech.number(more)} more`] : []),
    `$ ${sanitiseLine(show)}`,
    speech.tell(attributionPhrase(attribution)),
  ].join('\n\n');
}

function changeText(change: Document, speech: Speech): string {
  const line = (text: string | null) => sanitiseLine(text ?? '');
  const [sort, kind, title] = ['change', 'kind', 'title'].map((field) => line(textOf(change, field)));
  const seen = speech.moment(String(change.seen_at));
  const terminal = { ...terminalOf({}, {}), speech };
  const fields = documentsIn(change.fields).map(({ field, old, new: next }) => {
    const difference = fieldDifference(old ?? null, next ?? null, terminal).replaceAll('\n', '\n    ');
    return `  ${speech.field(line(String(field)))}: ${difference}`;
  });
  const sources = documentsIn(change.sources).map(
    (source) =>
      `  ${speech.word('source')}: ${[textOf(source, 'title', 'id'), textOf(source, 'url')].map(line).filter(Boolean).join(', ')}`,
  );
  const show = textOf(change, 'show');
  return [
    `${speech.word(sort!)} · ${speech.word(kind!)} · ${title}`,
    `  ${seen}`,
    ...fields,
    ...sources,
    ...(show === null ? [] : [`  $ ${line(show)}`]),
  ].join('\n');
}
