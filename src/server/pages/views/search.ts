import { hitEntry } from '../../../format/web-feed.ts';
import { markMatches } from '../../../language/snippet.ts';
import { outcomeSentence } from '../../../model/ballot-sentence.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import { type KindName, kindCount, kindOf } from '../../../model/kinds.ts';
import { optionalWords } from '../../../questions/parameter-kinds.ts';
import { kindNames } from '../../../questions/record.ts';
import { search } from '../../../questions/search.ts';
import { readRecord } from '../../../store/record.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { say, verbatim } from '../../../words/speech.ts';
import { chips, day, emptyNote, facts, inFrench, line, onward } from '../elements.ts';
import type { FilterField } from '../filter-field.ts';
import {
  chamberField,
  choicesOf,
  departmentField,
  filterForm,
  kindField,
  partyField,
  politicianField,
  topicField,
} from '../filter-form.ts';
import { type Content, type Html, html } from '../html.ts';
import type { ListAnswer, PageContent, ViewPage } from '../page-context.ts';
import { coverageNote, listNotes, pager, partyLink, personLink, suggestionsSection } from '../parts.ts';
import { createPageView } from '../view.ts';
import { pageSuggestions, suggestionList, suggestionOf } from './suggest.ts';

const { all_copies: _copies, explain: _explain, ...pageParameters } = search.parameters;
const parameters = { ...pageParameters, q: optionalWords('what is searched for') };

const searchedKinds = choicesOf(search.parameters.type);

/** Page `/search`: search over all kinds; in a static site, a script searches. */
export const searchPage = createPageView(search, {
  path: '/search',
  title: say`Search`,
  parameters,
  // `types` means the same as `type`; without both, all kinds are searched.
  questionValues: ({ q = '', type, types, ...values }) => ({ ...values, q, type: type ?? types ?? searchedKinds }),
  onScreen: { all_copies: false },
  feed: {
    title: ({ speech, queryParameters }) => speech.say`Search: ${queryParameters.q?.[0] ?? ''}`,
    entry: hitEntry,
  },
  isQueried: ({ values: { q } }) => typeof q === 'string',
  values(page, answer) {
    const { mirror, once, values } = page;
    const withRecord = (hit: Document) => ({
      ...hit,
      record: readRecord(mirror, kindOf(hit.type as KindName), textOf(hit, 'slug', 'id') ?? '') ?? {},
    });
    const items = answer.items.map(withRecord);
    const nearMatches = answer.near && { ...answer.near, items: answer.near.items.map(withRecord) };
    const isFirstPage = typeof values.q === 'string' && values.cursor === undefined;
    const matchingPages = isFirstPage && !page.isStatic ? pageSuggestions(page, values.q as string) : [];
    return { answer: { ...answer, items, near: nearMatches }, topics: once('topics', topicNames), matchingPages };
  },
  template(page, { answer, topics, matchingPages }) {
    const { speech, values } = page;
    if (page.isStatic) return staticSearch(page);
    const q = typeof values.q === 'string' ? values.q : null;
    const syntax = facts([
      [html`<code>"…"</code>`, speech.say`a phrase, word for word`],
      [html`<code>-…</code>`, speech.say`without this word`],
      [html`<code>…*</code>`, speech.say`words with this prefix`],
    ]);
    const rule = speech.say`All words must be found, in any order; accents and capital letters do not matter.`;
    const checkLink = onward(page.href('/check'), speech.say`Check a quotation`);
    const help = html`<div class="help"><p>${rule}</p>${syntax}${checkLink}</div>`;
    const fields = searchFields(topics);
    const form = filterForm(page, fields);
    if (q === null) return { body: html`${form}${help}` };
    const body = html`${form}${suggestionList(matchingPages)}${results(page, answer)}`;
    return { title: speech.say`Search for ${speech.quoted(q)}`, fields, body };
  },
});

/** The search page of a static site, whose script `site-search.js` reads index files. */
function staticSearch({ speech, language }: ViewPage): PageContent {
  const kinds = kindNames.map((kind) => html` data-kind-${kind}="${speech.word(kind)}"`);
  const words = html` data-all="${speech.say`Found:`}" data-none="${speech.say`No results.`}" data-more="${speech.say`Show more`}" data-often="${speech.say`very frequent words are ignored`}"`;
  const body = html`<div id="found" role="status" lang="${language}"${kinds}${words}></div>
<noscript><p class="note">${speech.say`This search requires JavaScript; without it, use the lists to find any record.`}</p></noscript>`;
  return {
    lead: speech.say`Searches names, titles and texts. All words must match; longer words match by prefix.`,
    body,
    head: html`<script src="/assets/site-search.js" defer></script>
`,
  };
}

const searchFields = (topics: readonly string[]): FilterField[] => [
  { name: 'q', label: say`Words`, type: 'search', completes: 'all' },
  kindField('type', searchedKinds),
  partyField,
  politicianField,
  chamberField,
  departmentField,
  { name: 'since', label: say`Since`, hint: verbatim('2026-01-31') },
  ...(topics.length > 0 ? [topicField(topics)] : []),
];

function results(page: ViewPage, answer: ListAnswer): Html {
  const { speech, queryParameters, hrefWith } = page;
  const { items, extra } = answer;
  const filterNames = Object.keys(parameters).filter((key) => !/^(q|limit|cursor)$/.test(key) && queryParameters[key]);
  const withoutFilters = Object.fromEntries([...filterNames, 'cursor'].map((name) => [name, null]));
  const link = filterNames.length > 0 && onward(hrefWith(withoutFilters), speech.say`The same words without filters`);
  const emptyText =
    items.length === 0 && html`${emptyNote(speech.say`No results.`)}${coverageNote(page, answer)}${link}`;
  const list = (hits: readonly Document[]) =>
    html`<ol class="items hits">${[...Map.groupBy(hits, kindAndTitle).values()].map((each) => hitsOfTitle(page, each))}</ol>`;
  return html`${listNotes(page, answer)}${kindLinks(page, extra)}${emptyText}${items.length > 0 && list(items)}${pager(page, answer)}${suggestionsSection(page, answer, list)}`;
}

function kindLinks({ speech, hrefWith, queryParameters }: ViewPage, { counts }: Document): Html | null {
  if (!isDocument(counts)) return null;
  const nonZeroCounts = Object.entries(counts).filter(([, count]) => count !== 0);
  if (nonZeroCounts.length < 2) return null;
  const links = nonZeroCounts.map(([kind, count]) => ({
    text:
      typeof count === 'number'
        ? kindCount(speech, kindOf(kind as KindName), count)
        : html`${speech.word(kindOf(kind as KindName).plural)} …`,
    href: queryParameters.type?.includes(kind) ? null : hrefWith({ type: kind, cursor: null }),
  }));
  return chips(speech.say`Results by kind`, links);
}

/** Kind and title of a hit; hits that share both are grouped at the rank of the best. */
const kindAndTitle = (hit: Document) => `${hit.type} ${textOf(hit, 'title') ?? textOf(hit, 'slug', 'id')}`;

/** The best hit of a title, and the others folded below: hundreds of speeches of a debate share a title. */
function hitsOfTitle(page: ViewPage, [best, ...otherHits]: Document[]): Html {
  const { speech } = page;
  const count = speech.number(otherHits.length);
  const foldedHits =
    otherHits.length > 0 &&
    html`<details><summary>${speech.plural(
      otherHits.length,
      say`${count} more with the same title`,
      say`${count} others with the same title`,
    )}</summary><ol class="items hits">${otherHits.map((hit) => hitItem(page, hit))}</ol></details>`;
  return hitItem(page, best!, foldedHits);
}

function hitItem(page: ViewPage, hit: Document, foldedHits: Content = null): Html {
  const { speech } = page;
  const kind = String(hit.type) as KindName;
  const key = textOf(hit, 'slug', 'id') ?? '';
  const title = textOf(hit, 'title') ?? key;
  const snippet = textOf(hit, 'snippet');
  const showsTitleOnly = snippet === null || snippet === title;
  const record = isDocument(hit.record) ? hit.record : {};
  // The meta line below already shows the office.
  const isRepeated = showsTitleOnly || (kind === 'politician' && textOf(record, 'current_role') === snippet);
  const text = !isRepeated && html`<p class="text" lang="fr">${markedHtml(snippet, hit.offsets)}</p>`;
  const copies =
    typeof hit.copies === 'number' &&
    hit.copies > 0 &&
    speech.plural(
      hit.copies,
      say`${speech.number(hit.copies)} more with the same text`,
      say`${speech.number(hit.copies)} others with the same text`,
    );
  const authors = Array.isArray(hit.co_authors) ? hit.co_authors : [];
  const names = authors.map((slug, at) => [at > 0 && ', ', personLink(page, slug)]);
  return html`<li class="item"><h2><a href="${page.recordHref(kind, key)}" lang="fr">${showsTitleOnly ? markedHtml(title, hit.offsets) : title}</a></h2>${text}<p class="meta">${line(
    // The description of a party includes its kind.
    kind === 'party' ? null : html`<span class="kind">${speech.word(kind)}</span>`,
    day(speech, textOf(hit, 'date')),
    kind === 'politician' ? null : personLink(page, hit.politician),
    ...recordContext(page, kind, record),
    copies && html`${copies}${names.length > 0 && html`: ${names}${names.length < Number(hit.copies) && ', …'}`}`,
  )}</p>${foldedHits}</li>
`;
}

/** Context of a record: office of a politician, outcome of a ballot, party and stance of others. */
function recordContext(page: ViewPage, kind: KindName, record: Document): Content[] {
  if (kind === 'ballot') return [page.speech.render(outcomeSentence(record))];
  if (kind === 'politician' || kind === 'party') return [inFrench(suggestionOf(page, record).about)];
  return [partyLink(page, record.party), inFrench(textOf(record, 'outcome', 'status', 'stance'))];
}

function markedHtml(text: string, offsets: Document[string] | undefined): Html {
  const separator = '\ue000'; // A private-use character, which alternately opens and closes a match.
  const matches = { text: text.replaceAll(separator, ' '), offsets: (offsets ?? []) as [number, number][] };
  const parts = markMatches(matches, { open: separator, close: separator }).split(separator);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part))}`;
}
