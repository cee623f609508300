import { webAddress } from '../model/attribution.ts';
import type { Json } from '../model/document.ts';
import { type Speech, speechOf } from '../words/speech.ts';
import type { Article, Fact } from './article.ts';
import type { Format } from './format.ts';
import { type Content, documentEnd, documentHead, html } from './html.ts';
import { cellReader, plainCell, type RowFormat } from './rows.ts';
import { sanitise } from './sanitise.ts';

/** Returns a text as HTML with its web addresses as links. */
export function linkAddresses(text: string): Content {
  // Parts with an odd index are addresses, without the punctuation that ends a sentence.
  const parts = webAddress(text) === null ? text.split(/(https?:\/\/[^\s<>"]*[^\s<>"),.;:!?])/) : ['', text, ''];
  return parts.map((part, at) => {
    const address = at % 2 === 1 ? webAddress(part) : null;
    return address === null ? part : html`<a href="${address}">${part}</a>`;
  });
}

const paragraphs = (texts: readonly string[]): Content =>
  texts.filter((text) => text.trim() !== '').map((text) => html`<p>${linkAddresses(text)}</p>\n`);

/** A text with its lines as paragraphs; one with marks as a block, each marked passage followed by its note. */
function textBlock({ text, marks }: Article['paragraphs'][number]): Content {
  if (!marks) return paragraphs(text.split('\n'));
  let position = 0;
  const slice = (start: number, end?: number) => text.slice(start, end).replace(/\s*\n\s*\n\s*/g, '\n\n');
  const parts = marks.map(({ start, end, note }) => {
    const part = html`${slice(position, start)}<mark>${slice(Math.max(position, start), end)}</mark> <small>[${note}]</small>`;
    position = Math.max(position, end);
    return part;
  });
  return html`<div style="white-space: pre-line">${parts}${slice(position)}</div>\n`;
}

function pageStart({ title, url, facts, sections, ...article }: Article, { language }: Speech): string {
  const factRow = ({ label, value }: Fact) => html`<dt>${label}</dt><dd>${linkAddresses(value)}</dd>\n`;
  const heading = (label: string) => label !== '' && html`<h2>${label}</h2>\n`;
  return html`${documentHead({ language, title })}<main>
<h1 id="title">${url === null ? title : html`<a href="${url}">${title}</a>`}</h1>
<dl>
${facts.map(factRow)}</dl>
${article.paragraphs.map((each) => [heading(each.label), textBlock(each)])}${sections.map(
  ({ label, lines }) => html`${heading(label)}<ul>
${lines.map((line) => html`<li>${linkAddresses(line)}</li>\n`)}</ul>
`,
)}`.text;
}

/** Returns a format of HTML table rows whose first cell is a heading; the table can be scrolled by keyboard. */
function htmlFormat(columns: string[], { speech = speechOf('en') }: { speech?: Speech | undefined }): RowFormat {
  const readCell = cellReader(columns);
  const cell = (value: Json | undefined, at: number) => {
    if (typeof value === 'number')
      return html`<td class="number">${Number.isInteger(value) ? value : speech.number(value, 3)}</td>`;
    const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== 'object');
    const text = isPlainList ? value.join(', ') : plainCell(value);
    const content = linkAddresses(text);
    return at === 0 && text !== '' ? html`<th scope="row">${content}</th>` : html`<td>${content}</td>`;
  };
  return {
    prefix: '<div role="region" aria-labelledby="title" tabindex="0"><table>\n',
    head: (names) =>
      html`<thead><tr>${names.map((name) => html`<th scope="col">${speech.field(name)}</th>`)}</tr></thead>\n`.text,
    row: (document) => html`<tr>${columns.map((column, at) => cell(readCell(document, column), at))}</tr>\n`.text,
    tail: () => '</table></div>\n',
    escapeControls: sanitise,
  };
}

export const htmlPage = {
  name: 'html',
  mediaType: 'text/html; charset=utf-8',
  isText: true,
  rowFormat: htmlFormat,
  document: {
    isPage: true,
    open: pageStart,
    close: (remarks) =>
      html`<footer>
${paragraphs(remarks)}</footer>
</main>
${documentEnd}`.text,
  },
} as const satisfies Format;
