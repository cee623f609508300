import cli from './french/cli.json' with { type: 'json' };
import errors from './french/errors.json' with { type: 'json' };
import evidence from './french/evidence.json' with { type: 'json' };
import exports from './french/export.json' with { type: 'json' };
import names from './french/names.json' with { type: 'json' };
import questions from './french/questions.json' with { type: 'json' };
import server from './french/server.json' with { type: 'json' };
import service from './french/service.json' with { type: 'json' };
import store from './french/store.json' with { type: 'json' };
import sync from './french/sync.json' with { type: 'json' };
import terminal from './french/terminal.json' with { type: 'json' };
import watches from './french/watches.json' with { type: 'json' };
import words from './french/words.json' with { type: 'json' };
import type { Noun } from './nouns.ts';

type Texts = Readonly<Record<string, string>>;

/** French texts by area: phrases by their English with `{}` for each value; words and help texts without values. */
export const frenchAreas: Readonly<Record<string, { phrases?: Texts; words?: Texts; help?: Texts }>> = {
  cli,
  errors,
  evidence,
  export: exports,
  names,
  questions,
  server,
  service,
  store,
  sync,
  terminal,
  watches,
  words,
};

const headers: Texts = words.headers;
const fields: Texts = words.fields;
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
    const [names = ''] = nameList.exec(english) ?? /(?<= of ).+$/.exec(english) ?? [];
    return names === '' ? undefined : texts[english.replace(names, '{}')]?.replace('{}', names);
  },
  /** Singular (also for 0, 1 and 1.5) and plural. */
  nouns: words.nouns as Readonly<Record<Noun, readonly string[]>>,
  /** Label of a field; the header of an exported column if it has none. */
  field: (name: string): string => (Object.hasOwn(fields, name) ? fields[name]! : frenchHeader(name)),
};

/** French header of an exported column; its own name if there is none. */
export const frenchHeader = (name: string): string => (Object.hasOwn(headers, name) ? headers[name]! : name);
