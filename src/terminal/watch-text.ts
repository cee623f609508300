import { changeFacts, changeHeadline, changesSubject } from '../format/change-text.ts';
import { escapeHtml, html } from '../format/html.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { changeHtml } from '../format/web-feed.ts';
import { attributionPhrase } from '../model/attribution.ts';
import { type Document, documentsIn, textOf } from '../model/document.ts';
import type { MessageBody } from '../watches/message.ts';
import { type Speech, say } from '../words/speech.ts';
import { fieldDifference, shortenAroundChanges } from './change-view.ts';
import { terminalOf } from './terminal.ts';

/** Returns a watch message for people, as in a mail: subject, body as plain text, and body as HTML. */
export function messageText(body: MessageBody, speech: Speech) {
  const { watch, changes, shown, more } = body.data;
  const subject =
    body.type === 'watch.test'
      ? sanitiseLine(speech.say`${watch.name}: a test`)
      : `${changesSubject(changes, shown + more, speech)} · ${sanitiseLine(watch.name)}`;
  const parts = [...changes.map((change) => changeText(change, speech)), ...closingLines(body, speech)];
  return { subject, text: parts.join('\n\n'), html: bodyHtml(body, speech) };
}

function closingLines({ data }: MessageBody, speech: Speech): string[] {
  const { more, show, attribution, watch } = data;
  return [
    ...(more > 0 ? [speech.say`and ${speech.number(more)} more`] : []),
    `$ ${sanitiseLine(show)}`,
    speech.render(attributionPhrase(attribution)),
    speech.render(say`Reported by the watch ${sanitiseLine(watch.name)}: ${sanitiseLine(watch.question)}`),
  ];
}

function bodyHtml(body: MessageBody, speech: Speech): string {
  const changes = body.data.changes.map((change) => {
    const page = pageOf(change);
    const link = page && `<p><a href="${escapeHtml(page)}">${escapeHtml(speech.say`page of the record`)}</a></p>`;
    return `<h2>${escapeHtml(changeHeadline(change, speech))}</h2>\n${changeHtml(change, speech)}${link ?? ''}\n`;
  });
  const footer = closingLines(body, speech).map((line) => html`<p>${line}</p>\n`.text);
  return `<!doctype html>\n<html lang="${speech.language}"><body>\n${changes.join('')}<hr>\n${footer.join('')}</body></html>\n`;
}

const pageOf = (change: Document) => textOf(change, 'page') ?? textOf(change, 'url');

function changeText(change: Document, speech: Speech): string {
  const lineText = (text: string | null) => sanitiseLine(text ?? '');
  const fields = documentsIn(change.fields).flatMap(({ field, old, new: next }) =>
    fieldLines(speech.field(lineText(String(field))), [old ?? null, next ?? null], speech),
  );
  const sources = documentsIn(change.sources).map((source) =>
    [textOf(source, 'title', 'id'), textOf(source, 'publisher'), textOf(source, 'url')].filter(Boolean).map(lineText),
  );
  const page = pageOf(change);
  const showCommand = textOf(change, 'show');
  return [
    changeHeadline(change, speech),
    ...changeFacts(change, speech),
    ...fields,
    ...sources.map((parts) => speech.say`${speech.word('source')}: ${parts.join(', ')}`),
    ...(page === null ? [] : [lineText(page)]),
    ...(showCommand === null || textOf(change, 'page') !== null ? [] : [`$ ${lineText(showCommand)}`]),
  ].join('\n  ');
}

function fieldLines(label: string, [oldValue, newValue]: [Document[string], Document[string]], speech: Speech) {
  if (typeof oldValue === 'string' && typeof newValue === 'string') {
    const [before, after] = shortenAroundChanges(sanitiseLine(oldValue), sanitiseLine(newValue));
    return [speech.say`${label}, before: ${before}`, speech.say`${label}, after: ${after}`];
  }
  const terminal = { ...terminalOf({}, {}), isTTY: true, speech }; // texts shortened for people, without colour
  return [speech.say`${label}: ${fieldDifference(oldValue, newValue, terminal).replaceAll('\n', '\n    ')}`];
}
