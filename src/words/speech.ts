import { bytesText, dayText, momentText, numberText, shareText } from './figures.ts';
import type { Language } from './language.ts';
import { type Noun, nouns } from './nouns.ts';

/** A text that renders itself in a language; English when converted to a string. */
export type Phrase = { render(speech: Speech): string; toString(): string };

/** A text for people: a phrase, or a string in their language. */
export type ShownText = string | Phrase;

type Value = ShownText | number | null | undefined;

/** Renders texts in one language. */
export type Speech = ReturnType<typeof createSpeech>;

/** Template tag that creates a phrase; `french/` has translations, keyed by the English text with `{}` per value. */
export function say(parts: TemplateStringsArray, ...values: Value[]): Phrase {
  return saying((speech) => {
    const texts = values.map((value) =>
      speech.render(typeof value === 'object' && value !== null ? value : `${value}`),
    );
    const translation = speech.language === 'fr' ? frenchTexts?.phrases[parts.join('{}')] : undefined;
    return fillTemplate(translation === undefined ? parts.join('{}') : addFrenchSpaces(translation), texts);
  });
}

/** Creates a phrase from a function that renders it, for numbers, days and plurals. */
export const saying = (render: (speech: Speech) => string): Phrase => ({ render, toString: renderInEnglish });

/** A text in no language of the program (a path, a name, a message of another program), shown as it is. */
export const verbatim = (text: string): Phrase => ({ render: () => text, toString: () => text });

/** The text with a capital as its first letter; the rest is unchanged. */
export const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Joins clauses of one sentence: `a; b`, in French `a ; b`; omits empty, null and false ones. */
export function clauses(parts: readonly (ShownText | null | undefined | false)[]): Phrase {
  return saying((speech) => {
    const texts = parts.map((part) => (part ? speech.render(part) : '')).filter(Boolean);
    return texts.join(speech.language === 'fr' ? '\u00a0; ' : '; ');
  });
}

/** Creates a phrase from one word known only at run time, such as a kind. */
export const wordPhrase = (english: string): Phrase => saying((speech) => speech.word(english));

/** A number within a sentence; English leaves its digits ungrouped. */
export function figure(value: number): Phrase {
  return saying((speech) => (speech.language === 'en' ? String(value) : speech.number(value)));
}

/** A count with its noun within a sentence: `1 row`, `3403 rows`. */
export function amount(value: number, noun: Noun): Phrase {
  return saying((speech) => `${speech.render(figure(value))} ${speech.noun(value, noun)}`);
}

/** A size within a sentence: `73 MB`. */
export const dataSize = (bytes: number): Phrase => saying((speech) => speech.bytes(bytes));

/** A day or moment within a sentence. */
export const instant = (iso: string): Phrase => saying((speech) => speech.instant(iso));

function renderInEnglish(this: Phrase): string {
  return this.render(english);
}

/** Renders a text in a language. */
export const textIn = (text: Phrase, language: Language): string => speechOf(language).render(text);

/** Fills `{}` by the next text, `{1}` by `texts[1]`; `{a|b}` agrees with the last number, `{1:a|b}` with `texts[1]`. */
function fillTemplate(template: string, texts: string[]): string {
  const placeholder =
    /(?<elidable>\b(?:d|qu)e )?\{(?<at>\d*)\}|\{(?:(?<countAt>\d):)?(?<singular>[^{}|]*)\|(?<plural>[^{}|]*)\}/g;
  let nextAt = 0;
  let lastNumber = '';
  return template.replace(placeholder, (...match) => {
    const { elidable, at, countAt, singular, plural } = match.at(-1) as Record<string, string | undefined>;
    const number = countAt ? texts[Number(countAt)]! : lastNumber;
    // A choice of words. French: 0, 1 and 1,5 are singular; U+202F groups thousands.
    if (at === undefined) return /^\s*-?[01](?![\d\u202f])/.test(number) ? singular! : plural!;
    const text = texts[at === '' ? nextAt++ : Number(at)] ?? '';
    if (/^\s*-?\d/.test(text)) lastNumber = text;
    // A text may be an acronym, a path or a number: elide only before a capitalised word (d’Emmanuel).
    const elided = /^[AEIOUÀÂÉÈÊÎÔŒ]\p{Ll}/u.test(text) ? elidable?.replace('e ', '’') : elidable;
    return (elided ?? '') + text;
  });
}

/** Puts no-break spaces before high punctuation marks and inside quotation marks (French typography). */
const addFrenchSpaces = (text: string): string => text.replace(/ (?=[:;!?»%])|(?<=«) /g, '\u00a0');

let frenchTexts: typeof import('./french.ts').frenchWords | null = null;

/** Loads the texts of a language; French is loaded only on demand. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'fr') ({ frenchWords: frenchTexts } = await import('./french.ts'));
}

/** Returns the speech of a language; French needs `loadLanguage`. English keeps ISO 8601 times unless `atTerminal`. */
export function speechOf(language: Language, { atTerminal = false } = {}): Speech {
  if (language === 'fr') return frenchSpeech;
  return atTerminal ? englishAtTerminal : english;
}

const durationUnits: [number, Noun][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
];

function createSpeech(language: Language, { keepsIsoTimes = false } = {}) {
  const isSingular = (number: number) => (language === 'fr' ? Math.abs(number) < 2 : number === 1);
  const noun = (number: number, name: Noun) =>
    ((language === 'fr' && frenchTexts?.nouns) || nouns)[name]![isSingular(number) ? 0 : 1]!;
  const count = (number: number, name: Noun) =>
    `${numberText(number, language)}${language === 'fr' ? '\u00a0' : ' '}${noun(number, name)}`;
  const duration = (ms: number) => {
    const [size, name] = durationUnits.find(([each]) => ms >= each) ?? durationUnits.at(-1)!;
    return count(Math.floor(Math.max(0, ms) / size), name);
  };
  const render = (text: ShownText): string => (typeof text === 'string' ? text : text.render(speech));
  const speech = {
    language,
    say: (parts: TemplateStringsArray, ...values: Value[]): string => render(say(parts, ...values)),
    render,
    /** Translates a word or sentence known only at run time; unchanged if it has no French. */
    word: (text: string) => (language === 'fr' && frenchTexts ? addFrenchSpaces(frenchTexts.word(text) ?? text) : text),
    /** Label of a field at a terminal; in English its name. */
    field: (name: string) => (language === 'fr' && frenchTexts ? addFrenchSpaces(frenchTexts.field(name)) : name),
    /** `3 votes`, `3 voix`. */
    count,
    noun,
    /** Returns `one` or `many` by the plural rule of the language: in French 0 and 1.5 are singular. */
    plural: (number: number, one: ShownText, many: ShownText): string => render(isSingular(number) ? one : many),
    /** `1,234.5`, `1 234,5`; rounds to `decimals` if given. */
    number: (value: number, decimals?: number) => numberText(value, language, decimals),
    /** A fraction as a percentage: `83%`, `83 %`. */
    share: (value: number, decimals?: number) => shareText(value, language, decimals),
    /** An ISO 8601 day: `22 November 2026`, `22 novembre 2026`. */
    day: (iso: string) => dayText(iso, language),
    /** An ISO 8601 moment, to the minute, UTC. */
    moment: (iso: string) => momentText(iso, language),
    /** A day or moment within a sentence; stays ISO 8601 where programs may read the English. */
    instant: (iso: string) => (keepsIsoTimes ? iso : momentText(iso, language)),
    /** `8 minutes ago`, `il y a 8 minutes`. */
    ago: (ms: number) => (language === 'fr' ? `il y a ${duration(ms)}` : `${duration(ms)} ago`),
    /** `8 minutes`, in the largest unit that fits. */
    duration,
    bytes: (number: number) => bytesText(number, language),
    /** `a, b and c`, `a, b et c`. */
    list: (items: readonly string[], word: 'and' | 'or' = 'and') => {
      const conjunction = { en: { and: 'and', or: 'or' }, fr: { and: 'et', or: 'ou' } }[language][word];
      if (items.length < 2) return items.join('');
      return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
    },
    quoted: (text: string) => (language === 'fr' ? `«\u00a0${text}\u00a0»` : `“${text}”`),
    /** `of a name`, `d’un nom`. */
    ofName: (name: string) => (language === 'en' ? `of ${name}` : elidesBefore.test(name) ? `d’${name}` : `de ${name}`),
  };
  return speech;
}

/** Matches names before which `ofName` elides `de`; an initial h counts as aspirated. */
const elidesBefore = /^(?:[aeiouàâäéèêëîïôöùûü]|y(?![aeiouéè]))/i;

const english = createSpeech('en', { keepsIsoTimes: true });
const englishAtTerminal = createSpeech('en');
const frenchSpeech = createSpeech('fr');
