import { differenceHtml } from '../../../format/difference.ts';
import { historyPath } from '../../../model/addresses.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import type { FieldChange } from '../../../model/normal-form.ts';
import { changes } from '../../../questions/changes.ts';
import { lastFillBegan } from '../../../store/syncs/runs.ts';
import { changeFeed, feedForms } from '../alternate-forms.ts';
import { fieldName } from '../fields.ts';
import { choicesOf, dayFields, filterForm, kindField, partyField, politicianField } from '../filter-form.ts';
import { Html, html } from '../html.ts';
import type { Rendering } from '../page-context.ts';
import { chips, line, listContent, moment, personLink, shorten } from '../parts.ts';
import { listView } from '../view.ts';

/** What changed, day by day and kind by kind, with the words that went and came. */
export const changesPage = listView(changes, {
  name: 'changes',
  path: '/changes',
  section: 'changes',
  forms: feedForms(changeFeed),
  // Where there was no last sync or import there is nothing since.
  isEmpty: ({ values, reading, mirror }) =>
    values.since === 'last' && reading.asOf === null && lastFillBegan(mirror) === null,
  template(page, answer) {
    const { speech } = page;
    const since = textOf(answer.extra, 'since');
    return listContent(page, answer, {
      title: speech.say`Changes`,
      lead: html`${speech.say`What this mirror saw added, edited, withdrawn or renamed; when it happened at the service is not known.`}${since && stretch(page, since)}`,
      filters: html`${spansOf(page)}${filters(page, since)}`,
      list: answer.items.length === 0 ? null : byDay(page, answer.items),
      empty:
        since === null
          ? speech.say`Nothing was seen yet: this mirror was never filled.`
          : speech.say`Nothing changed.`,
      description: speech.say`What was added, edited and withdrawn, with the words that went and came.`,
    });
  },
});

function stretch({ speech, values }: Rendering, since: string): Html {
  const until = typeof values.until === 'string' && values.until;
  const begin = Date.parse(since) === 0 ? speech.say`the beginning` : moment(speech, since);
  return html` ${speech.say`Shown since`} ${begin}${until && html` ${speech.say`until`} ${moment(speech, until)}`}.`;
}

/** What stands for all that was ever seen, in links to all changes of something. */
const wholePast = '3650d';

const spans = ['last', '1d', '7d', '30d', '365d', wholePast];

/** Since when, in one click. */
function spansOf(page: Rendering): Html | null {
  const { speech, given, hrefWith, isStatic } = page;
  if (isStatic) return null;
  const stated = given.until ? null : (given.since?.[0] ?? 'last');
  return chips(
    speech.say`Since when`,
    spans.map((span) => ({
      text: spanText(page, span),
      href: span === stated ? null : hrefWith({ since: span, until: null, cursor: null }),
    })),
  );
}

function spanText({ speech }: Rendering, span: string): string {
  if (span === 'last') return speech.say`the last sync or import`;
  if (span === wholePast) return speech.say`the beginning`;
  return speech.ago(Number.parseInt(span, 10) * 86_400_000);
}

/** The days between which changes were seen, and of what; a stretch that was named otherwise is told by its first day. */
function filters(page: Rendering, since: string | null): Html | null {
  const { given } = page;
  const isNamed = given.since !== undefined && given.since[0] !== 'last' && since !== null;
  const dated = {
    ...given,
    since: isNamed ? [since.slice(0, 10)] : [],
    until: (given.until ?? []).map((text) => text.slice(0, 10)),
  };
  return filterForm({ ...page, given: dated }, [
    ...dayFields(page),
    kindField(page, { name: 'kind', kinds: choicesOf(changes.parameters.kind) }),
    politicianField(page),
    partyField(page),
  ]);
}

/** In the order of the answer, under the day and the kind of each. */
function byDay(page: Rendering, items: readonly Document[]): Html {
  const { speech } = page;
  const days = Map.groupBy(items, ({ seen_at }) => String(seen_at).slice(0, 10));
  return html`${[...days].map(
    ([day, ofDay]) => html`<section class="day"><h2><time datetime="${day}">${speech.day(day)}</time></h2>
${[...Map.groupBy(ofDay, ({ kind }) => String(kind))].map(
  ([kind, ofKind]) => html`<h3 class="kind">${speech.word(kind)}</h3>
<ul class="changes">${ofKind.map((change, at) => changeEntry(page, change, ofKind[at - 1]))}</ul>
`,
)}</section>
`,
  )}`;
}

/** What came with the one before, as all of a sync does, does not say the moment again. */
function changeEntry(page: Rendering, change: Document, before: Document | undefined): Html {
  const { speech } = page;
  const [kind, key, sort] = [String(change.kind), String(change.key), String(change.change)];
  const history = page.href(historyPath(kind, key));
  const former = textOf(change, 'former_key');
  const address = sort === 'withdrawn' ? history : page.recordHref(kind, key);
  const about = line(
    html`<span class="change ${sort}">${speech.word(sort)}</span>`,
    former !== null && html`<del>${former}</del> <ins>${key}</ins>`,
    kind === 'politician' ? null : personLink(page, change.politician),
    change.seen_at !== before?.seen_at && moment(speech, String(change.seen_at)),
    html`<a href="${history}">${speech.say`all versions`}</a>`,
  );
  return html`<li><a href="${address}" lang="fr">${shorten(textOf(change, 'title') ?? key, 200)}</a><p class="meta">${about}</p>${differences(page, change.fields)}</li>
`;
}

/** One change in short: what happened to which record, and of whom it is. */
export function changeItem(page: Rendering, change: Document, { isOwn = false } = {}): Html {
  const { speech } = page;
  const [kind, key] = [textOf(change, 'kind') ?? '', textOf(change, 'key') ?? ''];
  const isGone = change.change === 'withdrawn';
  const address = isGone ? page.href(historyPath(kind, key)) : page.recordHref(kind, key);
  return html`<li><a href="${address}" lang="fr">${shorten(textOf(change, 'title') ?? key, 140)}</a><p class="meta">${line(html`<span class="change ${change.change as string}">${speech.word(String(change.change))}</span>`, speech.word(kind), kind === 'politician' || isOwn ? null : personLink(page, change.politician), moment(speech, String(change.seen_at)))}</p></li>
`;
}

/** What changed field by field, the words that went struck out; nothing where nothing did. */
export function differences(
  { speech }: Pick<Rendering, 'speech'>,
  fields: Document[string] | undefined,
): Html | null {
  const changed = (Array.isArray(fields) ? fields : []).filter(isDocument) as FieldChange[];
  if (changed.length === 0) return null;
  return html`<dl class="difference">${changed.map(
    ({ field, old, new: next }) =>
      html`<div><dt>${fieldName(speech, field)}</dt><dd lang="fr">${new Html(differenceHtml(old, next, (name) => fieldName(speech, name)))}</dd></div>`,
  )}</dl>`;
}
