import { linkFormat, timeMapText } from '../../../format/time-map.ts';
import { addressOf, recordPath } from '../../../model/addresses.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import { titleOf } from '../../../model/facets.ts';
import { type Kind, type KindName, kindOf } from '../../../model/kinds.ts';
import { fieldChanges } from '../../../model/normal-form.ts';
import { history } from '../../../questions/history.ts';
import { moment as momentIn } from '../../../questions/parameter-kinds.ts';
import { feedForms, versionFeed } from '../feed-forms.ts';
import { fieldName, fieldValue } from '../fields.ts';
import { form } from '../form.ts';
import { type Html, html } from '../html.ts';
import type { ListAnswer, Making } from '../making.ts';
import { facts, heading, line, moment, section, shorten } from '../parts.ts';
import { type Form, listView } from '../view.ts';
import { differences } from './changes.ts';

const versionMoment = (description: string) => momentIn('end', description, { surface: 'http' });

/** A list of the moments of a record for archives of the web (RFC 7089). */
const timemap: Form = {
  mediaType: linkFormat,
  isAbsolute: true,
  make(making, view) {
    const { origin, path } = making;
    const { items, extra } = making.list(history, view.asked(making.values));
    const page = recordPath(String(extra.kind), String(extra.key));
    return timeMapText({
      original: `${origin}${page}`,
      self: `${origin}${path}.timemap`,
      mementos: momentsOf(items).map((from) => ({
        from,
        address: `${origin}${addressOf(page, { as_of: from })}`,
      })),
    });
  },
};

/** Every version of one record, and the difference of any two of its states. */
export const historyPage = listView(history, {
  name: 'history',
  path: '/history/{kind}/{key}',
  section: 'changes',
  example: { kind: 'politician', key: 'oceane-bruyevre' },
  parameters: {
    ...history.parameters,
    from: versionMoment('the older of two moments to compare'),
    to: versionMoment('the newer of two moments to compare'),
  },
  asked: ({ from: _from, to: _to, ...values }) => values,
  forms: { ...feedForms(versionFeed), timemap },
  render(making, answer) {
    const { speech } = making;
    const kind = kindOf(answer.extra.kind as KindName);
    const key = String(answer.extra.key);
    const [newest] = answer.items;
    const document = newest && isDocument(newest.document) ? newest.document : {};
    const name = shorten(titleOf(kind, document), 200);
    const title = speech.say`Versions of ${name}`;
    const lead = html`${speech.say`The moments are those at which this mirror saw a version; the service itself keeps none.`} <a href="${making.recordHref(kind.name, key)}">${speech.say`The record itself`}</a>`;
    const kicker = html`${speech.word(kind.name)} <span class="id">${key}</span>`;
    const versions = answer.items.map((version) => versionItem(making, version, { kind, key }));
    const body = html`${heading(title, { kicker, lead })}${compared(making, answer, kind)}${section(
      speech.count(versions.length, 'version'),
      html`<ol class="versions">${versions}</ol>`,
    )}`;
    return { title, body };
  },
});

/** The moments at which a record began to say something else, the oldest first. */
function momentsOf(items: readonly Document[]): string[] {
  return [...new Set(items.map(({ seen_from }) => String(seen_from)))].sort();
}

function versionItem(making: Making, version: Document, { kind, key }: { kind: Kind; key: string }): Html {
  const { speech, href } = making;
  const [from, to] = [String(version.seen_from), textOf(version, 'seen_to')];
  const asOf = href(recordPath(kind.name, key), { as_of: from });
  const until =
    to === null
      ? speech.say`still so`
      : html`${speech.word(String(version.ended_by))} ${speech.say`on`} ${moment(speech, to)}`;
  const head = line(
    html`<strong>${moment(speech, from)}</strong>`,
    until,
    version.part === 'detail' ? speech.say`in its full document` : speech.say`in its dataset`,
    html`<a href="${asOf}">${speech.say`the page as of then`}</a>`,
  );
  const first = isDocument(version.document) ? version.document : {};
  const changed =
    differences(making, version.changes) ??
    html`<details><summary>${speech.say`what it said`}</summary>${whole(making, first)}</details>`;
  return html`<li><p class="meta">${head}</p>${changed}</li>
`;
}

/** All that a version said, field by field. */
function whole(making: Making, document: Document): Html | null {
  const { speech } = making;
  return facts(
    Object.entries(document).map(([field, value]) => [
      fieldName(speech, field),
      fieldValue(making, field, value),
    ]),
  );
}

/** A form for two moments, and how the record differs between those that are stated. */
function compared(making: Making, { items }: ListAnswer, kind: Kind): Html | null {
  const { speech, values } = making;
  const moments = momentsOf(items);
  if (moments.length < 2 || making.isStatic) return null;
  const options = moments.map((each) => [each, speech.moment(each)] as const);
  const [from, to] = [values.from, values.to].map((each) => (typeof each === 'string' ? each : null)) as [
    string | null,
    string | null,
  ];
  const fields = form(making, [
    { name: 'from', label: speech.say`The state of`, options, preset: from ?? moments[0]! },
    { name: 'to', label: speech.say`beside that of`, options, preset: to ?? moments.at(-1)! },
  ]);
  const found = from !== null && to !== null ? between(making, { items, from, to, kind }) : null;
  return section(speech.say`Compare two states`, html`${fields}${found}`, { id: 'compare' });
}

type Between = { items: readonly Document[]; from: string; to: string; kind: Kind };

function between(making: Making, { items, from, to, kind }: Between): Html {
  const { speech } = making;
  const changed = (['row', 'detail'] as const).flatMap((part) =>
    fieldChanges(kind, stateAt(items, part, from), stateAt(items, part, to)),
  );
  const told = new Map(changed.map((change) => [JSON.stringify(change), { ...change }]));
  return (
    differences(making, [...told.values()]) ??
    html`<p class="none">${speech.say`Both states say the same.`}</p>`
  );
}

/** What a part of the record said at that moment; null where it said nothing. */
function stateAt(items: readonly Document[], part: string, at: string): Document | null {
  const version = items.find(
    (each) =>
      each.part === part &&
      String(each.seen_from) <= at &&
      (each.seen_to === null || String(each.seen_to) > at),
  );
  return version && isDocument(version.document) ? version.document : null;
}
