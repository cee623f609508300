import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotFoundError, UsageError } from '../errors.ts';
import { nearWords } from '../language/near-miss.ts';
import { findKind, type KindName } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { checkStatement, type Statement } from '../store/statements/statement.ts';
import { type Phrase, say, saying } from '../words/speech.ts';
import { BadValueError } from './parameter.ts';
import bundledQuestions from './saved-questions.json' with { type: 'json' };
import { dayBound } from './time-bounds.ts';

const types = ['text', 'integer', 'number', 'date'] as const;

/** `en` and `fr` are labels in both languages; `fallback` is the default as text. */
type SavedParameter = Record<'name' | 'fallback' | 'en' | 'fr', string> & { type: (typeof types)[number] };

/** A named SQL statement with its title and parameters. */
export type SavedQuestion = {
  name: string;
  /** The file that contains it; null for one that comes with the program. */
  file: string | null;
  title: Phrase;
  /** A description; null if the file states none. */
  about: Phrase | null;
  /** Kind of records that its figures are over: answers state their coverage; null if the file states none. */
  covers: KindName | null;
  parameters: SavedParameter[];
  sql: string;
};

/** Saved questions by name, and for files that cannot be parsed, the error by name. */
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

/** Finds a saved question by name; throws a NotFoundError with near names, or a UsageError for a faulty file. */
export function findSavedQuestion({ questions, faults }: SavedQuestions, name: string): SavedQuestion {
  const question = questions.get(name);
  if (question) return question;
  const fault = faults.get(name);
  if (fault) throw new UsageError(fault);
  const names = [...questions.keys()];
  const nearNames = nearWords(name, names);
  const near = (nearNames.length > 0 ? nearNames : names).map((key) => ({ key, name: key }));
  throw new NotFoundError(say`there is no saved question "${name}"`, say`list them with \`hemicycle ask\``, near);
}

/** Returns the statement with parsed values; throws a UsageError for unknown names, except a URL's (prefix `?`). */
export function createStatement(savedQuestion: SavedQuestion, parameterValues: Record<string, string>): Statement {
  const names = savedQuestion.parameters.map(({ name }) => name);
  const unknownName = Object.keys(parameterValues).find((name) => !name.startsWith('?') && !names.includes(name));
  if (unknownName !== undefined) {
    const hint = names.length > 0 ? say`it accepts ${names.join(', ')}` : say`it accepts no parameter`;
    throw new UsageError(say`the question ${savedQuestion.name} has no parameter ${unknownName}`, hint);
  }
  const values = savedQuestion.parameters.map((each) => {
    const text = parameterValues[each.name] ?? parameterValues[`?${each.name}`] ?? each.fallback;
    try {
      return [each.name, parseParameterValue(each, text)];
    } catch (error) {
      if (!(error instanceof BadValueError)) throw error;
      throw new UsageError(say`${each.name} ${error.userText}`).withFault(each.name, error.userText);
    }
  });
  return { sql: savedQuestion.sql, values: Object.fromEntries(values) };
}

function parseParameterValue({ type }: SavedParameter, text: string): string | number {
  if (type === 'text') return text;
  if (type === 'date') return dayBound('start', '').read([text]) as string;
  if (!(type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d+)?$/).test(text))
    throw new BadValueError(type === 'integer' ? say`must be a whole number` : say`must be a number`);
  return Number(text);
}

/** Lines before the SQL of a file: `-- en: TITLE`, `-- covers: KIND`, `-- :NAME TYPE DEFAULT | English | French`. */
const titlePattern = /^-- (?<key>en|fr|about-en|about-fr|covers): (?<value>.+)$/;
const parameterPattern = /^-- :(?<name>\w+) (?<type>\w+) (?<fallback>.*?) \| (?<en>.+?) \| (?<fr>.+)$/;

function parseSavedQuestion(name: string, text: string, file: string | null): SavedQuestion | { fault: Phrase } {
  const titles = new Map<string, string>();
  const parameters: SavedParameter[] = [];
  const fileName = file ?? `${name}.sql`;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (!line.startsWith('--')) break;
    const title = titlePattern.exec(line)?.groups;
    const parameter = parameterPattern.exec(line)?.groups as SavedParameter | undefined;
    if (title?.key === 'covers' && !findKind(title.value!))
      return { fault: say`${fileName}, line ${at + 1}: there is no kind "${title.value!}"` };
    if (title) titles.set(title.key!, title.value!);
    else if (parameter && types.includes(parameter.type)) parameters.push({ ...parameter });
    else if (line.startsWith('-- :'))
      return {
        fault: say`${fileName}, line ${at + 1}: write a parameter as \`-- :NAME ${types.join('|')} DEFAULT | English | French\``,
      };
  }
  const localisedText = (key: string): Phrase | null => {
    const en = titles.get(`${key}en`);
    const fr = titles.get(`${key}fr`);
    return en || fr ? saying(({ language }) => (language === 'fr' ? (fr ?? en!) : (en ?? fr!))) : null;
  };
  const title = localisedText('') ?? saying(() => name);
  const covers = findKind(titles.get('covers') ?? '')?.name ?? null;
  return { name, file, title, about: localisedText('about-'), covers, parameters, sql: text };
}

/** Runs `work`; its UsageErrors state the file and line of the question. */
export function withLocation<Result>(savedQuestion: SavedQuestion, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof UsageError && error.fault === null ? locateError(savedQuestion, error) : error;
  }
}

/** Returns why SQLite refuses the question's statement, with the file and line; null if it does not. */
export function findFault(mirror: Mirror, savedQuestion: SavedQuestion): string | null {
  try {
    withLocation(savedQuestion, () => checkStatement(mirror, createStatement(savedQuestion, {})));
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Returns the error with the question's file and line: that of the token in the message, else the first of the SQL. */
function locateError({ name, file, sql }: SavedQuestion, error: UsageError): UsageError {
  const [qualifiedToken] = /(?<=no such \w+: |near ")[^"\s]+/.exec(error.message) ?? [];
  const token = qualifiedToken?.split('.').at(-1);
  const lines = sql.split('\n');
  const sqlStart = lines.findIndex((each) => !each.startsWith('--'));
  const tokenLine = lines.findIndex((each, at) => token !== undefined && at >= sqlStart && each.includes(token));
  const line = (tokenLine < 0 ? sqlStart : tokenLine) + 1;
  return new UsageError(say`${file ?? `${name}.sql`}, line ${line}: ${error.phrase}`, error.advice);
}
