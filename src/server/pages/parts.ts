import { webAddress } from '../../model/attribution.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import { keyOf, titleOf } from '../../model/facets.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import type { Speech } from '../../words/speech.ts';
import { topicText } from './codes.ts';
import { type Content, type Html, html } from './html.ts';
import type { ListAnswer, Rendering } from './page-context.ts';
import type { PageContent } from './view.ts';

/** The heading of a page: what it is about, what that is, and a sentence under it. */
export function heading(title: Content, { kicker, lead }: { kicker?: Content; lead?: Content } = {}): Html {
  return html`<header class="head">${kicker && html`<p class="kicker">${kicker}</p>\n`}<h1>${title}</h1>${
    lead && html`\n<p class="lead">${lead}</p>`
  }</header>
`;
}

/** A part of a page under a heading of its own; nothing where it is empty. */
export function section(title: Content, body: Content, { id }: { id?: string } = {}): Html | null {
  if (body === null || body === undefined || body === false) return null;
  return html`<section${id === undefined ? null : html` id="${id}"`}><h2>${title}</h2>
${body}
</section>
`;
}

/** A day as people write it; nothing where none is stated. */
export function day(speech: Speech, date: string | null): Html | null {
  return date ? html`<time datetime="${date}">${speech.day(date.slice(0, 10))}</time>` : null;
}

/** A moment as people write it. */
export function moment(speech: Speech, iso: string): Html {
  return html`<time datetime="${iso}">${speech.moment(iso)}</time>`;
}

/** The politician whom a record names, as a link with their name; nothing where it names none. */
export function personLink(page: Rendering, reference: Document[string] | undefined): Html | null {
  return namedLink(page, 'politician', slugOf(reference ?? null));
}

/** The party or group that a record names, as a link with its name; nothing where it names none. */
export function partyLink(page: Rendering, reference: Document[string] | undefined): Html | null {
  return namedLink(page, 'party', slugOf(reference ?? null));
}

function namedLink(page: Rendering, kind: KindName, slug: string | null): Html | null {
  if (slug === null) return null;
  const name = page.nameOf(kind, slug);
  // What the mirror does not hold has no page.
  return name === null ? html`${slug}` : html`<a href="${page.recordHref(kind, slug)}">${name}</a>`;
}

/** A topic as a link to what is filed under it. */
export function topicLink(page: Rendering, topic: string | null): Html | null {
  return topic === null
    ? null
    : html`<a href="${page.href('/feed', { topic })}" lang="fr">${topicText(topic)}</a>`;
}

/** A text that begins with a capital. */
export function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** A text of a record, which the service writes in French. */
export function inFrench(text: string | null): Html | null {
  return text === null ? null : html`<span lang="fr">${text}</span>`;
}

/** The parts of a line with a dot between; what is nothing is left out. */
export function line(...parts: Content[]): Html {
  const there: Content[] = [];
  for (const part of parts)
    if (part !== null && part !== undefined && part !== false && part !== '')
      there.push(there.length > 0 && dot, part);
  return html`${there}`;
}

const dot = html`<span class="dot"> · </span>`;

/** A text cut at a word. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2))}…`;
}

/** How records stand in a list: without whom their page is about, and under headings of which level. */
export type InList = { without?: readonly string[]; level?: 2 | 3 };

/** A record in a list: what it says, who says it, when and about what. `without` leaves out whose page it stands on. */
export function item(
  page: Rendering,
  { kind, document, without = [], level = 3 }: { kind: KindName; document: Document } & InList,
): Html {
  const { speech } = page;
  const [title, text] = [textOf(document, 'title'), textOf(document, 'text')];
  const quoted = kind === 'quote' && text !== null;
  const body =
    text !== null && text !== title && !quoted
      ? html`<p class="text" lang="fr">${shorten(text, 320)}</p>`
      : null;
  const about = line(
    html`<span class="kind">${speech.word(kind)}</span>`,
    day(speech, textOf(document, 'date')),
    !without.includes('politician') && personLink(page, document.politician),
    !without.includes('party') && partyLink(page, document.party),
    !without.includes('topic') && topicLink(page, slugOf(document.topic ?? null)),
    textOf(document, 'outcome', 'status', 'stance'),
    quoted && textOf(document, 'context'),
  );
  const link = html`<a href="${page.recordHref(kind, keyOf(kindOf(kind), document))}" lang="fr">${
    quoted ? speech.quoted(shorten(text, 320)) : shorten(titleOf(kindOf(kind), document), 200)
  }</a>`;
  const head = level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`;
  return html`<li class="item">${head}${body}<p class="meta">${about}</p></li>
`;
}

/** A list of records of one kind, or of those that say their `type` themselves; nothing where there is none. */
export function items(
  page: Rendering,
  documents: readonly Document[],
  { kind, ...inList }: { kind?: KindName } & InList = {},
): Html | null {
  if (documents.length === 0) return null;
  const list = documents.map((document) =>
    item(page, { kind: kind ?? (document.type as KindName), document, ...inList }),
  );
  return html`<ul class="items">${list}</ul>`;
}

/**
 * A column of a table: its heading, what a row says in it, and how: as the name of the row, as a number, or in the
 * language of the records.
 */
export type PageColumn<Row> = readonly [
  heading: Content,
  cell: (row: Row) => Content | undefined,
  style?: 'name' | 'number' | 'french',
];

/** A table that can be scrolled sideways; nothing without rows. */
export function table<Row>(
  { speech }: Pick<Rendering, 'speech'>,
  title: string,
  rows: readonly Row[],
  columns: readonly PageColumn<Row>[],
  className = 'list',
): Html | null {
  if (rows.length === 0) return null;
  const heads = columns.map(([heading, , style]) =>
    heading === null
      ? html`<td></td>`
      : html`<th scope="col"${style === 'number' ? html` class="number"` : null}>${heading}</th>`,
  );
  const cellOf = (row: Row, [, cell, style]: PageColumn<Row>) => {
    const content = cell(row);
    if (style === 'name') return html`<th scope="row">${content}</th>`;
    if (style === 'number')
      return html`<td class="number">${typeof content === 'number' ? speech.number(content) : content}</td>`;
    return html`<td${style === 'french' ? html` lang="fr"` : null}>${content}</td>`;
  };
  const written = rows.map((row) => html`<tr>${columns.map((column) => cellOf(row, column))}</tr>\n`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="${className}"><thead><tr>${heads}</tr></thead><tbody>${written}</tbody></table></div>`;
}

/** What stands in the place of an empty list. */
export function none(text: string): Html {
  return html`<p class="none">${text}</p>`;
}

/** A link that leads on, in a paragraph of its own. */
export function onward(address: string, text: Content): Html {
  return html`<p><a class="next" href="${address}">${text}</a></p>`;
}

/** Links beside each other, of which the current one is none. */
export function chips(label: string, links: readonly { text: Content; href: string | null }[]): Html {
  const list = links.map(({ text, href }) =>
    href === null
      ? html`<li><span aria-current="true">${text}</span></li>`
      : html`<li><a href="${href}">${text}</a></li>`,
  );
  return html`<ul class="chips" aria-label="${label}">${list}</ul>`;
}

/** A page with a list: heading, form, the list or a sentence that it is empty, and the way on. */
export function listContent(
  page: Rendering,
  answer: ListAnswer,
  {
    title,
    lead,
    filters,
    list,
    empty,
    description,
  }: {
    title: string;
    lead?: Content;
    filters?: Content;
    list: Html | null;
    empty: string;
    description?: string;
  },
): PageContent {
  const body = html`${heading(title, { lead })}${filters}${list ?? none(empty)}${pager(page, answer)}`;
  return { title, body, ...(description && { description }) };
}

/** How much of a list is shown, and the way on. */
export function pager(
  { speech, given, hrefWith }: Rendering,
  { items, total, nextCursor }: ListAnswer,
): Html {
  const shown = items.length;
  const told =
    total === null
      ? speech.say`shown ${speech.number(shown)}`
      : speech.say`shown ${speech.number(shown)} of ${speech.number(total)}`;
  const first =
    given.cursor &&
    html`<a href="${hrefWith({ cursor: null })}" rel="first">${speech.say`Back to the beginning`}</a>`;
  const next =
    nextCursor &&
    html`<a class="next" href="${hrefWith({ cursor: nextCursor })}" rel="next">${speech.say`More`}</a>`;
  return html`<nav class="pager" aria-label="${speech.say`Pages of this list`}"><p>${told}</p>${first}${next}</nav>`;
}

/** The sources that a record rests on, by their ids; those that the mirror does not hold are named by these. */
export function sources(
  page: Rendering,
  found: readonly Document[],
  ids: Document[string] | undefined,
): Html | null {
  const held = new Set(found.map((source) => source.id));
  const missing = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' && !held.has(id)) : [];
  if (found.length + missing.length === 0) return null;
  const { speech } = page;
  const items = found.map((source) => {
    const id = textOf(source, 'id');
    const title = textOf(source, 'title', 'url', 'id') ?? '';
    return html`<li>${outsideLink(textOf(source, 'url'), title) ?? title}<span class="meta"> ${line(
      textOf(source, 'publisher'),
      day(speech, textOf(source, 'date')),
      id && html`<a href="${page.recordHref('source', id)}">${speech.say`about this source`}</a>`,
    )}</span></li>
`;
  });
  return html`<ul class="sources">${items}${missing.map((id) => html`<li>${String(id)}</li>`)}</ul>`;
}

/** A link to the web; its text is the address's host if none is given. Null without a usable address. */
export function outsideLink(url: string | null, text?: Content): Html | null {
  const address = webAddress(url ?? '');
  if (address === null) return null;
  return html`<a href="${address}" rel="external noopener">${text ?? new URL(address).host}</a>`;
}

/** What a record says of itself, name by name; what it does not say is left out. */
export function facts(
  rows: readonly (readonly [name: Content, value: Content])[],
  { isWide = false } = {},
): Html | null {
  const said = rows.filter(
    ([, value]) => value !== null && value !== undefined && value !== '' && value !== false,
  );
  if (said.length === 0) return null;
  return html`<dl class="facts${isWide ? ' wide' : null}">${said.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
