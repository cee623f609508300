import { existsSync, readFileSync } from 'node:fs';
import { ConfigurationError, NotFoundError, orNull } from '../errors.ts';
import { byCodeUnit, fold } from '../language/fold.ts';
import namedSubjects from '../language/named-subjects.json' with { type: 'json' };
import { nearWords } from '../language/near-miss.ts';
import { say } from '../words/speech.ts';
import { updateJsonFile } from './copies.ts';
import type { Mirror } from './mirror.ts';

/** A subject: records match any `word:`, `person:`, `group:` or `text:` rule; ballots also any `nature:` rule. */
export type UserSubject = { name: string; rules: string[] };

/** The values of a subject's rules of one kind: `['retraite']` for the rule `word: retraite`. */
export const ruleValues = ({ rules }: UserSubject, kind: 'word' | 'nature'): string[] =>
  rules.flatMap((rule) => (rule.startsWith(`${kind}: `) ? [rule.slice(kind.length + 2)] : []));

/** Path of the file with the subjects that users defined for a mirror. */
export const subjectsPath = (mirrorPath: string): string => `${mirrorPath}.subjects`;

/** The user-defined subjects of a mirror, by name; throws a ConfigurationError if their file is invalid. */
export function readSubjects(mirrorPath: string): UserSubject[] {
  const path = subjectsPath(mirrorPath);
  if (!existsSync(path)) return [];
  const subjects: unknown = orNull(() => JSON.parse(readFileSync(path, 'utf8')));
  const isRule = (rule: unknown) => /^(?:word|person|group|text|nature): .*[\p{L}\p{N}]/su.test(String(rule));
  const isSubject = (each: UserSubject | null) =>
    typeof each?.name === 'string' && Array.isArray(each.rules) && each.rules.every(isRule);
  if (Array.isArray(subjects) && subjects.every(isSubject)) return subjects;
  throw new ConfigurationError(
    say`${path} is not a JSON list of subjects, each with a name and a list of rules`,
    say`fix it, or delete it`,
  );
}

/** The user-defined subjects of a mirror, then the built-in ones whose names these do not use. */
export function readAllSubjects(mirrorPath: string): UserSubject[] {
  const userSubjects = readSubjects(mirrorPath);
  const userNames = new Set(userSubjects.map(({ name }) => fold(name)));
  return [...userSubjects, ...builtInSubjects.filter(({ name }) => !userNames.has(fold(name)))];
}

/** Built-in subjects of public life, each with words that texts use for nothing else. */
const builtInSubjects: readonly UserSubject[] = Object.entries(namedSubjects).map(([name, words]) => ({
  name,
  rules: words.map((each) => `word: ${each}`),
}));

/** The user-defined or built-in subject with that name, ignoring case and accents; throws a NotFoundError. */
export const findSubject = ({ path }: Pick<Mirror, 'path'>, name: string) => subjectNamed(name, readAllSubjects(path));

/** The user-defined subject with that name, ignoring case and accents; throws a NotFoundError. */
export const findUserSubject = ({ path }: Pick<Mirror, 'path'>, name: string) => subjectNamed(name, readSubjects(path));

/** The subject of that name among `subjects`; throws a NotFoundError with similar names. */
function subjectNamed(name: string, subjects: readonly UserSubject[]): UserSubject {
  const subject = subjects.find((each) => fold(each.name) === fold(name));
  if (subject) return subject;
  const names = subjects.map((each) => each.name);
  const nearNames = nearWords(name, names).map((key) => ({ key, name: key }));
  const error = new NotFoundError(
    say`there is no subject "${name}"`,
    say`\`hemicycle subject list\` lists your own, and those built in with --built-in`,
    nearNames,
  );
  throw error.withFault('subject', say`matches no subject for "${name}"`);
}

/** Saves the rules that `change` returns for the present ones, or the built-in ones; for null, removes the subject. */
export async function saveSubject(
  mirrorPath: string,
  name: string,
  change: ((rules: readonly string[]) => string[]) | null,
): Promise<void> {
  await updateJsonFile(subjectsPath(mirrorPath), () => {
    const subjects = readSubjects(mirrorPath);
    const otherSubjects = subjects.filter((each) => each.name !== name);
    const existingSubject = [...subjects, ...builtInSubjects].find((each) => each.name === name);
    const changedSubjects = change ? [{ name, rules: change(existingSubject?.rules ?? []) }] : [];
    return [...otherSubjects, ...changedSubjects].sort((one, other) => byCodeUnit(one.name, other.name));
  });
}
