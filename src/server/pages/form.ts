import type { Parameter } from '../../questions/parameter.ts';
import { type Content, type Html, html } from './html.ts';
import type { Making } from './making.ts';

/** A field of a form: the parameter that it states, what it is called, and what it takes. */
export type Field = {
  name: string;
  label: Content;
  /** The choices of a list, the first standing for none; a field to write in without them. */
  options?: readonly (readonly [value: string, text: Content])[];
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
${before}${fields.map((field) => html`<p><label for="f-${field.name}">${field.label}</label>${control(field, given[field.name])}</p>\n`)}${kept}${after}<p class="go"><button>${speech.say`Show`}</button></p>
</form>`;
}

function control(
  { name, options, type = 'text', completes, hint, preset }: Field,
  stated: readonly string[] = preset === undefined ? [] : [preset],
): Html {
  if (options)
    return html`<select id="f-${name}" name="${name}">${options.map(
      ([value, text]) =>
        html`<option value="${value}"${stated.includes(value) ? html` selected` : null}>${text}</option>`,
    )}</select>`;
  const more = html`${hint && html` placeholder="${hint}"`}${completes && html` data-completes="${completes}" autocomplete="off"`}`;
  return html`<input id="f-${name}" name="${name}" type="${type}" value="${stated[0] ?? ''}"${more}>`;
}

/** The choices that a parameter takes. */
export function choicesOf({ schema }: Parameter): string[] {
  const { enum: own, items } = schema as { enum?: string[]; items?: { enum?: string[] } };
  return own ?? items?.enum ?? [];
}
