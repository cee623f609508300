import { webAddress } from '../../model/attribution.ts';
import type { Speech } from '../../words/speech.ts';
import { type Content, type Html, html } from './html.ts';
import type { FrameContext, ViewPage } from './page-context.ts';

/** Returns a section with a heading; null if its body is empty. */
export function section(title: Content, body: Content, { id }: { id?: string } = {}): Html | null {
  if (body === null || body === undefined || body === false) return null;
  return html`<section${id === undefined ? null : html` id="${id}"`}><h2>${title}</h2>
${body}
</section>
`;
}

/** Returns a day as a `time` element; null if there is no date. */
export const day = (speech: Speech, date: string | null) =>
  date ? html`<time datetime="${date}">${speech.day(date.slice(0, 10))}</time>` : null;

/** Returns a moment as a `time` element; null if there is none. */
export const moment = (speech: Speech, iso: string | null) =>
  iso ? html`<time datetime="${iso}">${speech.moment(iso)}</time>` : null;

/** Returns `phrase` with the time of the last retrieval; a notice if the mirror was never synced. */
export const ageText = ({ speech, filledAt }: FrameContext, phrase: string): Content =>
  filledAt === null ? speech.say`This copy has never been synced.` : html`${phrase} ${moment(speech, filledAt)}.`;

/** Marks a text as French (`lang="fr"`); null for null. */
export const inFrench = (text: string | null) => (text === null ? null : html`<span lang="fr">${text}</span>`);

/** Joins non-empty parts with middle dots. */
export function line(...parts: Content[]): Html {
  return html`${parts.filter(isFilled).map((part, at) => [at > 0 && separator, part])}`;
}

const isFilled = (part: Content) => part !== null && part !== undefined && part !== false && part !== '';

const separator = html`<span class="dot"> · </span>`;

/** Returns the text cut at a word boundary to at most `maxLength` characters and an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const truncatedText = text.slice(0, maxLength);
  return `${truncatedText.slice(0, Math.max(truncatedText.lastIndexOf(' '), maxLength / 2))}…`;
}

/** A column of a page's table: its heading (null for none), the content of its cell in a row, and how to show it. */
export type PageColumn<Row> = readonly [
  heading: string | null,
  cell: (row: Row) => Content | undefined,
  style?: 'name' | 'number' | 'french', // Heading of the row, right-aligned number, French text; plain by default.
];

/** Returns a scrollable table (cards on phones) without number columns that are empty; null without rows. */
export function table<Row>(
  { speech }: Pick<ViewPage, 'speech'>,
  title: string,
  rows: readonly Row[],
  allColumns: readonly PageColumn<Row>[],
  className = 'list',
): Html | null {
  if (rows.length === 0) return null;
  const columns = allColumns.filter(([, cell, style]) => style !== 'number' || rows.some((row) => isFilled(cell(row))));
  // Browsers drop the table semantics of rows laid out as cards; the roles restore them.
  const heads = columns.map(([heading, , style]) =>
    heading === null
      ? html`<td role="cell"></td>`
      : html`<th scope="col" role="columnheader"${style === 'number' && html` class="number"`}>${heading}</th>`,
  );
  const labels = columns.map(([heading]) => heading !== null && html` data-label="${heading}"`);
  const cellOf = (row: Row, [, cell, style]: PageColumn<Row>, at: number) => {
    const content = cell(row);
    if (style === 'name') return html`<th scope="row" role="rowheader">${content}</th>`;
    if (style === 'number')
      return html`<td role="cell" class="number"${labels[at]}>${typeof content === 'number' ? speech.number(content) : content}</td>`;
    return html`<td role="cell"${labels[at]}${style === 'french' && html` lang="fr"`}>${content}</td>`;
  };
  const body = rows.map((row) => html`<tr role="row">${columns.map((column, at) => cellOf(row, column, at))}</tr>\n`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="${className}" role="table" aria-label="${title}"><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">${body}</tbody></table></div>`;
}

/** Returns a paragraph that replaces an empty list. */
export const emptyNote = (text: string): Html => html`<p class="none">${text}</p>`;

/** Returns a paragraph with a link to a page that has more. */
export const onward = (address: string, text: Content) => html`<p><a class="next" href="${address}">${text}</a></p>`;

/** Returns a row of links; one whose `href` is null is the current choice, as text. */
export function chips(label: string, links: readonly { text: Content; href: string | null }[]): Html {
  const list = links.map(({ text, href }) =>
    href === null
      ? html`<li><span aria-current="true">${text}</span></li>`
      : html`<li><a href="${href}">${text}</a></li>`,
  );
  return html`<ul class="chips" aria-label="${label}">${list}</ul>`;
}

/** Returns an external link, labelled with its host by default; null without a usable address. */
export function outsideLink(url: string | null, text?: Content): Html | null {
  const address = webAddress(url ?? '');
  if (address === null) return null;
  return html`<a href="${address}" rel="external noopener">${text ?? new URL(address).host}</a>`;
}

/** Returns names and values as a definition list without empty rows; null if all are empty. */
export function facts(rows: readonly (readonly [name: Content, value: Content])[], { isWide = false } = {}) {
  const filledRows = rows.filter(([, value]) => isFilled(value));
  if (filledRows.length === 0) return null;
  return html`<dl class="facts${isWide ? ' wide' : null}">${filledRows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Returns a title without its full stop, and what distinguishes the page from others; unchanged if nothing does. */
export function titleWith(title: string, ...distinctions: (string | null | undefined)[]): string {
  const present = distinctions.filter((each) => each);
  return present.length === 0 ? title : [title.replace(/\.$/, ''), ...present].join(' · ');
}
