import { datasetsSection, limitsSection } from '../../../evidence/evidence.ts';
import { type EvidenceFacts, gatherFacts } from '../../../evidence/facts.ts';
import { withdrawalText } from '../../../format/change-text.ts';
import { differenceHtml } from '../../../format/difference.ts';
import { shellLine } from '../../../format/sanitise.ts';
import { versionEntry } from '../../../format/web-feed.ts';
import { contradictionPhrase } from '../../../model/contradiction.ts';
import { type Document, documentsIn, isDocument, textOf } from '../../../model/document.ts';
import { titleOf } from '../../../model/facets.ts';
import { historyPath, type Kind, type KindName, kindCount, kindOf, recordPath } from '../../../model/kinds.ts';
import { dayInParis } from '../../../model/moment.ts';
import type { FieldChange } from '../../../model/normal-form.ts';
import { changeFilterParameters, changes } from '../../../questions/changes.ts';
import { history } from '../../../questions/history.ts';
import { type ChangeCount, changeCounts } from '../../../store/history/change-counts.ts';
import { contradictionsIn } from '../../../store/records/contradictions.ts';
import { lastFillStart } from '../../../store/syncs/runs.ts';
import { type Speech, say } from '../../../words/speech.ts';
import { changeFeed } from '../alternate-forms.ts';
import { chips, line, moment, section, shorten } from '../elements.ts';
import { fieldFacts, fieldName } from '../fields.ts';
import { choicesOf, dayFields, filterForm, kindField, partyField, politicianField } from '../filter-form.ts';
import { Html, html } from '../html.ts';
import { type ListAnswer, type PageContext, pageAttribution, type ViewPage } from '../page-context.ts';
import { listContent, personLink } from '../parts.ts';
import { createPageView } from '../view.ts';

/** Page `/changes`: changes by day and kind, with word diffs. */
export const changesPage = createPageView(changes, {
  path: '/changes',
  title: say`Changes`,
  feed: changeFeed,
  siteExtensions: ['atom'],
  // `since=last` starts at the last sync or import; before the first one the list is empty.
  isEmpty: ({ values, reading, mirror }) =>
    values.since === 'last' && reading.asOf === null && lastFillStart(mirror) === null,
  values: (page, answer) => ({ counts: countsOf(page, answer) }),
  template(page, { answer, counts }) {
    const { speech } = page;
    const since = textOf(answer.extra, 'since');
    const until = typeof page.values.until === 'string' ? page.values.until : null;
    const begin = since && Date.parse(since) === 0 ? speech.say`the beginning` : moment(speech, since);
    const figures = changeFigures(page, counts);
    const content = listContent(page, answer, {
      fields,
      lead: html`${speech.say`Records added, edited, withdrawn or renamed, on the dates at which this mirror detected it.`}${since && html` ${speech.say`Shown since`} ${begin}${until && html` ${speech.say`until`} ${moment(speech, until)}`}.`}`,
      filters: html`${filters(page, since)}${figures}`,
      list: answer.items.length === 0 ? null : changesByDay(page, answer.items),
      empty: since === null ? speech.say`No changes yet: this mirror was never synced.` : speech.say`Nothing changed.`,
      description: speech.say`Records added, edited and withdrawn, with the words removed and added.`,
    });
    // A first import is shown by its counts, which link to its records.
    if (counts.length === 0 || counts.some(({ change }) => change !== 'first')) return content;
    const kindLinks = counts.map(({ day, kind, count }) => ({
      text: kindCount(speech, kindOf(kind), count),
      href: page.href('/changes', { since: day, until: day, kind }),
    }));
    return { ...content, body: html`${filters(page, since)}${figures}${chips(speech.say`first import`, kindLinks)}` };
  },
});

/** Counts the changes of the page's period; empty if a filter other than days is set, or after the first page. */
function countsOf({ queryParameters, mirror, reading, values }: PageContext, { extra }: ListAnswer): ChangeCount[] {
  const since = textOf(extra, 'since');
  const until = (values.until as string | undefined) ?? reading.asOf;
  const isPartialList = [...Object.keys(changeFilterParameters), 'cursor'].some((name) => queryParameters[name]);
  if (since === null || isPartialList) return [];
  return changeCounts(mirror, { since, until })!; // null only with further filters
}

const maxDays = 14;

/** Returns counts of changes by day, type and kind (first import: one figure for all kinds); null without any. */
export function changeFigures(page: ViewPage, counts: readonly ChangeCount[]): Html | null {
  if (counts.length === 0) return null;
  const { speech, href } = page;
  const days = [...Map.groupBy(counts, ({ day }) => day)].slice(0, maxDays);
  const changeText = (change: string, typeCounts: readonly ChangeCount[]) => {
    if (change !== 'first')
      return html`${speech.word(change)} ${typeCounts.map(({ kind, count }) => kindCount(speech, kindOf(kind), count)).join(', ')}`;
    const sum = typeCounts.reduce((all, { count }) => all + count, 0);
    return speech.say`${speech.say`first import`}: ${speech.count(sum, 'record')}`;
  };
  const lines = days.map(([day, dayChanges]) => {
    const texts = [...Map.groupBy(dayChanges, ({ change }) => change)].map((entry) => changeText(...entry));
    return html`<li><a href="${href('/changes', { since: day, until: day })}">${speech.day(day)}</a> <span class="meta">${line(...texts)}</span></li>\n`;
  });
  return html`<ul class="brief">${lines}</ul>`;
}

function filters(page: ViewPage, since: string | null): Html | null {
  const { queryParameters } = page;
  const hasExplicitSince = queryParameters.since !== undefined && queryParameters.since[0] !== 'last' && since !== null;
  const datedParameters = {
    ...queryParameters,
    // The form has fields for days; questions read days as those in Paris.
    since: hasExplicitSince ? [dayInParis(Date.parse(since))] : [],
    until: queryParameters.until ? [dayInParis(Date.parse(String(page.values.until)))] : [],
  };
  return filterForm({ ...page, queryParameters: datedParameters }, fields);
}

const fields = [...dayFields, kindField('kind', choicesOf(changes.parameters.kind)), politicianField, partyField];

function changesByDay(page: ViewPage, items: readonly Document[]): Html {
  const { speech } = page;
  return html`${[...Map.groupBy(items, ({ seen_at }) => String(seen_at).slice(0, 10))].map(
    ([day, dayChanges]) => html`<section class="day"><h2><time datetime="${day}">${speech.day(day)}</time></h2>
${[...Map.groupBy(dayChanges, ({ kind }) => String(kind))].map(
  ([kind, kindChanges]) => html`<h3 class="kind">${speech.word(kind)}</h3>
<ul class="changes">${kindChanges.map((change, at) => changeItem(page, change, { before: kindChanges[at - 1] }))}</ul>
`,
)}</section>
`,
  )}`;
}

/** `isBrief` omits word diffs, `isOwn` the politician; a moment equal to that of `before` is omitted. */
type ChangeStyle = { before?: Document | undefined; isBrief?: boolean; isOwn?: boolean };

/** Returns one change as a list item. */
export function changeItem(page: ViewPage, change: Document, { before, isBrief, isOwn }: ChangeStyle = {}) {
  const { speech } = page;
  const kind = String(change.kind);
  const key = String(change.key);
  const changeType = String(change.change);
  const history = page.href(historyPath(kind, key));
  const formerKey = textOf(change, 'former_key');
  const address = changeType === 'withdrawn' ? history : page.recordHref(kind, key);
  const about = line(
    html`<span class="change ${changeType}">${speech.word(changeType)}</span>`,
    !isBrief && withdrawalText(change, speech),
    isBrief ? speech.word(kind) : formerKey !== null && html`<del>${formerKey}</del> <ins>${key}</ins>`,
    kind !== 'politician' && !isOwn && personLink(page, change.politician),
    change.seen_at !== before?.seen_at && moment(speech, String(change.seen_at)),
    !isBrief && html`<a href="${history}">${speech.say`all versions`}</a>`,
  );
  const title = shorten(textOf(change, 'title') ?? key, isBrief ? 140 : 200);
  return html`<li><a href="${address}" lang="fr">${title}</a><p class="meta">${about}</p>${!isBrief && differences(speech, change.fields)}</li>
`;
}

function differences(speech: Speech, fields: unknown): Html | null {
  const fieldChanges = documentsIn(fields) as FieldChange[];
  if (fieldChanges.length === 0) return null;
  return html`<dl class="difference">${fieldChanges.map(
    ({ field, old, new: next }) =>
      html`<div><dt>${fieldName(speech, field)}</dt><dd lang="fr">${new Html(differenceHtml(old, next, speech, (name) => fieldName(speech, name)))}</dd></div>`,
  )}</dl>`;
}

/** Page `/history/{kind}/{key}`: the versions of one record. */
export const historyPage = createPageView(history, {
  path: '/history/{kind}/{key}',
  feed: {
    title: ({ speech, values }) => speech.say`Versions of ${String(values.key)}`,
    entry: (item, context, { values }) =>
      versionEntry(item, { kind: values.kind as KindName, key: String(values.key) }, context),
  },
  sharesFile: true,
  values(page, answer) {
    const { mirror, reading } = page;
    const { items, extra } = answer;
    const kind = extra.kind as KindName;
    const { document = {}, seen_to: seenTo } = items.find(({ part }) => part === 'row') ?? items[0] ?? {};
    const isCurrent = seenTo === null && isDocument(document);
    // The page shows neither `madeAt` nor `version`.
    const request = { references: [{ kind, key: String(extra.key) }], asOf: reading.asOf, madeAt: '', version: '' };
    const { facts } = gatherFacts(mirror, { ...request, attribution: pageAttribution(page) });
    return { contradictions: isCurrent ? contradictionsIn(mirror, kind, document) : [], facts };
  },
  template(page, { answer, contradictions, facts }) {
    const { speech } = page;
    const kind = kindOf(answer.extra.kind as KindName);
    const key = String(answer.extra.key);
    const newest = answer.items[0]?.document;
    const title = speech.say`Versions of ${shorten(titleOf(kind, isDocument(newest) ? newest : {}), 200)}`;
    const lead = html`${speech.say`Times are those at which this mirror received a version. The service keeps no history.`} <a href="${page.recordHref(kind.name, key)}">${speech.say`The record itself`}</a>`;
    const versions = answer.items.map((version) => versionItem(page, version, { kind, key, facts }));
    const list = section(speech.count(versions.length, 'version'), html`<ol class="versions">${versions}</ol>`);
    const kicker = html`${speech.word(kind.name)} <span class="id">${key}</span>`;
    const contradictionItems = contradictions.map((each) => html`<li>${speech.render(contradictionPhrase(each))}</li>`);
    const contradicted =
      contradictionItems.length > 0 &&
      section(speech.say`Contradictions in the data`, html`<ul class="brief">${contradictionItems}</ul>`);
    const command = shellLine(['hemicycle', 'evidence', kind.name, key, '-o', 'evidence.zip']);
    const evidence = html`<section id="evidence">${facts.datasets.length > 0 && datasetsSection(facts, speech)}${limitsSection('page', speech)}<p>${speech.say`Download the versions, their sources and checksums as one file:`}</p><pre>${command}</pre></section>`;
    return { title, kicker, lead, body: html`${contradicted}${list}${!page.isStatic && evidence}` };
  },
});

type VersionedRecord = { kind: Kind; key: string; facts: EvidenceFacts };

function versionItem(page: ViewPage, version: Document, { kind, key, facts }: VersionedRecord): Html {
  const { speech, href } = page;
  const from = String(version.seen_from);
  const to = textOf(version, 'seen_to');
  const pastHref = href(recordPath(kind.name, key), { as_of: from });
  const until =
    to === null
      ? speech.say`current`
      : html`${speech.word(String(version.ended_by))} ${speech.say`on`} ${moment(speech, to)}`;
  const head = line(
    html`<strong>${moment(speech, from)}</strong>`,
    until,
    version.part === 'detail' ? speech.say`in its full document` : speech.say`in its dataset`,
    html`<a href="${pastHref}">${speech.say`the page on that date`}</a>`,
  );
  const stored = facts.records[0]?.versions.find((each) => each.part === version.part && each.seen_from === from);
  const content = isDocument(version.document) ? version.document : {};
  const changesOrContent =
    differences(speech, version.changes) ??
    html`<details><summary>${speech.say`its content`}</summary>${fieldFacts(page, Object.entries(content))}</details>`;
  return html`<li><p class="meta">${head}</p>${changesOrContent}<p class="meta">SHA-256 <code>${stored?.sha256}</code></p></li>
`;
}
