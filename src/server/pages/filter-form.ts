import { fold } from '../../language/fold.ts';
import { topicText } from '../../language/topic-text.ts';
import { chamberNames } from '../../model/ballot.ts';
import { dayInParis } from '../../model/moment.ts';
import { natureNames } from '../../parliament/nature.ts';
import type { Parameter } from '../../questions/parameter.ts';
import { type Phrase, say, wordPhrase } from '../../words/speech.ts';
import { chips, shorten } from './elements.ts';
import { fieldName } from './fields.ts';
import type { Choices, FilterField, SuggestedKind } from './filter-field.ts';
import { type Content, type Html, html } from './html.ts';
import type { ViewPage } from './page-context.ts';

const maxOpenFields = 3; // A form with more shows the first two and folds the others under “More filters”.

/** Parameters that order, group or page an answer; they are not shown as filters. */
export const arrangingParameters = ['sort', 'by', 'sum', 'author', 'limit', 'cursor'];

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
  const { speech, queryParameters, hrefWith } = page;
  const list = activeFilters(page, fields, 140).map(({ name, value, text: filterText }) => {
    const text = html`${filterText} <span aria-hidden="true">×</span><span class="unseen">${speech.say`remove`}</span>`;
    const otherValues = (queryParameters[name] ?? []).filter((each) => each !== value);
    return { text, href: hrefWith({ [name]: otherValues, cursor: null }) };
  });
  return list.length === 0 ? null : chips(speech.say`Filters`, list);
}

type FilterContext = Pick<ViewPage, 'speech' | 'queryParameters' | 'values' | 'nameOf'>;

/** Returns the filters in the address of a page, for tags and titles: the value, its text, and both with the label. */
export function activeFilters(page: FilterContext, fields: readonly FilterField[], maxLength: number) {
  const { speech, queryParameters, values } = page;
  return Object.entries(queryParameters).flatMap(([name, texts]) => {
    const field = [...fields, ...undrawnFields].find((each) => each.name === name);
    if (!(name in values) || field?.preset !== undefined || arrangingParameters.includes(name)) return [];
    const label = field ? speech.render(field.label) : fieldName(speech, name);
    return texts.flatMap((value) => {
      const valueText = valueTextOf(page, { label, ...field, name }, value);
      if (valueText === null) return [];
      const isPlainSwitch = value === 'true' && valueText === value;
      const text = isPlainSwitch ? label : speech.say`${label}: ${shorten(valueText, maxLength)}`;
      return { name, value, valueText, text };
    });
  });
}

/** Returns the value of a filter for people; null for a bound that is no day. A text of the user stays as typed. */
function valueTextOf({ speech, values, nameOf }: FilterContext, field: FilterField, value: string): string | null {
  const option = field.options?.find(([each]) => fold(each) === fold(value))?.[1];
  if (option !== undefined) return speech.render(option);
  if (field.describe) return speech.render(field.describe(value, nameOf));
  if (field.name !== 'since' && field.name !== 'until') return value;
  const bound = String(values[field.name]);
  if (!/^\d{4}-/.test(bound)) return null;
  return speech.day(bound.includes('T') ? dayInParis(Date.parse(bound)) : bound);
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

/** Returns a field for slugs, comma-separated, described by names; a slug that the mirror lacks stays as it is. */
const nameField = (kind: 'politician' | 'party', label: Phrase): FilterField => ({
  name: kind,
  label,
  completes: kind,
  describe: (value, nameOf) => Array.from(value.split(','), (each) => nameOf(kind, each) ?? each).join(', '),
});

export const politicianField = nameField('politician', say`Politician`);

export const partyField = nameField('party', say`Party or group`);

export const groupField: FilterField = { ...partyField, name: 'group', label: say`Parliamentary group` };

/** Filter field for a commune or postcode. */
export const placeField: FilterField = { name: 'place', label: say`Commune or postcode` };

export const departmentField: FilterField = { name: 'department', label: say`Department`, completes: 'department' };

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
  return { ...selectField(name, label, say`all kinds`, choices), describe: wordPhrase };
}

/** Returns a field with a select for a topic. */
export function topicField(topics: readonly string[]): FilterField {
  const choices = topics.map((topic) => [topic, topicText(topic)] as const);
  return { ...selectField('topic', say`Topic`, say`all topics`, choices), describe: topicText };
}

/** Fields of filters that a page accepts without a field in its form. */
const undrawnFields: readonly FilterField[] = [
  { name: 'q', label: say`Words` },
  ...dayFields,
  chamberField,
  politicianField,
  partyField,
  groupField,
  departmentField,
  placeField,
  { name: 'topic', label: say`Topic`, describe: topicText },
  { name: 'subject', label: say`Subject`, describe: topicText },
  { name: 'types', label: say`Kind`, describe: wordPhrase },
  selectField('nature', say`Voted on`, say`anything`, Object.entries(natureNames)),
  { name: 'text', label: say`Votes on one text` },
  { name: 'ballots', label: say`List of ballots` },
  { name: 'one_sided', label: say`Votes for alone recorded` },
  { name: 'literal', label: say`Words taken literally` },
  { name: 'only', label: say`Kind of change`, describe: wordPhrase },
  { name: 'rule', label: say`Rule`, describe: wordPhrase },
];

/** Returns the values that a parameter or its items accept; none if any text is accepted. */
export function choicesOf({ schema }: Parameter): string[] {
  const { enum: values, items } = schema as { enum?: string[]; items?: { enum?: string[] } };
  return values ?? items?.enum ?? [];
}
