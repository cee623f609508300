import { type Document, textOf } from '../../model/document.ts';
import { type Phrase, type Speech, say } from '../../words/speech.ts';
import { inFrench } from './elements.ts';
import type { Content } from './html.ts';

/** Meanings of codes in the data, by field; other values are shown as they are. */
const meanings: Record<string, Record<string, Phrase>> = {
  kind: {
    parti: say`party`,
    'groupe-an': say`group of the Assemblée nationale`,
    'groupe-senat': say`group of the Sénat`,
    'groupe-pe': say`group of the European Parliament`,
    amendement: say`amendment`,
  },
  chamber: {
    AN: say`Assemblée nationale`,
    Senat: say`Sénat`,
    PE: say`European Parliament`,
  },
  type: {
    'official-page': say`official page`,
    encyclopedia: say`encyclopedia`,
    campaign: say`campaign document`,
    'civic-tech-page': say`page of a civic project`,
    dataset: say`dataset`,
    transcript: say`transcript`,
    programme: say`programme`,
  },
  role: {
    moderator: say`moderator`,
    editor: say`editor`,
    administrator: say`administrator`,
  },
  action: {
    create: say`created`,
    update: say`changed`,
    verify: say`verified`,
    delete: say`deleted`,
    restore: say`restored`,
  },
};

/** Returns the meaning of a field's value in words; null if the value is not a known code. */
export function meaningOf(speech: Speech, field: string, value: string): string | null {
  if (field === 'session') return sessionText(speech, value);
  const fieldMeanings = Object.hasOwn(meanings, field) ? meanings[field]! : {};
  return Object.hasOwn(fieldMeanings, value) ? speech.render(fieldMeanings[value]!) : null;
}

/** Numbering of the Assemblée nationale: `SCR5A2025O1` is the ordinary session of 2024–2025. */
function sessionText(speech: Speech, code: string): string | null {
  const [, year, form, number = ''] = /^SCR\d+A(\d{4})([OE])(\d+)$/.exec(code) ?? [];
  if (year === undefined) return null;
  const years = `${Number(year) - 1}–${year}`;
  return form === 'O' ? speech.say`ordinary session ${years}` : speech.say`extraordinary session ${number} of ${years}`;
}

/** Returns the years of two days of a record, such as `2017–2024`; null without both. */
export function yearRange(record: Document, ...days: string[]): string | null {
  const years = days.map((name) => textOf(record, name)?.slice(0, 4) ?? '').join('–');
  return years === '–' ? null : years;
}

/** Returns the kind of a party or group, and its chamber if the kind does not imply it. */
export function kindAndChamber({ speech }: { speech: Speech }, record: Document): Content[] {
  const kind = textOf(record, 'kind');
  const chamber = textOf(record, 'chamber');
  const meaning = kind === null ? null : meaningOf(speech, 'kind', kind);
  if (meaning !== null && kind?.startsWith('groupe-')) return [meaning];
  return [meaning ?? inFrench(kind), chamber && (meaningOf(speech, 'chamber', chamber) ?? chamber)];
}
