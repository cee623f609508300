import { recordEntry } from '../../../format/web-feed.ts';
import { webAddress } from '../../../model/attribution.ts';
import { type Document, slugOf, textOf } from '../../../model/document.ts';
import { keyOf, titleOf } from '../../../model/facets.ts';
import { historyPath, type Kind, type KindName, kindOf } from '../../../model/kinds.ts';
import { check, differencePhrases } from '../../../questions/check.ts';
import { record, records } from '../../../questions/record.ts';
import { sourcesOf } from '../../../store/records/profile.ts';
import { recordsCiting } from '../../../store/saving/source-uses.ts';
import { capitalise, say } from '../../../words/speech.ts';
import { day, facts, inFrench, line, onward, outsideLink, section, shorten, table, titleWith } from '../elements.ts';
import { codeLabel, fieldFacts } from '../fields.ts';
import { filterForm, partyField, politicianField, selectField } from '../filter-form.ts';
import { type Content, html } from '../html.ts';
import type { ViewPage } from '../page-context.ts';
import { items, listContent, partyLink, personLink, recordLink, sources, topicLink } from '../parts.ts';
import { createPageView } from '../view.ts';

const requestedKind = ({ values }: Pick<ViewPage, 'values'>): Kind => kindOf(values.kind as KindName);

/** Page `/records/{kind}`: records of one kind, newest first, for kinds without a list page of their own. */
export const recordsPage = createPageView(records, {
  path: '/records/{kind}',
  title: ({ speech, values }) => capitalise(speech.word(requestedKind({ values }).plural)),
  feed: { entry: (item, context, page) => recordEntry(requestedKind(page).name, item, context) },
  template: (page, { answer }) =>
    listContent(page, answer, {
      filters: filterForm(page, [politicianField, partyField]),
      list: items(page, answer.items, { kind: requestedKind(page).name, level: 2 }),
    }),
});

const headerFields = 'id title text politician party topic date source_ids sources'.split(' ');

/** Page of one record of a kind without its own page, with all fields. */
export const recordPage = createPageView(record, {
  path: '/records/{kind}/{key}',
  sharesFile: true,
  values: ({ mirror }, document) => ({ citedSources: sourcesOf(mirror, document) }),
  template(page, { answer: document, citedSources }) {
    const { speech, href } = page;
    const kind = requestedKind(page);
    const text = textOf(document, 'text');
    const title = shorten(titleOf(kind, document), 200);
    const isQuote = kind.name === 'quote';
    const speaker = page.nameOf('politician', slugOf(document.politician ?? null) ?? '');
    const date = textOf(document, 'date');
    const heading = isQuote ? speech.say`Quotes from ${speaker ?? '…'}` : html`<span lang="fr">${title}</span>`;
    const lead = line(
      personLink(page, document.politician),
      partyLink(page, document.party),
      day(speech, date),
      topicLink(page, slugOf(document.topic ?? null)),
    );
    const rows = Object.entries(document).filter(([name]) => !headerFields.includes(name));
    const body = html`${textHtml(document, isQuote)}${fieldFacts(page, rows)}${section(speech.say`Sources`, sources(page, citedSources), { id: 'sources' })}${onward(href(historyPath(kind.name, keyOf(kind, document))), speech.say`Every version of this record`)}`;
    const description = text === null ? {} : { description: shorten(text, 200) };
    // Speeches of one debate share a title: speaker and day distinguish them.
    const fullTitle = titleWith(title, speaker, date && speech.day(date));
    return { title: fullTitle, heading, kicker: speech.word(kind.name), lead, article: '', body, ...description };
  },
});

function textHtml(document: Document, isQuote: boolean): Content {
  const text = textOf(document, 'text');
  if (text === null) return null;
  if (isQuote) return html`<blockquote lang="fr"><p>${text}</p></blockquote>`;
  if (text === textOf(document, 'title')) return null;
  const paragraphs = text.split(/\n\s*\n|\r\n\r\n/).map((each) => html`<p>${each}</p>`);
  return html`<div class="prose" lang="fr">${paragraphs}</div>`;
}

const maxCitingRecords = 50;
const maxCitingRecordsInFile = 5;

/** Page of one source, with the records that cite it. */
export const sourcePage = createPageView(record, {
  path: '/sources/{key}',
  sharesFile: true,
  isLong: true,
  parameters: { key: record.parameters.key },
  questionValues: ({ key }) => ({ kind: 'source', key }),
  kindsRead: () => ['source'],
  values({ mirror, isStatic }, source) {
    const maxRecords = isStatic ? maxCitingRecordsInFile : maxCitingRecords;
    const { citingRecords, total } = recordsCiting(mirror, textOf(source, 'id') ?? '', maxRecords);
    const documents = citingRecords.map(({ kind, json }): Document => ({ ...JSON.parse(json), type: kind }));
    return { documents, total };
  },
  template(page, { answer: source, documents, total }) {
    const { speech } = page;
    const title = textOf(source, 'title', 'url', 'id') ?? '';
    const url = textOf(source, 'url') ?? '';
    const citingList = items(page, documents);
    const count = speech.say`Cited by ${speech.count(total, 'record')} of this copy.`;
    const body = html`${facts([
      [speech.say`Document`, outsideLink(url, webAddress(url))],
      [speech.say`Published by`, textOf(source, 'publisher')],
      [speech.say`Date`, day(speech, textOf(source, 'date'))],
      [speech.say`Kind of document`, codeLabel(speech, 'type', textOf(source, 'type') ?? '') ?? textOf(source, 'type')],
      [speech.say`Licence, as the service states it`, textOf(source, 'licence')],
    ])}${section(speech.say`Records that cite it`, citingList && html`<p class="meta">${count}</p>${citingList}`)}`;
    return { title, heading: inFrench(title), kicker: speech.say`Source`, body };
  },
});

/** Page `/check`: whether a quotation, or the votes that an article states, agree with the records. */
export const checkPage = createPageView(check, {
  path: '/check',
  siteExtensions: null,
  title: say`Check a quotation`,
  parameters: { ...check.parameters, q: { ...check.parameters.q, isRequired: false } },
  isEmpty: ({ values }) => values.q === '',
  template(page, { answer }) {
    const { speech, title } = page;
    const matchingRecordLink = (row: Document) =>
      row.type && recordLink(page, row.type as KindName, String(row.id), shorten(textOf(row, 'said') ?? '', 320));
    const maxLength = 1800;
    const readAsField = selectField('article', say`Read as`, say`a quotation`, [['true', say`an article with votes`]]);
    const fields = [{ name: 'q', label: say`Quotation or article`, maxLength }, readAsField];
    return listContent(page, answer, {
      lead: speech.say`Compared with every quote, promise, position, speech and text here. A quotation that is not found may still be genuine. Up to ${speech.number(maxLength)} characters; hemicycle check --file reads longer texts.`,
      fields,
      filters: filterForm(page, fields),
      list: table(page, title, answer.items, [
        [speech.say`Quotation`, ({ quoted }) => inFrench(quoted as string), 'name'],
        [speech.say`Result`, ({ result }) => speech.word(String(result))],
        [speech.say`In the records`, matchingRecordLink],
        [speech.say`Differences`, (row) => line(...differencePhrases(row).map(speech.render))],
        [speech.say`Politician`, ({ politician }) => personLink(page, politician)],
        [speech.say`Date`, (row) => day(speech, textOf(row, 'date'))],
      ]),
      empty: '',
    });
  },
});
