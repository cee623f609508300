import { linkFormat, timeMapText } from '../../../format/time-map.ts';
import { addressOf, recordPath } from '../../../model/addresses.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import { titleOf } from '../../../model/facets.ts';
import { type Kind, type KindName, kindOf } from '../../../model/kinds.ts';
import { fieldChanges } from '../../../model/normal-form.ts';
import { history } from '../../../questions/history.ts';
import { momentBound } from '../../../questions/parameter-kinds.ts';
import { feedForms, versionFeed } from '../alternate-forms.ts';
import { fieldName, fieldValue } from '../fields.ts';
import { filterForm } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { ListAnswer, Rendering } from '../page-context.ts';
import { facts, heading, line, moment, none, section, shorten } from '../parts.ts';
import { type AlternateForm, listView } from '../view.ts';
import { differences } from './changes.ts';

const versionMoment = (description: string) => momentBound('end', description, { surface: 'http' });

/** A list of the moments of a record for archives of the web (RFC 7089). */
const timemap: AlternateForm = {
  mediaType: linkFormat,
  isAbsolute: true,
  make(page, view) {
    const { origin, path } = page;
    const { items, extra } = page.list(history, view.questionValues(page.values));
    const ofRecord = recordPath(String(extra.kind), String(extra.key));
    return timeMapText({
      original: `${origin}${ofRecord}`,
      self: `${origin}${path}.timemap`,
      mementos: momentsOf(items).map((from) => ({
        from,
        address: `${origin}${addressOf(ofRecord, { as_of: from })}`,
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
  questionValues: ({ from: _from, to: _to, ...values }) => values,
  forms: { ...feedForms(versionFeed), timemap },
  template(page, answer) {
    const { speech } = page;
    const kind = kindOf(answer.extra.kind as KindName);
    const key = String(answer.extra.key);
    const [newest] = answer.items;
    const document = newest && isDocument(newest.document) ? newest.document : {};
    const name = shorten(titleOf(kind, document), 200);
    const title = speech.say`Versions of ${name}`;
    const lead = html`${speech.say`The moments are those at which this mirror saw a version; the service itself keeps none.`} <a href="${page.recordHref(kind.name, key)}">${speech.say`The record itself`}</a>`;
    const kicker = html`${speech.word(kind.name)} <span class="id">${key}</span>`;
    const versions = answer.items.map((version) => versionItem(page, version, { kind, key }));
    const body = html`${heading(title, { kicker, lead })}${compared(page, answer, kind)}${section(
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

function versionItem(page: Rendering, version: Document, { kind, key }: { kind: Kind; key: string }): Html {
  const { speech, href } = page;
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
    differences(page, version.changes) ??
    html`<details><summary>${speech.say`what it said`}</summary>${statedFields(page, first)}</details>`;
  return html`<li><p class="meta">${head}</p>${changed}</li>
`;
}

/** All that a version said, field by field. */
function statedFields(page: Rendering, document: Document): Html | null {
  const { speech } = page;
  return facts(
    Object.entries(document).map(([field, value]) => [
      fieldName(speech, field),
      fieldValue(page, field, value),
    ]),
  );
}

/** A form for two moments, and how the record differs between those that are stated. */
function compared(page: Rendering, { items }: ListAnswer, kind: Kind): Html | null {
  const { speech, values } = page;
  const moments = momentsOf(items);
  if (moments.length < 2 || page.isStatic) return null;
  const options = moments.map((each) => [each, speech.moment(each)] as const);
  const stated = (value: unknown) => (typeof value === 'string' ? value : null);
  const [from, to] = [stated(values.from), stated(values.to)];
  const fields = filterForm(page, [
    { name: 'from', label: speech.say`The state of`, options, preset: from ?? moments[0]! },
    { name: 'to', label: speech.say`beside that of`, options, preset: to ?? moments.at(-1)! },
  ]);
  const found = from !== null && to !== null ? between(page, { items, from, to, kind }) : null;
  return section(speech.say`Compare two states`, html`${fields}${found}`, { id: 'compare' });
}

type Between = { items: readonly Document[]; from: string; to: string; kind: Kind };

function between(page: Rendering, { items, from, to, kind }: Between): Html {
  const { speech } = page;
  const changed = (['row', 'detail'] as const).flatMap((part) =>
    fieldChanges(kind, stateAt(items, part, from), stateAt(items, part, to)),
  );
  const told = new Map(changed.map((change) => [JSON.stringify(change), { ...change }]));
  return differences(page, [...told.values()]) ?? none(speech.say`Both states say the same.`);
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
