import type { Document } from '../model/document.ts';
import type { Mirror } from '../store/mirror.ts';
import { mirrorAnswers } from './answering.ts';
import { badFlag, meantBy, readValues } from './parameter.ts';
import type { Found, Listing, ListQuestion, Question, RecordQuestion } from './question.ts';

/**
 * Answers a question from a mirror: `ask(mirror, ballots, { voted: ['RN:for'], limit: 5 })`. Parameters are written as on
 * the command line and named as over HTTP; what is left out has its default. Throws a UsageError on a bad one, a
 * NotFoundError (with near misses) or an AmbiguousNameError on a name that means nothing or not one thing.
 */
export async function ask(
  mirror: Mirror,
  question: ListQuestion,
  given?: Record<string, unknown>,
): Promise<Listing>;
export async function ask(
  mirror: Mirror,
  question: RecordQuestion,
  given?: Record<string, unknown>,
): Promise<Found>;
export async function ask(
  mirror: Mirror,
  question: Question,
  given: Record<string, unknown> = {},
): Promise<Listing | Found> {
  const written = Object.entries(given).map(([name, value]) => {
    const texts = value === undefined ? undefined : [value].flat().map(String);
    const parameter = question.parameters[name];
    return [name, texts && parameter ? meantBy(parameter, texts) : texts];
  });
  const { values, errors } = readValues(question.parameters, Object.fromEntries(written));
  if (errors.length > 0) throw badFlag(question.parameters, errors);
  const answerer = mirrorAnswers(mirror, { searchesByMeaning: false, asOf: mirror.pastOf });
  return question.answers === 'list' ? answerer.list(question, values) : answerer.record(question, values);
}

/** The items of a list, whole, for programs that have room for them. */
export async function itemsOf({ items }: Pick<Listing, 'items'>): Promise<Document[]> {
  const all: Document[] = [];
  for await (const item of items) all.push(item);
  return all;
}
