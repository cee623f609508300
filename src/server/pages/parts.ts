import { topicText } from '../../language/topic-text.ts';
import { sourcesIn } from '../../model/cited-work.ts';
import { composedText } from '../../model/composition.ts';
import { type Document, documentsIn, slugOf, textOf } from '../../model/document.ts';
import { keyOf, titleOf } from '../../model/facets.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { coveragePhrase } from '../../parliament/coverage.ts';
import type { BallotLink } from '../../questions/question.ts';
import { relatedPhrases } from '../../questions/related-texts.ts';
import { suggestionsPhrase } from '../../questions/suggestions.ts';
import { capitalise } from '../../words/speech.ts';
import { day, emptyNote, inFrench, line, outsideLink, section, shorten } from './elements.ts';
import { type Content, type Html, html } from './html.ts';
import type { ListAnswer, PageContent, ViewPage } from './page-context.ts';

const linkTo = (kind: KindName) => (page: ViewPage, reference: Document[string] | undefined) => {
  const slug = slugOf(reference);
  if (slug === null) return null;
  const name = page.nameOf(kind, slug);
  return name === null ? html`${slug}` : html`<a href="${page.recordHref(kind, slug)}">${name}</a>`;
};

/** Returns a link to a politician (slug or reference); only the slug if not stored, null without one. */
export const personLink = linkTo('politician');

/** Returns a link to a party or group (slug or reference); only the slug if not stored, null without one. */
export const partyLink = linkTo('party');

/** Returns the address of a topic's page; static sites have only its feed. */
export const topicHref = ({ href, isStatic }: ViewPage, topic: string): string =>
  isStatic ? href('/feed', { topic }) : href(`/topics/${encodeURIComponent(topic)}`);

/** Returns the path of a subject's page. */
export const subjectPath = (name: string): string => `/subjects/${encodeURIComponent(name)}`;

/** Returns the path of a department or, with a second argument, of one of its constituencies. */
export const seatPath = (...places: string[]) => ['/departments', ...places.map(encodeURIComponent)].join('/');

/** Returns a link to a topic's page; only its name if the topic has no records, null for null. */
export function topicLink(page: ViewPage, topic: string | null): Html | null {
  if (topic === null || !page.holdsTopic(topic)) return inFrench(topic && topicText(topic));
  return html`<a href="${topicHref(page, topic)}" lang="fr">${topicText(topic)}</a>`;
}

/** Returns a link to a record's page; only the text if the record is not stored. */
export function recordLink(page: ViewPage, kind: KindName, key: string, text: Content): Html {
  if (!page.holds(kind, key)) return html`<span lang="fr">${text}</span>`;
  return html`<a href="${page.recordHref(kind, key)}" lang="fr">${text}</a>`;
}

/** Default kind for records without a `type`, heading level, and whether the politician is hidden. */
type ItemStyle = { kind?: KindName; level?: 2 | 3; hidesPolitician?: boolean };

/** Returns a list of records of one kind or of each record's `type`; null if there are none. */
export function items(page: ViewPage, documents: readonly Document[], style: ItemStyle = {}): Html | null {
  if (documents.length === 0) return null;
  return html`<ul class="items">${documents.map((document) => recordItem(page, document, style))}</ul>`;
}

function recordItem(page: ViewPage, document: Document, { level = 3, hidesPolitician, ...style }: ItemStyle) {
  const { speech } = page;
  const kind = kindOf(style.kind ?? (document.type as KindName));
  const title = textOf(document, 'title');
  const text = textOf(document, 'text');
  const quote = kind.name === 'quote' ? text : null;
  const hasOwnText = quote === null && text !== null && text !== title;
  const body = hasOwnText && html`<p class="text" lang="fr">${shorten(text, 320)}</p>`;
  const about = line(
    html`<span class="kind">${speech.word(kind.name)}</span>`,
    day(speech, textOf(document, 'date')),
    !hidesPolitician && personLink(page, document.politician),
    partyLink(page, document.party),
    topicLink(page, slugOf(document.topic ?? null)),
    textOf(document, 'outcome', 'status', 'stance'),
    quote !== null && textOf(document, 'context'),
  );
  const titleHtml =
    quote === null ? shorten(titleOf(kind, document), 200) : html`<q>${speech.quoted(shorten(quote, 320))}</q>`;
  const link = recordLink(page, kind.name, keyOf(kind, document), titleHtml);
  const head = level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`;
  return html`<li class="item">${head}${body}<p class="meta">${about}</p>${page.sourcesOf && sources(page, page.sourcesOf(document))}</li>\n`;
}

/** Returns a section with the suggestions of an answer, which `list` renders; undefined without any. */
export const suggestionsSection = (
  { speech }: ViewPage,
  { near }: ListAnswer,
  list: (items: Document[]) => Html | null,
) => near && section(speech.render(suggestionsPhrase(near)), list(near.items), { id: 'suggestions' });

type ListParts = { filters?: Content; list: Html | null; empty?: string; after?: Content };

/** Returns a note on how much of the requested data the mirror covers; null if the answer states no coverage. */
export function coverageNote({ speech }: Pick<ViewPage, 'speech'>, { coverage = [] }: Pick<ListAnswer, 'coverage'>) {
  const phrase = coveragePhrase(coverage);
  return phrase && html`<p class="meta coverage">${capitalise(speech.render(phrase))}.</p>`;
}

/** Returns notes on corrected words, suggested words and names, remarks, and related texts. */
export function listNotes(page: ViewPage, { extra, remarks = [] }: Pick<ListAnswer, 'extra' | 'remarks'>): Html | null {
  const { speech, href, hrefWith, recordHref } = page;
  const correctionNotes = documentsIn(extra.corrected).map(
    ({ from, to }) =>
      html`<p class="note">${
        String(to).endsWith('*')
          ? speech.say`${speech.quoted(String(from))} is no whole word here; words that begin so:`
          : speech.say`${speech.quoted(String(from))} was not found; nearest spelling:`
      } <a href="${hrefWith({ q: String(page.values.q).replace(String(from), String(to)), cursor: null })}">${String(to)}</a></p>`,
  );
  const suggestedLinks = documentsIn(extra.suggestions).map(({ slug, full_name, word }) =>
    typeof slug === 'string'
      ? html`<a href="${recordHref('politician', slug)}">${String(full_name ?? slug)}</a>`
      : html`<a href="${hrefWith({ q: String(word), cursor: null })}">${String(word)}</a>`,
  );
  const suggestionNote =
    suggestedLinks.length > 0 && html`<p class="note">${speech.say`Did you mean:`} ${line(...suggestedLinks)}</p>`;
  const linksTo = (links: readonly BallotLink[]) =>
    line(...links.map(({ label, filters }) => html`<a href="${href('/votes', filters)}">${label}</a>`));
  const notes = remarks.map(
    (remark) =>
      html`<p class="note">${remark.links ? html`${speech.say`${remark.sentence}:`} ${linksTo(remark.links)}` : speech.render(remark)}</p>`,
  );
  return html`${correctionNotes}${suggestionNote}${notes}${relatedNotes(page, extra)}`;
}

/** Returns a note with a link for each related legislative text in an answer; none on static sites. */
export const relatedNotes = ({ speech, href, isStatic }: ViewPage, extra: Document): Html[] =>
  (isStatic ? [] : relatedPhrases(extra)).map(
    ({ text, phrase }) =>
      html`<p class="note"><a href="${href(`/texts/${encodeURIComponent(text)}`)}">${speech.render(phrase)}</a></p>`,
  );

/** Returns the content of a list page: filters, notes, the list or the text for an empty one, and a pager. */
export function listContent(
  page: ViewPage,
  answer: ListAnswer,
  { filters, list, empty = page.speech.say`No results.`, after, ...content }: ListParts & Omit<PageContent, 'body'>,
): PageContent {
  return {
    ...content,
    rows: page.queryParameters.limit === undefined ? answer.total : null,
    body: html`${filters}${listNotes(page, answer)}${list === null && emptyNote(empty)}${coverageNote(page, answer)}${list}${pager(page, answer)}${after}`,
  };
}

/** Returns the number of records shown, with links to the first and the next page; null for an empty list. */
export function pager({ speech, queryParameters, hrefWith }: ViewPage, { items, total, nextCursor }: ListAnswer) {
  // Copies merged into an item count as shown, up to the total: on /check, the total excludes copies.
  const itemCount = items.reduce((count, { copies }) => count + 1 + (typeof copies === 'number' ? copies : 0), 0);
  const shownCount = Math.min(itemCount, total ?? itemCount);
  if (total === 0) return null;
  const countText =
    total === null
      ? speech.say`shown ${speech.number(shownCount)}`
      : speech.say`shown ${speech.number(shownCount)} of ${speech.number(total)}`;
  const firstPageLink =
    queryParameters.cursor &&
    html`<a href="${hrefWith({ cursor: null })}" rel="first">${speech.say`Back to the beginning`}</a>`;
  const nextPageLink =
    nextCursor && html`<a class="next" href="${hrefWith({ cursor: nextCursor })}" rel="next">${speech.say`More`}</a>`;
  return html`<nav class="pager" aria-label="${speech.say`Pages of this list`}"><p>${countText}</p>${firstPageLink}${nextPageLink}</nav>`;
}

/** Returns a list of source records (see `sourcesIn`); null if there are none. */
export function sources(page: ViewPage, documents: readonly Document[]): Html | null {
  if (documents.length === 0) return null;
  const { speech } = page;
  const items = documents.map((source) => {
    const id = textOf(source, 'id');
    const title = textOf(source, 'title', 'url', 'id') ?? '';
    const isStored = id !== null && page.holds('source', id);
    const pageLink = isStored && html`<a href="${page.recordHref('source', id)}">${speech.say`about this source`}</a>`;
    const about = line(textOf(source, 'publisher'), day(speech, textOf(source, 'date')), pageLink);
    return html`<li>${outsideLink(textOf(source, 'url'), title) ?? title} <span class="meta">${about}</span></li>\n`;
  });
  return html`<ul class="sources">${items}</ul>`;
}

/** Returns the sources of a profile, with a note if it was composed from datasets instead of fetched. */
export function profileSources(page: ViewPage, record: Document): Html | null {
  const documents = sourcesIn(record, () => undefined);
  const composedNote = record.composed === true && html`<p>${page.speech.render(composedText)}</p>`;
  return section(page.speech.say`Sources`, html`${sources(page, documents)}${composedNote}`, { id: 'sources' });
}
