import { differenceHtml } from '../../../format/difference.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import type { FieldChange } from '../../../model/normal-form.ts';
import { changes } from '../../../questions/changes.ts';
import { lastFillBegan } from '../../../store/syncs/runs.ts';
import { historyPath } from '../addresses.ts';
import { changeFeed, feedForms } from '../feed-forms.ts';
import { fieldName } from '../fields.ts';
import { choicesOf, form } from '../form.ts';
import { Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { heading, line, moment, pager, personLink, shorten } from '../parts.ts';
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
  render(making, answer) {
    const { speech, given } = making;
    const title = speech.say`Changes`;
    const since = textOf(answer.extra, 'since');
    const lead = html`${speech.say`What this mirror saw added, edited, withdrawn or renamed; when it happened at the service is not known.`}${
      since && html` ${speech.say`Shown since`} ${moment(speech, since)}.`
    }`;
    const spans = ['last', '1d', '7d', '30d', '365d'];
    const stated = given.since?.[0];
    const filters = form(making, [
      {
        name: 'since',
        label: speech.say`Since when`,
        options: [
          ...(stated === undefined || spans.includes(stated) ? spans : [...spans, stated]).map(
            (span) => [span, spanText(making, span)] as const,
          ),
        ],
      },
      {
        name: 'kind',
        label: speech.say`Kind`,
        options: [
          ['', speech.say`all kinds`],
          ...choicesOf(changes.parameters.kind).map((kind) => [kind, speech.word(kind)] as const),
        ],
      },
      { name: 'politician', label: speech.say`Politician`, completes: '/politicians.json' },
      { name: 'party', label: speech.say`Party or group` },
    ]);
    const list =
      answer.items.length === 0
        ? html`<p class="none">${since === null ? speech.say`Nothing was seen yet: this mirror was never filled.` : speech.say`Nothing changed.`}</p>`
        : byDay(making, answer.items);
    return {
      title,
      body: html`${heading(title, { lead })}${filters}${list}${pager(making, answer)}`,
      description: speech.say`What was added, edited and withdrawn, with the words that went and came.`,
    };
  },
});

/** What stands for all that was ever seen, in links to all changes of something. */
const wholePast = '3650d';

function spanText({ speech }: Making, span: string): string {
  if (span === 'last') return speech.say`the last sync or import`;
  if (span === wholePast) return speech.say`the beginning`;
  const [, days] = /^(\d+)d$/.exec(span) ?? [];
  return days === undefined ? span : speech.ago(Number(days) * 86_400_000);
}

/** In the order of the answer, under the day and the kind of each. */
function byDay(making: Making, items: readonly Document[]): Html {
  const { speech } = making;
  const days = Map.groupBy(items, ({ seen_at }) => String(seen_at).slice(0, 10));
  return html`${[...days].map(
    ([day, ofDay]) => html`<section class="day"><h2><time datetime="${day}">${speech.day(day)}</time></h2>
${[...Map.groupBy(ofDay, ({ kind }) => String(kind))].map(
  ([kind, ofKind]) => html`<h3 class="kind">${speech.word(kind)}</h3>
<ul class="changes">${ofKind.map((change) => changeEntry(making, change))}</ul>
`,
)}</section>
`,
  )}`;
}

function changeEntry(making: Making, change: Document): Html {
  const { speech } = making;
  const [kind, key] = [String(change.kind), String(change.key)];
  const history = making.href(historyPath(kind, key));
  const former = textOf(change, 'former_key');
  const title = html`<a href="${change.change === 'withdrawn' ? history : making.recordHref(kind, key)}" lang="fr">${shorten(textOf(change, 'title') ?? key, 200)}</a>`;
  const about = line(
    html`<span class="change ${String(change.change)}">${speech.word(String(change.change))}</span>`,
    former !== null && html`<del>${former}</del> <ins>${key}</ins>`,
    kind === 'politician' ? null : personLink(making, change.politician),
    html`<time datetime="${String(change.seen_at)}">${speech.moment(String(change.seen_at))}</time>`,
    html`<a href="${history}">${speech.say`all versions`}</a>`,
  );
  return html`<li>${title}<p class="meta">${about}</p>${differences(making, change.fields)}</li>
`;
}

/** What changed field by field, the words that went struck out; nothing where nothing did. */
export function differences(
  { speech }: Pick<Making, 'speech'>,
  fields: Document[string] | undefined,
): Html | null {
  const changed = (Array.isArray(fields) ? fields : []).filter(isDocument) as FieldChange[];
  if (changed.length === 0) return null;
  return html`<dl class="difference">${changed.map(
    ({ field, old, new: next }) =>
      html`<div><dt>${fieldName(speech, field)}</dt><dd lang="fr">${new Html(differenceHtml(old, next, (name) => fieldName(speech, name)))}</dd></div>`,
  )}</dl>`;
}
