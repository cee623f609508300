import type { Parameter } from '../../questions/parameter.ts';
import { topicText } from './codes.ts';
import { type Content, type Html, html } from './html.ts';
import type { Rendering } from './page-context.ts';

/** Values and labels of a select; the first one usually means no filter. */
export type Choices = readonly (readonly [value: string, text: Content])[];

/** A field of a filter form: its parameter, label and input type. */
export type FilterField = {
  name: string;
  label: Content;
  /** Makes it a select; a function if the options are the same on every page of that name, and can be cached. */
  options?: Choices | (() => Choices);
  type?: 'search' | 'text' | 'date' | 'number';
  /** Address that autocompletion reads. */
  completes?: string;
  hint?: string;
  /** Value if the address has none. */
  preset?: string;
};

/** A form that reloads this page with other parameters; null on static pages. */
export function filterForm(
  page: Rendering,
  fields: readonly (FilterField | false)[],
  { before, after }: { before?: Content; after?: Content } = {},
): Html | null {
  const { speech, given, path, isStatic } = page;
  if (isStatic) return null;
  const kept = ['lang', 'as_of'].flatMap((name) =>
    (given[name] ?? []).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );
  return html`<form class="filters" action="${path}">
${before}${fields.map((field) => field && html`<p><label for="f-${field.name}">${field.label}</label>${control(page, field)}</p>\n`)}${kept}${after}<p class="go"><button>${speech.say`Show`}</button></p>
</form>`;
}

function control(page: Rendering, field: FilterField): Html {
  const { name, type = 'text', completes, hint, preset } = field;
  const stated = page.given[name] ?? (preset === undefined ? [] : [preset]);
  if (field.options) return choice(page, field, stated);
  const more = html`${hint && html` placeholder="${hint}"`}${completes && html` data-completes="${completes}" autocomplete="off"`}`;
  return html`<input id="f-${name}" name="${name}" type="${type}" value="${stated[0] ?? ''}"${more}>`;
}

function choice(page: Rendering, { name, options = [] }: FilterField, stated: readonly string[]): Html {
  const write = (choices: Choices) => select(`f-${name}`, name, { choices, stated });
  if (typeof options !== 'function') return write(options);
  if (stated.length > 0) return write(options());
  return page.once(`${page.language} ${page.page} ${name}`, () => write(options()));
}

/** A select whose stated values are selected. */
export function select(
  id: string,
  name: string,
  { choices, stated }: { choices: Choices; stated: readonly string[] },
): Html {
  return html`<select id="${id}" name="${name}">${choices.map(
    ([value, text]) =>
      html`<option value="${value}"${stated.includes(value) ? html` selected` : null}>${text}</option>`,
  )}</select>`;
}

/** Field for a politician, with autocompletion. */
export const politicianField = ({ speech }: Rendering): FilterField => ({
  name: 'politician',
  label: speech.say`Politician`,
  completes: '/politicians.json',
});

/** Field for a party or group, with autocompletion. */
export const partyField = ({ speech }: Rendering): FilterField => ({
  name: 'party',
  label: speech.say`Party or group`,
  completes: '/parties.json',
});

/** Fields for the first and the last day. */
export const dayFields = ({ speech }: Rendering): FilterField[] => [
  { name: 'since', label: speech.say`From`, type: 'date' },
  { name: 'until', label: speech.say`Until`, type: 'date' },
];

/** Select for a kind of record. */
export const kindField = (
  { speech }: Rendering,
  { name, label = speech.say`Kind`, kinds }: { name: string; label?: string; kinds: readonly string[] },
): FilterField => ({
  name,
  label,
  options: () => [
    ['', speech.say`all kinds`],
    ...kinds.map((kind): [string, string] => [kind, speech.word(kind)]),
  ],
});

/** Select for a topic. */
export const topicField = ({ speech }: Rendering, topics: readonly string[]): FilterField => ({
  name: 'topic',
  label: speech.say`Topic`,
  options: () => [
    ['', speech.say`all topics`],
    ...topics.map((topic): [string, string] => [topic, topicText(topic)]),
  ],
});

/** The values that a parameter accepts. */
export function choicesOf({ schema }: Parameter): string[] {
  const { enum: own, items } = schema as { enum?: string[]; items?: { enum?: string[] } };
  return own ?? items?.enum ?? [];
}
