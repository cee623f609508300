import type { Document } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { ifResolved } from '../names/lookup.ts';
import { findWithdrawal, refuseWithheldRecord, withheldCountField } from '../questions/answering.ts';
import { resolveNames, unknownNames } from '../questions/names.ts';
import type { ListQuestion, Question, ReadOptions, RecordQuestion } from '../questions/question.ts';
import { resolvedPartyFields, resolveParties } from '../questions/resolved-parties.ts';
import { readHistory } from '../store/history/history.ts';
import { refuseBeforeFirstRecord } from '../store/history/past.ts';
import type { Mirror } from '../store/mirror.ts';
import { say, saying } from '../words/speech.ts';
import { RefusedRequestError } from './problem.ts';

/** Input of a question; `reading.isInterface` omits what the service's API lacks, unlike pages and assistants. */
export type AnswerInput = { values: Record<string, unknown>; reading: ReadOptions };

/** Text of a response; `trouble` is why a fallback answered, such as a missing search model. */
export type AnswerText = { text: string; trouble?: string | null };

/** Returns the JSON text of an answer; throws a RefusedRequestError (404, 410) for a missing record. */
export function answerText(mirror: Mirror, question: Question, { values, reading }: AnswerInput): AnswerText {
  const { parameters } = question;
  if (question.looksBack && reading.asOf !== null) refuseBeforeFirstRecord(mirror, reading.asOf);
  // The service matches its own filters literally; only those by group, which it lacks, are resolved here.
  const groupFilters = Object.fromEntries(Object.entries(parameters).filter(([, { prefersGroups }]) => prefersGroups));
  const resolvedValues = question.isInterface
    ? (ifResolved(() => resolveNames(mirror, groupFilters, values)) ?? values)
    : resolveNames(mirror, parameters, values);
  const resolvedInput = { values: resolvedValues, reading };
  if (question.answers === 'record') return { text: JSON.stringify(answerRecord(mirror, question, resolvedInput)) };
  const resolvedGroups = question.isInterface ? {} : resolvedPartyFields(resolveParties(mirror, parameters, values));
  return listText(mirror, question, { ...resolvedInput, resolvedGroups });
}

/** Returns a record; throws a RefusedRequestError: 404, or 410 with the last version if it was withdrawn. */
export function answerRecord(mirror: Mirror, question: RecordQuestion, { values, reading }: AnswerInput): Document {
  const record = question.read(mirror, values, reading);
  if (record) return record;
  refuseWithheldRecord(mirror, question, values);
  // The service's API has no 410: its endpoints answer 404, while their pages and assistants get 410.
  const withdrawn = reading.isInterface ? undefined : findWithdrawal(mirror, question, values);
  if (withdrawn) {
    const moment = saying((speech) => speech.moment(withdrawn.withdrawn_at));
    const detail = say`Withdrawal detected by this mirror on ${moment}. The last version is below.`;
    const { versions: history } = readHistory(mirror, kindOf(withdrawn.kind), withdrawn.key, reading.asOf);
    throw new RefusedRequestError(410, detail, { withdrawn: { ...withdrawn, history } });
  }
  const { detail, near, suggestion } = question.describeMissing(mirror, values);
  throw new RefusedRequestError(404, detail, { suggestions: near.map(suggestion) });
}

function listText(
  mirror: Mirror,
  question: ListQuestion,
  { values, reading, resolvedGroups }: AnswerInput & { resolvedGroups: Document },
): AnswerText {
  const { near: nearHits, lead: leadingFields, ...page } = question.read(mirror, values, reading);
  // The service's search has no field for near hits: they become its items, and `relaxed` marks the answer.
  const results = [...page.items];
  const showsNearHits = Boolean(nearHits) && reading.isInterface === true && results.length === 0;
  const itemTexts = showsNearHits ? nearHits!.items.map((hit) => JSON.stringify(hit)) : results;
  // For an empty list of the service's interface, suggest names for filters that match no known name.
  const suggestsNames = itemTexts.length === 0 && question.isInterface;
  const unknown = suggestsNames ? unknownNames(mirror, question.parameters, values) : [];
  const suggestions = unknown.flatMap(({ parameter, near }) =>
    near.map(({ key, name }) => ({ parameter, value: key, name })),
  );
  const trailingFields = {
    total: showsNearHits ? 0 : page.total,
    next_cursor: page.nextCursor,
    ...page.extra,
    ...(showsNearHits && { relaxed: nearHits!.relaxed }),
    ...(nearHits && !reading.isInterface && { near: nearHits }),
    ...(page.coverage && !reading.isInterface && { coverage: page.coverage }),
    ...resolvedGroups,
    ...withheldCountField(mirror, question, values),
    ...(unknown.length > 0 ? { suggestions } : {}),
  };
  // A leading field replaces the trailing one of the same name.
  for (const name of Object.keys(leadingFields ?? {})) delete trailingFields[name as keyof typeof trailingFields];
  const leadingText = leadingFields ? `${JSON.stringify(leadingFields).slice(0, -1)},` : '{';
  // Items are JSON already: they are spliced between the leading and the trailing fields.
  const text = `${leadingText}"items":[${itemTexts.join(',')}],${JSON.stringify(trailingFields).slice(1)}`;
  return { text, trouble: page.trouble };
}
