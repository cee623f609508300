import { fold } from '../../language/fold.ts';
import { topicText } from '../../language/topic-text.ts';
import { chamberNames } from '../../model/ballot.ts';
import type { Parameter } from '../../questions/parameter.ts';
import { type Phrase, type ShownText, say, wordPhrase } from '../../words/speech.ts';
import { chips, shorten } from './elements.ts';
import { type Content, type Html, html } from './html.ts';
import type { ViewPage } from './page-context.ts';

/** Kinds to which suggestions can be limited. */
export type SuggestedKind = 'politician' | 'party' | 'department';

/** Values and labels of a select; the empty value means no filter. */
export type Choices = readonly (readonly [value: string, text: ShownText])[];

/** A field of a filter form: parameter, label and input type. */
export type FilterField = {
  name: string;
  label: ShownText;
  options?: Choices;
  type?: 'search' | 'text' | 'date' | 'number';
  /** Kind of records that a script suggests while the user types. */
  completes?: SuggestedKind | 'all';
  hint?: Phrase;
  /** Value if the address has none; such a field is no filter that can be removed. */
  preset?: string;
  maxLength?: number;
  /** Absent if the form draws the control; `page` if the page adds its own, `hidden` if the value is only kept. */
  control?: 'page' | 'hidden';
};

const maxOpenFields = 3; // A form with more shows the first two and folds the others under “More filters”.

/** Parameters that order, group or page an answer; they are not shown as filters. */
export const arrangingParameters = ['sort', 'by', 'sum', 'author', 'limit', 'cursor'];

/** Labels of filters that a page accepts without a field in its form. */
const filterLabels: Record<string, Phrase> = {
  q: say`Words`,
  since: say`From`,
  until: say`Until`,
  topic: say`Topic`,
  subject: say`Subject`,
  types: say`Kind`,
  group: say`Group`,
  nature: say`Voted on`,
  text: say`Votes on one text`,
  ballots: say`List of ballots`,
  one_sided: say`Votes for alone recorded`,
  only: say`Kind of change`,
  rule: say`Rule`,
};

/** Returns removable tags of active filters, and a form that changes filters; null on static pages. */
export function filterForm(
  page: ViewPage,
  fields: readonly FilterField[],
  { before, after }: { before?: Content; after?: Content } = {},
): Html | null {
  const { speech, queryParameters, values, path, isStatic } = page;
  if (isStatic) return null;
  if (fields.length === 0) return filterTags(page, fields);
  const hiddenFields = Object.entries(queryParameters).map(([name, texts]) => {
    const keepsParameter = name !== 'cursor' && (name in values || name === 'lang' || name === 'as_of');
    const field = fields.find((each) => each.name === name && each.control !== 'hidden');
    // Hidden inputs keep what is not submitted: a drawn control submits the first value, one that the page adds all.
    const submittedCount = !field ? 0 : field.control === 'page' ? texts.length : 1;
    return keepsParameter && hiddenInputs(name, texts.slice(submittedCount));
  });
  const drawnFields = fields.filter((field) => field.control === undefined);
  const controls = drawnFields.map(
    (each) => html`<p><label for="f-${each.name}">${speech.render(each.label)}</label>${controlHtml(page, each)}</p>\n`,
  );
  const openCount = drawnFields.length > maxOpenFields ? maxOpenFields - 1 : maxOpenFields;
  const isFoldOpen = drawnFields.slice(openCount).some(({ name }) => queryParameters[name]);
  const foldedControls =
    drawnFields.length > openCount &&
    html`<details class="more"${isFoldOpen && html` open`}><summary>${speech.say`More filters`}</summary><div class="fields">${controls.slice(openCount)}</div></details>`;
  return html`${filterTags(page, fields)}<form class="filters" action="${path}">
${before}${controls.slice(0, openCount)}${hiddenFields}${foldedControls}${after}<p class="go"><button>${speech.say`Show`}</button></p>
</form>`;
}

/** Returns a link for each active filter that removes it; null without any. */
function filterTags(page: ViewPage, fields: readonly FilterField[]): Html | null {
  const { speech, queryParameters, values, hrefWith } = page;
  const list = Object.entries(queryParameters).flatMap(([name, texts]) => {
    const field = fields.find((each) => each.name === name);
    if (!(name in values) || field?.preset !== undefined || arrangingParameters.includes(name)) return [];
    const label = speech.render(field?.label ?? filterLabels[name] ?? name);
    return texts.map((value) => {
      const option = field?.options?.find(([each]) => each === value)?.[1];
      const valueText = option === undefined ? filterValueText(page, name, value) : speech.render(option);
      const tag = value === 'true' && option === undefined ? label : speech.say`${label}: ${shorten(valueText, 140)}`;
      const text = html`${tag} <span aria-hidden="true">×</span><span class="unseen">${speech.say`remove`}</span>`;
      return { text, href: hrefWith({ [name]: texts.filter((each) => each !== value), cursor: null }) };
    });
  });
  return list.length === 0 ? null : chips(speech.say`Filters`, list);
}

/** Returns the value of a filter for people: the name of a politician, party or group, else the localised word. */
export function filterValueText({ speech, nameOf }: Pick<ViewPage, 'speech' | 'nameOf'>, name: string, value: string) {
  const kind = name === 'group' ? 'party' : name;
  return (kind === 'politician' || kind === 'party' ? nameOf(kind, value) : null) ?? speech.word(value);
}

/** Returns hidden inputs, so that a form keeps the values of a parameter that it has no field for. */
export function hiddenInputs(name: string, values: readonly string[] = []): Html[] {
  return values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`);
}

function controlHtml(page: ViewPage, { name, type = 'text', options, ...field }: FilterField): Html {
  const { completes, hint, preset } = field;
  const selectedValues = page.queryParameters[name]?.slice(0, 1) ?? (preset === undefined ? [] : [preset]);
  if (options) return select(page, { id: `f-${name}`, name, choices: options, selectedValues });
  const attributes = html`${hint && html` placeholder="${page.speech.render(hint)}"`}${completes && suggestionAttribute(page, completes)}`;
  const parsedValue = page.values[name];
  // A date input accepts only ISO dates; with another value the form would submit none.
  const value =
    type === 'date' && /^\d{4}-\d\d-\d\d$/.test(String(parsedValue)) ? String(parsedValue) : (selectedValues[0] ?? '');
  if (field.maxLength)
    return html`<textarea id="f-${name}" name="${name}" rows="4" maxlength="${field.maxLength}">${value}</textarea>`;
  return html`<input id="f-${name}" name="${name}" type="${type}" value="${value}"${attributes}>`;
}

/** Returns an attribute with the address from which a script reads suggestions (see `suggestPage`). */
export function suggestionAttribute({ href }: Pick<ViewPage, 'href'>, kind: SuggestedKind | 'all'): Html {
  return html` data-completes="${href('/suggest.json', { kind: kind === 'all' ? null : kind })}"`;
}

type Select = { id: string; name: string; choices: Choices; selectedValues: readonly string[] };

/** Returns a select in which the given values are selected, regardless of case and accents. */
export function select({ speech }: ViewPage, { id, name, choices, selectedValues }: Select): Html {
  // Sources spell one result or type in several ways; the options have one of them.
  const selectedWords = new Set(selectedValues.map(fold));
  return html`<select id="${id}" name="${name}">${choices.map(
    ([value, text]) =>
      html`<option value="${value}"${selectedWords.has(fold(value)) ? html` selected` : null}>${speech.render(text)}</option>`,
  )}</select>`;
}

export const politicianField: FilterField = { name: 'politician', label: say`Politician`, completes: 'politician' };

export const partyField: FilterField = { name: 'party', label: say`Party or group`, completes: 'party' };

/** Returns a field with a select whose first choice, labelled `all`, is no filter. */
export const selectField = (name: string, label: Phrase, all: Phrase, choices: Choices): FilterField => ({
  name,
  label,
  options: [['', all], ...choices],
});

export const chamberField = selectField('chamber', say`Chamber`, say`both chambers`, Object.entries(chamberNames));

export const dayFields: FilterField[] = [
  { name: 'since', label: say`From`, type: 'date' },
  { name: 'until', label: say`Until`, type: 'date' },
];

/** Returns a field with a select for a kind of record. */
export function kindField(name: string, kinds: readonly string[], label: Phrase = say`Kind`): FilterField {
  const choices = kinds.map((kind) => [kind, wordPhrase(kind)] as const);
  return selectField(name, label, say`all kinds`, choices);
}

/** Returns a field with a select for a topic. */
export function topicField(topics: readonly string[]): FilterField {
  const choices = topics.map((topic) => [topic, topicText(topic)] as const);
  return selectField('topic', say`Topic`, say`all topics`, choices);
}

/** Returns the values that a parameter or its items accept; none if any text is accepted. */
export function choicesOf({ schema }: Parameter): string[] {
  const { enum: values, items } = schema as { enum?: string[]; items?: { enum?: string[] } };
  return values ?? items?.enum ?? [];
}
