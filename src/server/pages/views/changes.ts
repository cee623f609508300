import { differenceHtml } from '../../../format/difference.ts';
import { historyPath } from '../../../model/addresses.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import type { FieldChange } from '../../../model/normal-form.ts';
import { changes } from '../../../questions/changes.ts';
import { lastFillBegan } from '../../../store/syncs/runs.ts';
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
    const { speech } = making;
    const title = speech.say`Changes`;
    const since = textOf(answer.extra, 'since');
    const lead = html`${speech.say`What this mirror saw added, edited, withdrawn or renamed; when it happened at the service is not known.`}${since && stretch(making, since)}`;
    const list =
      answer.items.length === 0
        ? html`<p class="none">${since === null ? speech.say`Nothing was seen yet: this mirror was never filled.` : speech.say`Nothing changed.`}</p>`
        : byDay(making, answer.items);
    return {
      title,
      body: html`${heading(title, { lead })}${spansOf(making)}${filters(making, since)}${list}${pager(making, answer)}`,
      description: speech.say`What was added, edited and withdrawn, with the words that went and came.`,
    };
  },
});

function stretch({ speech, values }: Making, since: string): Html {
  const until = typeof values.until === 'string' && values.until;
  const begin = Date.parse(since) === 0 ? speech.say`the beginning` : moment(speech, since);
  return html` ${speech.say`Shown since`} ${begin}${until && html` ${speech.say`until`} ${moment(speech, until)}`}.`;
}

/** What stands for all that was ever seen, in links to all changes of something. */
const wholePast = '3650d';

const spans = ['last', '1d', '7d', '30d', '365d', wholePast];

/** Since when, in one click. */
function spansOf(making: Making): Html | null {
  const { speech, given, hrefWith, isStatic } = making;
  if (isStatic) return null;
  const stated = given.until ? null : (given.since?.[0] ?? 'last');
  const links = spans.map((span) => {
    const text = spanText(making, span);
    return span === stated
      ? html`<li><span aria-current="true">${text}</span></li>`
      : html`<li><a href="${hrefWith({ since: span, until: null, cursor: null })}">${text}</a></li>`;
  });
  return html`<ul class="chips" aria-label="${speech.say`Since when`}">${links}</ul>`;
}

function spanText({ speech }: Making, span: string): string {
  if (span === 'last') return speech.say`the last sync or import`;
  if (span === wholePast) return speech.say`the beginning`;
  return speech.ago(Number.parseInt(span, 10) * 86_400_000);
}

/** The days between which changes were seen, and of what; a stretch that was named otherwise is told by its first day. */
function filters(making: Making, since: string | null): Html | null {
  const { speech, given } = making;
  const isNamed = given.since !== undefined && given.since[0] !== 'last' && since !== null;
  const dated = {
    ...given,
    since: isNamed ? [since.slice(0, 10)] : [],
    until: (given.until ?? []).map((text) => text.slice(0, 10)),
  };
  return form({ ...making, given: dated }, [
    { name: 'since', label: speech.say`From`, type: 'date' },
    { name: 'until', label: speech.say`Until`, type: 'date' },
    {
      name: 'kind',
      label: speech.say`Kind`,
      options: () => [
        ['', speech.say`all kinds`],
        ...choicesOf(changes.parameters.kind).map((kind) => [kind, speech.word(kind)] as const),
      ],
    },
    { name: 'politician', label: speech.say`Politician`, completes: '/politicians.json' },
    { name: 'party', label: speech.say`Party or group`, completes: '/parties.json' },
  ]);
}

/** In the order of the answer, under the day and the kind of each. */
function byDay(making: Making, items: readonly Document[]): Html {
  const { speech } = making;
  const days = Map.groupBy(items, ({ seen_at }) => String(seen_at).slice(0, 10));
  return html`${[...days].map(
    ([day, ofDay]) => html`<section class="day"><h2><time datetime="${day}">${speech.day(day)}</time></h2>
${[...Map.groupBy(ofDay, ({ kind }) => String(kind))].map(
  ([kind, ofKind]) => html`<h3 class="kind">${speech.word(kind)}</h3>
<ul class="changes">${ofKind.map((change, at) => changeEntry(making, change, ofKind[at - 1]))}</ul>
`,
)}</section>
`,
  )}`;
}

/** What came with the one before, as all of a sync does, does not say the moment again. */
function changeEntry(making: Making, change: Document, before: Document | undefined): Html {
  const { speech } = making;
  const [kind, key, sort, seenAt] = [change.kind, change.key, change.change, change.seen_at].map(String) as [
    string,
    string,
    string,
    string,
  ];
  const history = making.href(historyPath(kind, key));
  const former = textOf(change, 'former_key');
  const page = sort === 'withdrawn' ? history : making.recordHref(kind, key);
  const about = line(
    html`<span class="change ${sort}">${speech.word(sort)}</span>`,
    former !== null && html`<del>${former}</del> <ins>${key}</ins>`,
    kind === 'politician' ? null : personLink(making, change.politician),
    seenAt === before?.seen_at ? null : moment(speech, seenAt),
    html`<a href="${history}">${speech.say`all versions`}</a>`,
  );
  return html`<li><a href="${page}" lang="fr">${shorten(textOf(change, 'title') ?? key, 200)}</a><p class="meta">${about}</p>${differences(making, change.fields)}</li>
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
