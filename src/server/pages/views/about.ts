import { type CatalogTable, catalogText, linkedDataType } from '../../../format/catalog.ts';
import { apiExportFormats, formats } from '../../../format/formats.ts';
import { type Citation, type Licence, odbl, webAddress } from '../../../model/attribution.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { addressOf, type Kind, kinds } from '../../../model/kinds.ts';
import { audit } from '../../../questions/audit.ts';
import { contradictions } from '../../../questions/contradictions.ts';
import { listGaps, readContents } from '../../../store/records/contents.ts';
import { countRows, distinctValues } from '../../../store/rows.ts';
import { say } from '../../../words/speech.ts';
import { type AlternateForm, recordFeed } from '../alternate-forms.ts';
import { ageText, emptyNote, moment, onward, section, table } from '../elements.ts';
import { codeLabel } from '../fields.ts';
import { filterForm, kindField } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import { type PageContext, pageAttribution, pageAttributionText, type ViewPage } from '../page-context.ts';
import { listContent } from '../parts.ts';
import { createPageView } from '../view.ts';

/** Page `/about`: source, licence, citation, age and gaps of the data. */
export const aboutPage = createPageView(null, {
  path: '/about',
  title: say`About this copy`,
  values: ({ mirror }) => ({ kindContents: readContents(mirror), knownGaps: listGaps(mirror) }),
  template(page, { kindContents, knownGaps }) {
    const { speech, href, isStatic } = page;
    const contentsHeading = speech.say`What it contains, and what is missing`;
    const contentsTable = table(page, contentsHeading, kindContents, [
      [speech.say`Kind`, ({ kind }) => speech.word(kind), 'name'],
      [speech.say`Records`, ({ records }) => records, 'number'],
      [speech.say`Withdrawn`, ({ withdrawn }) => withdrawn, 'number'],
      [speech.say`How complete`, ({ completeness }) => completeness && speech.word(completeness)],
      [speech.say`Retrieved`, ({ retrieved_at: at }) => moment(speech, at)],
    ]);
    const gapList =
      knownGaps.length === 0
        ? html`<p>${speech.say`No gap is known.`}</p>`
        : html`<p>${speech.say`Some entries may be missing:`}</p><ul>${knownGaps.map(
            ({ kind, noticed_at }) =>
              html`<li>${speech.word(kind)}, ${speech.say`noticed on`} ${moment(speech, noticed_at)}</li>`,
          )}</ul>`;
    const furtherLinks = isStatic
      ? html`<li><a href="${href('/catalog')}">${speech.say`Download data`}</a></li>`
      : html`<li><a href="${href('/contradictions')}">${speech.say`Contradictions in the data`}</a></li><li><a href="${href('/ask')}">${speech.say`Saved questions`}</a></li><li><a href="/docs">${speech.say`For programs: the interface`}</a></li>`;
    const age = html`<p>${ageText(page, speech.say`Last retrieved on`)}</p>`;
    const links = html`<ul class="plain"><li><a href="${href('/guide')}">${speech.say`Guide`}</a></li><li><a href="${href('/audit')}">${speech.say`Moderation log`}</a></li>${furtherLinks}</ul>`;
    const limits =
      isStatic &&
      html`<p>${speech.say`These pages are static files: they cannot filter lists, compare groups over selected votes, or show past states. A copy served by the program can.`} ${speech.say`They also cannot respond with 410 for withdrawn records: these have no page, only a history.`}</p>`;
    const body = html`<div class="prose">${ownership(page)}${publisher(page)}${section(speech.say`How old it is`, age)}</div>${section(contentsHeading, html`${contentsTable}${gapList}`)}${section(speech.say`More`, links)}${section(speech.say`What these pages cannot do`, limits)}`;
    return { body };
  },
});

/** Returns the publisher's contact, as a link for a URL or email address; null if none is configured. */
export function contactOf({ contact }: Citation): Html | null {
  if (!contact) return null;
  const address = webAddress(contact) ?? (/^[^\s@]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : null);
  return address ? html`<a href="${address}">${contact}</a>` : html`${contact}`;
}

function publisher({ speech, citation }: ViewPage): Html {
  const contact = contactOf(citation);
  const publisherName = citation.publisher ?? speech.say`The publisher of this copy has not given a name.`;
  const publishing = html`<p>${publisherName}${contact && html` · ${contact}`}</p>`;
  const corrections = html`<p>${speech.say`Errors are corrected at the source: write to the service, and this copy will include the correction at its next update.`} ${speech.say`You may object to the publication of data about you: write to the publisher, with the address of the page.`} ${speech.say`Withheld records are erased from this copy and do not come back.`}</p>`;
  return html`${section(speech.say`Who publishes this copy`, publishing)}${section(speech.say`Corrections and objections`, corrections)}`;
}

function ownership(page: ViewPage): Html {
  const { speech, citation, isStatic } = page;
  const address = webAddress(citation.siteUrl ?? '');
  const name = address === null ? html`${citation.name}` : html`<a href="${address}">${citation.name}</a>`;
  const source = html`<p>${speech.say`All records on these pages were published by`} ${name}${speech.say`, a public information service about politicians and parties. This server shows a copy of them; it adds no judgement of its own, and a value that the service does not state is left empty.`}</p>`;
  const licence = html`<p>${speech.say`The service states: free for non-commercial use. Whole datasets, and parts of them, are licensed under the`} <a href="${odbl.url}" rel="license">Open Database License (ODbL) 1.0</a>. <a href="${page.href('/catalog')}">${speech.say`The terms, kind by kind`}</a></p>`;
  const permanenceNote =
    !isStatic &&
    html`<p>${speech.say`Each record has a permanent address on this server; with a date, it shows the record as of that date:`} <code>?as_of=2026-11-01</code></p>`;
  const citing = html`<p>${speech.say`Name the service, link to it, and say when it was retrieved:`}</p><p class="cite">${pageAttributionText(page)}</p>${permanenceNote}`;
  return html`${section(speech.say`Whose data this is`, source)}${section(speech.say`Licence`, licence)}${section(speech.say`How to cite it`, citing)}`;
}

/** Page `/audit`: the moderation log. */
export const auditPage = createPageView(audit, {
  path: '/audit',
  title: say`Moderation log`,
  feed: recordFeed('audit'),
  values: ({ mirror }) => ({ kinds: distinctValues(mirror, 'audit', 'entity_type') }),
  template(page, { answer, kinds }) {
    const { speech } = page;
    const codeText = (field: string, value: string | null) => codeLabel(speech, field, value ?? '') ?? value;
    const fields = [
      kindField('entity_type', kinds, say`Kind of record`),
      { name: 'limit', label: say`How many`, options: ['20', '50', '200'].map((each) => [each, each] as const) },
    ];
    return listContent(page, answer, {
      fields,
      lead: speech.say`Actions of the service’s moderators on its records. The log is public and anonymous.`,
      filters: filterForm(page, fields),
      list: table(page, page.title, answer.items, [
        [speech.say`Date`, (entry) => moment(speech, textOf(entry, 'date'))],
        [speech.say`Role`, (entry) => codeText('role', textOf(entry, 'role'))],
        [speech.say`Kind of record`, (entry) => speech.word(textOf(entry, 'entity_type') ?? '')],
        [speech.say`Action`, (entry) => codeText('action', textOf(entry, 'action'))],
      ]),
      empty: speech.say`The log is empty.`,
    });
  },
});

/** Returns the catalog entry of a kind: its whole dataset in each export format, else the CSV of its list. */
function catalogEntry(page: PageContext, kind: Kind): CatalogTable {
  const { mirror, reading, origin } = page;
  const { path, query = {} } = kind.list;
  const commonQuery = reading.asOf === null ? {} : { as_of: reading.asOf };
  const urlOf = (to: string, parameters: Record<string, string> = {}) =>
    `${origin}${addressOf(to, { ...parameters, ...commonQuery })}`;
  const exportUrl = (format: string) => urlOf('/api/v1/export/dataset', { entity: kind.plural, format });
  return {
    name: kind.plural,
    description: kind.description,
    columns: kind.columns,
    records: countRows(mirror, kind),
    attribution: pageAttribution(page, kind.dataset ? odbl : null),
    page: urlOf(path, query),
    // JSON lists are paged, so only CSV is a whole file.
    distributions: kind.dataset
      ? apiExportFormats.map(({ name, mediaType }) => ({ address: exportUrl(name), mediaType }))
      : [{ address: urlOf(`${path}.csv`, query), mediaType: 'text/csv' }],
  };
}

const catalogEntries = (page: PageContext) => [...kinds].reverse().map((kind) => catalogEntry(page, kind));

const jsonld: AlternateForm = {
  mediaType: linkedDataType,
  hasAbsoluteAddresses: true,
  make(page) {
    const { origin, citation, filledAt: retrievedAt } = page;
    return catalogText({ home: `${origin}/`, citation, retrievedAt, tables: catalogEntries(page) });
  },
};

/** Page `/catalog`: the data as files; as JSON-LD, a DCAT catalog. */
export const catalogPage = createPageView(null, {
  path: '/catalog',
  title: say`Download data`,
  forms: { jsonld },
  values: (page) => ({ tables: catalogEntries(page) }),
  template(page, { tables }) {
    const { speech } = page;
    const lead = speech.say`Whole files of the kinds that the service exports, and lists of the others.`;
    const fileLink = ({ address, mediaType }: CatalogTable['distributions'][number]) =>
      html`<a href="${address.slice(page.origin.length)}" type="${mediaType}">${formatName(mediaType)}</a> `;
    const licenceLink = (terms: Licence | null) =>
      terms ? html`<a href="${terms.url}" rel="license">${terms.id}</a>` : speech.say`free for non-commercial use`;
    const list = table(page, page.title, tables, [
      [speech.say`Kind`, ({ name }) => speech.word(name), 'name'],
      [speech.say`Records`, ({ records }) => records, 'number'],
      [speech.say`Files`, ({ distributions }) => distributions.map(fileLink)],
      [speech.say`Licence`, ({ attribution: { licence } }) => licenceLink(licence)],
    ]);
    return { lead, body: html`${list}` };
  },
});

function formatName(mediaType: string): string {
  const [type = ''] = mediaType.split(';');
  return formats.find((each) => each.mediaType.startsWith(type))?.name ?? type.replace('application/', '');
}

const fieldText = (row: Document, name: string) => textOf(row, name) ?? '';

/** Page `/contradictions`: rules with their number of contradictions or, for one rule, its records. */
export const contradictionsPage = createPageView(contradictions, {
  path: '/contradictions',
  siteExtensions: null,
  title: say`Contradictions in the data`,
  template(page, { answer: { items, total } }) {
    const { speech, href, recordHref, values, title } = page;
    const lead = speech.say`Both figures are shown as published; the program does not decide which is correct.`;
    const linkIn = (row: Document, field: string, url: string) => html`<a href="${url}">${fieldText(row, field)}</a>`;
    if (values.rule === undefined) {
      const sentence = speech.language === 'fr' ? 'sentence_fr' : 'sentence';
      const ruleHref = (row: Document) => page.hrefWith({ rule: fieldText(row, 'rule') });
      const body = table(page, title, items, [
        [speech.say`Rule`, (row) => linkIn(row, 'rule', ruleHref(row)), 'name'],
        [speech.say`True if there is no contradiction`, (row) => fieldText(row, sentence)],
        [speech.say`Records`, (row) => row.records as number, 'number'],
        [speech.say`Likelier cause`, (row) => speech.word(fieldText(row, 'cause'))],
      ]);
      return { lead, body: html`${filterForm(page, [])}${body}` };
    }
    const shownRows = items.slice(0, 1000);
    const hrefOf = (row: Document) => recordHref(fieldText(row, 'kind'), fieldText(row, 'key'));
    const figure = (name: 'one' | 'other') => (row: Document) =>
      html`${fieldText(row, name)} <span class="meta">${speech.word(fieldText(row, `${name}_of`))}</span>`;
    const body = table(page, title, shownRows, [
      [speech.say`Record`, (row) => linkIn(row, 'key', hrefOf(row)), 'name'],
      [speech.say`Field`, (row) => speech.field(fieldText(row, 'about'))],
      [speech.say`First figure`, figure('one')],
      [speech.say`Second figure`, figure('other')],
    ]);
    const remainderNote =
      shownRows.length < items.length &&
      emptyNote(speech.say`The first ${speech.number(shownRows.length)} rows; the CSV file has more.`);
    return {
      lead,
      rows: total,
      body: html`${filterForm(page, [])}${body ?? emptyNote(speech.say`No results.`)}${remainderNote}${onward(href('/contradictions'), title)}`,
    };
  },
});
