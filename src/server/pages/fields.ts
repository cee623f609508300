import { topicText } from '../../language/topic-text.ts';
import type { Json } from '../../model/document.ts';
import { type Phrase, type Speech, say } from '../../words/speech.ts';
import { meaningOf } from './codes.ts';
import { capitalise, facts, outsideLink, shorten } from './elements.ts';
import { type Content, type Html, html } from './html.ts';
import type { Rendering } from './page-context.ts';

/** Input for rendering fields: the language, and lookups for links to stored records. */
export type FieldContext = Pick<Rendering, 'speech' | 'holds' | 'recordHref'>;

/** Labels of fields whose values the service alone answers for. */
const labels: Record<string, Phrase> = {
  licence: say`Licence, as the service states it`,
  status: say`Status, as the service states it`,
};

/** Returns the label of a field, with a capital. */
export function fieldName(speech: Speech, name: string): string {
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
  if (label) return speech.render(label);
  return capitalise(speech.field(name).replaceAll('_', ' '));
}

/** Returns a value as HTML: dates, links and codes are formatted, lists and objects are nested. */
export function fieldValue(page: FieldContext, name: string, value: Json): Content {
  const { speech } = page;
  if (value === null || value === '') return null;
  if (name === 'ballot_id' && typeof value === 'string') return ballotLink(page, value);
  if (typeof value === 'string') {
    const meaning = name === 'topic' ? topicText(value) : meaningOf(speech, name, value);
    if (meaning !== null) return name === 'topic' ? html`<span lang="fr">${meaning}</span>` : meaning;
    const link = /^https?:/.test(value) ? outsideLink(value, shorten(value, 90)) : null;
    if (link !== null) return link;
    return /^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(value)
      ? html`<time datetime="${value}">${speech.moment(value)}</time>`
      : html`<span lang="fr">${value}</span>`;
  }
  if (typeof value === 'number') return speech.number(value);
  if (typeof value === 'boolean') return value ? speech.say`yes` : speech.say`no`;
  if (Array.isArray(value))
    return value.length === 0
      ? null
      : html`<ul class="plain">${value.map((each) => html`<li>${fieldValue(page, name, each)}</li>`)}</ul>`;
  return fieldFacts(page, Object.entries(value));
}

/** Returns fields with their values; null if all are empty. */
export function fieldFacts(page: FieldContext, fields: readonly [name: string, value: Json][]): Html | null {
  return facts(fields.map(([name, value]) => [fieldName(page.speech, name), fieldValue(page, name, value)]));
}

function ballotLink(page: FieldContext, id: string): Content {
  const key = (id.includes(':') ? [id] : ['AN', 'Senat'].map((chamber) => `${chamber}:${id}`)).find((each) =>
    page.holds('ballot', each),
  );
  return key === undefined ? id : html`<a href="${page.recordHref('ballot', key)}">${id}</a>`;
}
