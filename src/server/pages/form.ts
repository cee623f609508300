import type { Parameter } from '../../questions/parameter.ts';
import { type Content, type Html, html } from './html.ts';
import type { Making } from './making.ts';

type Choices = readonly (readonly [value: string, text: Content])[];

/** A field of a form: the parameter that it states, what it is called, and what it takes. */
export type Field = {
  name: string;
  label: Content;
  /** The choices of a list, the first standing for none; a function where all pages of that name have the same ones. */
  options?: Choices | (() => Choices);
  type?: 'search' | 'text' | 'date' | 'number';
  /** Where names are completed from as one types. */
  completes?: string;
  hint?: string;
  /** What stands in it where nothing is stated. */
  preset?: string;
};

/** A form that asks this page for something else, with what is stated now in its fields; none where nobody can answer. */
export function form(
  making: Making,
  fields: readonly Field[],
  { action, before, after }: { action?: string; before?: Content; after?: Content } = {},
): Html | null {
  const { speech, given, path, isStatic } = making;
  if (isStatic) return null;
  const kept = ['lang', 'as_of'].flatMap((name) =>
    (given[name] ?? []).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );
  return html`<form class="filters" action="${action ?? path}">
${before}${fields.map((field) => html`<p><label for="f-${field.name}">${field.label}</label>${control(making, field)}</p>\n`)}${kept}${after}<p class="go"><button>${speech.say`Show`}</button></p>
</form>`;
}

function control(making: Making, field: Field): Html {
  const { name, type = 'text', completes, hint, preset } = field;
  const stated = making.given[name] ?? (preset === undefined ? [] : [preset]);
  if (field.options) return choice(making, field, stated);
  const more = html`${hint && html` placeholder="${hint}"`}${completes && html` data-completes="${completes}" autocomplete="off"`}`;
  return html`<input id="f-${name}" name="${name}" type="${type}" value="${stated[0] ?? ''}"${more}>`;
}

function choice(making: Making, { name, options = [] }: Field, stated: readonly string[]): Html {
  const write = (choices: Choices) =>
    html`<select id="f-${name}" name="${name}">${choices.map(
      ([value, text]) =>
        html`<option value="${value}"${stated.includes(value) ? html` selected` : null}>${text}</option>`,
    )}</select>`;
  if (typeof options !== 'function') return write(options);
  if (stated.length > 0) return write(options());
  return making.once(`${making.language} ${making.page} ${name}`, () => write(options()));
}

/** The choices that a parameter takes. */
export function choicesOf({ schema }: Parameter): string[] {
  const { enum: own, items } = schema as { enum?: string[]; items?: { enum?: string[] } };
  return own ?? items?.enum ?? [];
}
