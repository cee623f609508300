import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotFoundError, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import type { Statement } from '../store/statements/statement.ts';
import { type Phrase, say, saying } from '../words/speech.ts';
import { BadValueError } from './parameter.ts';
import bundledQuestions from './saved-questions.json' with { type: 'json' };
import { dayBound } from './time-bounds.ts';

const types = ['text', 'integer', 'number', 'date'] as const;

type SavedParameter = Record<'name' | 'fallback' | 'en' | 'fr', string> & { type: (typeof types)[number] };

/** A named statement with its title and parameters. */
export type SavedQuestion = {
  name: string;
  /** The file that contains it; null for one that comes with the program. */
  file: string | null;
  title: Phrase;
  about: Phrase | null;
  parameters: SavedParameter[];
  sql: string;
};

/** Saved questions by name, and the faults of unreadable files by name. */
export type SavedQuestions = { questions: Map<string, SavedQuestion>; faults: Map<string, Phrase> };

/** Reads the program's saved questions and those in `folder`, which override the program's by name. */
export function readSavedQuestions(folder: string | null): SavedQuestions {
  const faults = new Map<string, Phrase>();
  const questions = new Map<string, SavedQuestion>();
  const add = (name: string, text: string, file: string | null) => {
    const parsed = parseSavedQuestion(name, text, file);
    if ('fault' in parsed) faults.set(name, parsed.fault);
    else questions.set(name, parsed);
  };
  for (const [name, text] of Object.entries<string>(bundledQuestions)) add(name, text, null);
  const files = folder !== null && existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const file of files.filter((each) => each.endsWith('.sql')))
    add(file.slice(0, -'.sql'.length), readFileSync(join(folder!, file), 'utf8'), join(folder!, file));
  return { questions, faults };
}

/** The saved question of a name; throws a NotFoundError with near names, or a UsageError for an unreadable file. */
export function findSavedQuestion({ questions, faults }: SavedQuestions, name: string): SavedQuestion {
  const question = questions.get(name);
  if (question) return question;
  const fault = faults.get(name);
  if (fault) throw new UsageError(fault);
  const near = nearWords(name, [...questions.keys()]);
  throw new NotFoundError(
    say`there is no saved question "${name}"`,
    say`list them with \`hemicycle ask\``,
    (near.length > 0 ? near : [...questions.keys()]).map((key) => ({ key, name: key })),
  );
}

/** The statement with these values; unknown names are a UsageError, or ignored if prefixed with `?`. */
export function statementOf(saved: SavedQuestion, parameterValues: Record<string, string>): Statement {
  const names = saved.parameters.map(({ name }) => name);
  const unknown = Object.keys(parameterValues).find((name) => !name.startsWith('?') && !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      say`the question ${saved.name} has no parameter ${unknown}`,
      names.length > 0 ? say`it accepts ${names.join(', ')}` : say`it accepts no parameter`,
    );
  const values = saved.parameters.map((each) => {
    const text = parameterValues[each.name] ?? parameterValues[`?${each.name}`] ?? each.fallback;
    try {
      return [each.name, parseParameterValue(each, text)];
    } catch (error) {
      if (!(error instanceof BadValueError)) throw error;
      throw new UsageError(say`${each.name} ${error.userText}`).withFault(each.name, error.userText);
    }
  });
  return { sql: saved.sql, values: Object.fromEntries(values) };
}

function parseParameterValue({ type }: SavedParameter, text: string): string | number {
  if (type === 'text') return text;
  if (type === 'date') return dayBound('start', '').read([text]) as string;
  if (!(type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d+)?$/).test(text))
    throw new BadValueError(type === 'integer' ? say`must be a whole number` : say`must be a number`);
  return Number(text);
}

const titlePattern = /^-- (en|fr|about-en|about-fr): (.+)$/;
const parameterPattern = /^-- :(\w+) (\w+) (.*?) \| (.+?) \| (.+)$/;

function parseSavedQuestion(name: string, text: string, file: string | null): SavedQuestion | { fault: Phrase } {
  const head = new Map<string, string>();
  const parameters: SavedParameter[] = [];
  const lines = text.split(/\r?\n/);
  const fileName = file ?? `${name}.sql`;
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('--')) break;
    const [, key, value] = titlePattern.exec(line) ?? [];
    const [, parameterName, type, fallback, en, fr] = parameterPattern.exec(line) ?? [];
    if (key) head.set(key, value!);
    else if (parameterName && types.includes(type as 'text'))
      parameters.push({ name: parameterName, type: type as 'text', fallback: fallback!, en: en!, fr: fr! });
    else if (line.startsWith('-- :'))
      return {
        fault: say`${fileName}, line ${at + 1}: write a parameter as \`-- :NAME ${types.join('|')} DEFAULT | English | French\``,
      };
  }
  const localisedText = (key: string): Phrase | null => {
    const en = head.get(`${key}en`);
    const fr = head.get(`${key}fr`);
    return en || fr ? saying(({ language }) => (language === 'fr' ? (fr ?? en!) : (en ?? fr!))) : null;
  };
  const title = localisedText('') ?? saying(() => name);
  return { name, file, title, about: localisedText('about-'), parameters, sql: text };
}

/** Adds the file, and the line where SQLite stopped if its message names a token. */
export function faultOf({ name, file, sql }: SavedQuestion, error: UsageError): UsageError {
  const [word] = /(?<=no such \w+: |near ")[^"\s]+/.exec(error.message) ?? [];
  const lines = sql.split('\n');
  const body = lines.findIndex((line) => !line.startsWith('--'));
  const lineIndex =
    word === undefined ? -1 : lines.findIndex((line, at) => at >= body && line.includes(word.split('.').at(-1)!));
  const line = (lineIndex < 0 ? body : lineIndex) + 1;
  return new UsageError(say`${file ?? `${name}.sql`}, line ${line}: ${error.phrase}`, error.advice);
}
