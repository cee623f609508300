import * as catalogue from './french/areas.ts';
import type { Noun } from './nouns.ts';

type Texts = Readonly<Record<string, string>>;

/** French texts by area: phrases by their English with `{}` for each value; words and help texts without values. */
export const frenchAreas: Readonly<Record<string, { phrases?: Texts; words?: Texts; help?: Texts }>> = catalogue;

const headers: Texts = catalogue.words.headers;
const fields: Texts = catalogue.words.fields;
const areas = Object.values(frenchAreas);

const texts: Texts = Object.assign({}, ...areas.flatMap((area) => [area.words, area.help]));

/** Matches a list of names in a help text, such as all kinds; the key of its translation has `{}` in their place. */
export const nameList = /[a-z_-]+(?:, [a-z_-]+){4,}/;

/** The French texts of all areas. */
export const frenchWords = {
  phrases: Object.assign({}, ...areas.map(({ phrases }) => phrases)) as Texts,
  /** Translates a word or help text, except a list of names in it; undefined if there is no French. */
  word(english: string): string | undefined {
    if (Object.hasOwn(texts, english)) return texts[english];
    const [list = ''] = nameList.exec(english) ?? /(?<= of ).+$/.exec(english) ?? [];
    return list === '' ? undefined : texts[english.replace(list, '{}')]?.replace('{}', list);
  },
  /** Singular (also for 0, 1 and 1.5) and plural. */
  nouns: catalogue.words.nouns as Readonly<Record<Noun, readonly string[]>>,
  /** Label of a field; the header of an exported column if it has none. */
  field: (name: string): string => (Object.hasOwn(fields, name) ? fields[name]! : frenchHeader(name)),
};

/** French header of an exported column; its own name if there is none. */
export const frenchHeader = (name: string): string => (Object.hasOwn(headers, name) ? headers[name]! : name);
