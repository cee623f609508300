import type { Document } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import { ifResolved } from '../names/lookup.ts';
import { refuseWithheldRecord, withdrawnOf, withheldIn } from '../questions/answering.ts';
import { resolveNames, unknownNames } from '../questions/names.ts';
import type { ListQuestion, Question, ReadOptions, RecordQuestion } from '../questions/question.ts';
import { resolvedPartyFields, resolveParties } from '../questions/resolved-parties.ts';
import { readHistory } from '../store/history/history.ts';
import { refuseBeforeFirstRecord } from '../store/history/past.ts';
import type { Mirror } from '../store/mirror.ts';
import { saying } from '../words/speech.ts';
import { RefusedRequestError } from './problem.ts';

/** Input of a question: values, reading options, and whether the answer goes beyond the service's interface. */
export type AnswerInput = { values: Record<string, unknown>; reading: ReadOptions; isBeyondInterface?: boolean };

/** Text of a response; `trouble` tells the operator why a fallback answered, such as a missing search model. */
export type AnswerText = { text: string; trouble?: string | null };

/** Returns the JSON text of an answer; throws a RefusedRequestError (404, 410) for a missing record. */
export function answerText(mirror: Mirror, question: Question, { reading, ...otherInput }: AnswerInput): AnswerText {
  const isInterface = question.isInterface && !otherInput.isBeyondInterface;
  const input = { ...otherInput, reading: isInterface ? { ...reading, isInterface } : reading };
  const { values } = input;
  if (question.looksBack && reading.asOf !== null) refuseBeforeFirstRecord(mirror, reading.asOf);
  // The service matches its own filters literally; a filter by groups is of this program.
  const groupFilters = Object.fromEntries(Object.entries(question.parameters).filter(([, { isGroup }]) => isGroup));
  const resolvedValues = question.isInterface
    ? (ifResolved(() => resolveNames(mirror, groupFilters, values)) ?? values)
    : resolveNames(mirror, question.parameters, values);
  if (question.answers === 'record')
    return { text: JSON.stringify(answerRecord(mirror, question, { ...input, values: resolvedValues })) };
  const resolvedGroups = question.isInterface
    ? {}
    : resolvedPartyFields(resolveParties(mirror, question.parameters, values));
  return listText(mirror, question, { ...input, values: resolvedValues, resolvedGroups });
}

/** Returns the named record; throws a RefusedRequestError: 404, or 410 if withdrawn (service's API: on pages only). */
export function answerRecord(
  mirror: Mirror,
  question: RecordQuestion,
  { values, reading, isBeyondInterface }: AnswerInput,
): Document {
  const record = question.read(mirror, values, reading);
  if (record) return record;
  refuseWithheldRecord(mirror, question, values);
  const withdrawn = isBeyondInterface || !question.isInterface ? withdrawnOf(mirror, question, values) : undefined;
  if (withdrawn) {
    const detail = saying(
      (speech) =>
        speech.say`Withdrawal detected by this mirror on ${speech.moment(withdrawn.withdrawn_at)}. The last version is below.`,
    );
    const { versions: history } = readHistory(mirror, kindOf(withdrawn.kind), withdrawn.key, reading.asOf);
    throw new RefusedRequestError(410, detail, { withdrawn: { ...withdrawn, history } });
  }
  const { detail, near, suggestion } = question.describeMissing(mirror, values);
  throw new RefusedRequestError(404, detail, { suggestions: near.map(suggestion) });
}

function listText(
  mirror: Mirror,
  question: ListQuestion,
  { values, reading, isBeyondInterface, resolvedGroups }: AnswerInput & { resolvedGroups: Document },
): AnswerText {
  const { items, near, total, nextCursor, lead, extra, trouble, coverage } = question.read(mirror, values, reading);
  // The service's search has no place for suggestions: they are items, and `relaxed` marks the answer.
  const results = [...items];
  const isInterface = question.isInterface && !isBeyondInterface;
  const isMixed = Boolean(near) && isInterface && results.length === 0;
  const texts = isMixed ? near!.items.map((hit) => JSON.stringify(hit)) : results;
  // For an empty list of the service's interface, suggest names for filters that match no known name.
  const mayHint = texts.length === 0 && question.isInterface;
  const unknown = mayHint ? unknownNames(mirror, question.parameters, values) : [];
  const suggestions = unknown.flatMap(({ parameter, near }) =>
    near.map(({ key, name }) => ({ parameter, value: key, name })),
  );
  const trailingFields = {
    total: isMixed ? 0 : total,
    next_cursor: nextCursor,
    ...extra,
    ...(isMixed && { relaxed: near!.relaxed }),
    ...(near && !isInterface && { near }),
    ...(coverage && !isInterface && { coverage }),
    ...resolvedGroups,
    ...withheldIn(mirror, question, values),
    ...(unknown.length > 0 ? { suggestions } : {}),
  };
  for (const name of Object.keys(lead ?? {})) delete trailingFields[name as keyof typeof trailingFields];
  const head = lead ? `${JSON.stringify(lead).slice(0, -1)},` : '{';
  return { text: `${head}"items":[${texts.join(',')}],${JSON.stringify(trailingFields).slice(1)}`, trouble };
}
