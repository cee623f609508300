import { webAddress } from '../../model/attribution.ts';
import { type Document, slugOf, textOf } from '../../model/document.ts';
import { keyOf, titleOf } from '../../model/facets.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import type { Speech } from '../../words/speech.ts';
import { topicText } from './codes.ts';
import { type Content, type Html, html } from './html.ts';
import type { ListAnswer, Making } from './making.ts';

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
export function personLink(making: Making, reference: Document[string] | undefined): Html | null {
  return namedLink(making, 'politician', slugOf(reference ?? null));
}

/** The party or group that a record names, as a link with its name; nothing where it names none. */
export function partyLink(making: Making, reference: Document[string] | undefined): Html | null {
  return namedLink(making, 'party', slugOf(reference ?? null));
}

function namedLink(making: Making, kind: KindName, slug: string | null): Html | null {
  if (slug === null) return null;
  const name = making.nameOf(kind, slug);
  // What the mirror does not hold has no page.
  return name === null ? html`${slug}` : html`<a href="${making.recordHref(kind, slug)}">${name}</a>`;
}

/** A topic as a link to what is filed under it. */
export function topicLink(making: Making, topic: string | null): Html | null {
  return topic === null
    ? null
    : html`<a href="${making.href('/feed', { topic })}" lang="fr">${topicText(topic)}</a>`;
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

/** The page of a record where it is known by that key. */
export function recordLink(making: Making, kind: KindName, document: Document): Html {
  const described = kindOf(kind);
  return html`<a href="${making.recordHref(kind, keyOf(described, document))}">${shorten(titleOf(described, document), 160)}</a>`;
}

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
  making: Making,
  { kind, document, without = [], level = 3 }: { kind: KindName; document: Document } & InList,
): Html {
  const { speech } = making;
  const [title, text] = [textOf(document, 'title'), textOf(document, 'text')];
  const quoted = kind === 'quote' && text !== null;
  const body =
    text !== null && text !== title && !quoted
      ? html`<p class="text" lang="fr">${shorten(text, 320)}</p>`
      : null;
  const about = line(
    html`<span class="kind">${speech.word(kind)}</span>`,
    day(speech, textOf(document, 'date')),
    !without.includes('politician') && personLink(making, document.politician),
    !without.includes('party') && partyLink(making, document.party),
    !without.includes('topic') && topicLink(making, slugOf(document.topic ?? null)),
    textOf(document, 'outcome', 'status', 'stance'),
    quoted && textOf(document, 'context'),
  );
  const link = html`<a href="${making.recordHref(kind, keyOf(kindOf(kind), document))}" lang="fr">${
    quoted ? speech.quoted(shorten(text, 320)) : shorten(titleOf(kindOf(kind), document), 200)
  }</a>`;
  const head = level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`;
  return html`<li class="item">${head}${body}<p class="meta">${about}</p></li>
`;
}

/** A list of records of one kind, or of those that say their `type` themselves; nothing where there is none. */
export function items(
  making: Making,
  documents: readonly Document[],
  { kind, ...inList }: { kind?: KindName } & InList = {},
): Html | null {
  if (documents.length === 0) return null;
  const list = documents.map((document) =>
    item(making, { kind: kind ?? (document.type as KindName), document, ...inList }),
  );
  return html`<ul class="items">${list}</ul>`;
}

/** How much of a list is shown, and the way on. */
export function pager({ speech, given, hrefWith }: Making, { items, total, nextCursor }: ListAnswer): Html {
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

/** A source: its title as a link to the document, who published it, and its own page. */
export function sourceItem(making: Making, source: Document): Html {
  const { speech } = making;
  const id = textOf(source, 'id');
  const title = textOf(source, 'title', 'url', 'id') ?? '';
  const address = webAddress(textOf(source, 'url') ?? '');
  return html`<li>${address === null ? title : html`<a href="${address}" rel="external noopener">${title}</a>`}<span class="meta"> ${line(
    textOf(source, 'publisher'),
    day(speech, textOf(source, 'date')),
    id && html`<a href="${making.recordHref('source', id)}">${speech.say`about this source`}</a>`,
  )}</span></li>
`;
}

/** The sources that a record rests on, by their ids; those that the mirror does not hold are named by these. */
export function sources(
  making: Making,
  found: readonly Document[],
  ids: Document[string] | undefined,
): Html | null {
  const held = new Set(found.map((source) => source.id));
  const missing = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' && !held.has(id)) : [];
  if (found.length + missing.length === 0) return null;
  return html`<ul class="sources">${found.map((source) => sourceItem(making, source))}${missing.map(
    (id) => html`<li>${String(id)}</li>`,
  )}</ul>`;
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
