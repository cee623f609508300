import { topicText } from '../../language/topic-text.ts';
import { type Document, type Json, textOf } from '../../model/document.ts';
import { capitalise, type Phrase, type Speech, say } from '../../words/speech.ts';
import { facts, inFrench, outsideLink, shorten } from './elements.ts';
import { type Content, type Html, html } from './html.ts';
import type { ViewPage } from './page-context.ts';

/** Input for rendering fields: the language, and lookups for links to stored records. */
export type FieldContext = Pick<ViewPage, 'speech' | 'holds' | 'recordHref'>;

/** Labels of fields whose values this program does not verify. */
const fieldLabels: Record<string, Phrase> = {
  licence: say`Licence, as the service states it`,
  status: say`Status, as the service states it`,
};

/** Returns the label of a field, with a capital. */
export function fieldName(speech: Speech, name: string): string {
  const label = Object.hasOwn(fieldLabels, name) ? fieldLabels[name] : undefined;
  if (label) return speech.render(label);
  return capitalise(speech.field(name).replaceAll('_', ' '));
}

/** Returns a value as HTML: dates, links and codes are formatted, lists and objects are nested; null if empty. */
export function fieldValue(page: FieldContext, name: string, value: Json): Content {
  const { speech } = page;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  if (name === 'ballot_id' && typeof value === 'string') return ballotLink(page, value);
  if (typeof value === 'string') {
    const label = name === 'topic' ? topicText(value) : codeLabel(speech, name, value);
    if (label !== null) return name === 'topic' ? html`<span lang="fr">${label}</span>` : label;
    const link = /^https?:/.test(value) ? outsideLink(value, shorten(value, 90)) : null;
    if (link !== null) return link;
    return /^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(value)
      ? html`<time datetime="${value}">${speech.moment(value)}</time>`
      : html`<span lang="fr">${value}</span>`;
  }
  if (typeof value === 'number') return speech.number(value);
  if (typeof value === 'boolean') return value ? speech.say`yes` : speech.say`no`;
  if (Array.isArray(value))
    return html`<ul class="plain">${value.map((each) => html`<li>${fieldValue(page, name, each)}</li>`)}</ul>`;
  return fieldFacts(page, Object.entries(value));
}

/** Returns fields with their values; null if all are empty. */
export function fieldFacts(page: FieldContext, fields: readonly [name: string, value: Json][]): Html | null {
  return facts(fields.map(([name, value]) => [fieldName(page.speech, name), fieldValue(page, name, value)]));
}

function ballotLink(page: FieldContext, id: string): Content {
  const candidateKeys = id.includes(':') ? [id] : [`AN:${id}`, `Senat:${id}`]; // an id may lack the chamber
  const key = candidateKeys.find((each) => page.holds('ballot', each));
  return key === undefined ? id : html`<a href="${page.recordHref('ballot', key)}">${id}</a>`;
}

/** Labels of codes in the data, by field and code; other values are shown as they are. */
const codeLabels: Record<string, Record<string, Phrase>> = {
  kind: {
    parti: say`party`,
    'groupe-an': say`group of the Assemblée nationale`,
    'groupe-senat': say`group of the Sénat`,
    'groupe-pe': say`group of the European Parliament`,
    amendement: say`amendment`,
  },
  chamber: { AN: say`Assemblée nationale`, Senat: say`Sénat`, PE: say`European Parliament` },
  type: {
    'official-page': say`official page`,
    encyclopedia: say`encyclopedia`,
    campaign: say`campaign document`,
    'civic-tech-page': say`page of a civic project`,
    dataset: say`dataset`,
    transcript: say`transcript`,
    programme: say`programme`,
  },
  role: { moderator: say`moderator`, editor: say`editor`, administrator: say`administrator` },
  action: {
    create: say`created`,
    update: say`changed`,
    verify: say`verified`,
    delete: say`deleted`,
    restore: say`restored`,
  },
};

/** Returns the label of a code in a field, such as `party` for `parti`; null if the value is not a known code. */
export function codeLabel(speech: Speech, field: string, value: string): string | null {
  if (field === 'session') return sessionText(speech, value);
  const labelsOfField = Object.hasOwn(codeLabels, field) ? codeLabels[field]! : {};
  return Object.hasOwn(labelsOfField, value) ? speech.render(labelsOfField[value]!) : null;
}

/** Numbering of the Assemblée nationale: `SCR5A2025O1` is the ordinary session of 2024–2025. */
function sessionText(speech: Speech, code: string): string | null {
  const [, year, form, number = ''] = /^SCR\d+A(\d{4})([OE])(\d+)$/.exec(code) ?? [];
  if (year === undefined) return null;
  const years = `${Number(year) - 1}–${year}`;
  return form === 'O' ? speech.say`ordinary session ${years}` : speech.say`extraordinary session ${number} of ${years}`;
}

/** Returns the years of two date fields, such as `2017–2024`, or `2017–` if one is empty; null if both are. */
export function yearRange(record: Document, ...dateFields: string[]): string | null {
  const years = dateFields.map((name) => textOf(record, name)?.slice(0, 4) ?? '').join('–');
  return years === '–' ? null : years;
}

/** Returns the kind of a party or group, and its chamber if the kind does not imply it. */
export function kindAndChamber({ speech }: { speech: Speech }, record: Document): Content[] {
  const kind = textOf(record, 'kind');
  const chamber = textOf(record, 'chamber');
  const kindLabel = kind === null ? null : codeLabel(speech, 'kind', kind);
  if (kindLabel !== null && kind?.startsWith('groupe-')) return [kindLabel];
  return [kindLabel ?? inFrench(kind), chamber && (codeLabel(speech, 'chamber', chamber) ?? chamber)];
}
