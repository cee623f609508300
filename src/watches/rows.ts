import { hash } from 'node:crypto';
import { UsageError } from '../errors.ts';
import { type Document, documentsIn, slugOf, textOf } from '../model/document.ts';
import { keyOf, titleOf } from '../model/facets.ts';
import { findKind, type Kind, kindOf, kinds, schemaNameOf } from '../model/kinds.ts';
import { normalForm } from '../model/normal-form.ts';
import { createMirrorAnswerer, readWholeList } from '../questions/answering.ts';
import type { Parameters, Values } from '../questions/parameter.ts';
import type { ListQuestion, Question } from '../questions/question.ts';
import type { Mirror } from '../store/mirror.ts';
import { lastAdditionAt, readRecord } from '../store/record.ts';
import { lastFilledAt, listGaps } from '../store/records/contents.ts';
import { type Speech, say } from '../words/speech.ts';
import { maxWatchedRows, type WatchedQuestion } from './watched-question.ts';

/** One row of an answer: `document` is compared, the other fields describe it. */
export type Row = {
  id: string; // unique within the answer
  kind: string;
  key: string;
  title: string;
  politician: string | null;
  document: Document;
  voted?: Document[]; // for a ballot, the votes of the watched groups
};

/** Present time, language of titles, folder of saved questions and file of communes, null for none. */
export type AnswerContext = { nowMs: number; speech: Speech; questions?: string | null; places?: string | null };

/** Yields all rows of a watched question, none for `changes`; throws a UsageError if there are too many. */
export async function* rowsOf(mirror: Mirror, watched: WatchedQuestion, context: AnswerContext): AsyncGenerator<Row> {
  if (watched.asks === 'silence') yield* silenceRows(mirror, watched, context);
  if (watched.asks === 'gaps') yield* gapRows(mirror, context.speech);
  if (watched.asks !== 'question') return;
  const { question, values } = watched;
  const { questions = null, places = null } = context;
  const answerer = createMirrorAnswerer(mirror, { searchesByMeaning: false, asOf: mirror.asOf, questions, places });
  if (question.answers === 'record') {
    const { item } = await answerer.record(question, values);
    return yield createRow(mirror, question, item, kindOf(question.kind(values)));
  }
  const { items } = await readWholeList(answerer, question, values);
  let count = 0;
  for await (const item of items) {
    count += 1;
    if (count > maxWatchedRows)
      throw new UsageError(
        say`the query has more than ${maxWatchedRows} rows, the maximum for a watch`,
        say`add filters, or watch \`changes --kind KIND\``,
      );
    const voted = item.voted === undefined ? null : documentsIn(item.voted);
    // Skip a ballot without votes of the watched groups.
    if (voted?.length === 0) continue;
    const row = createRow(mirror, question, item, ...recordOf(question, item, values));
    yield voted === null ? row : { ...row, voted };
  }
}

/** Kind and key of an item's record, stated by the question, else the kind of the question's schema; empty for none. */
function recordOf(question: ListQuestion, item: Document, values: Values<Parameters>): [kind?: Kind, key?: string] {
  const { kind, key } = question.recordOfItem?.(item, values) ?? {};
  if (kind !== undefined) return [findKind(kind), key];
  return [kinds.find(({ name }) => schemaNameOf(name) === question.schema)];
}

/** The row of an item; its document is the stored record, or the item itself without a kind or record. */
function createRow(mirror: Mirror, question: Question, item: Document, kind?: Kind, key?: string): Row {
  if (!kind) return createRecordlessRow(question, item);
  const recordKey = key ?? keyOf(kind, item);
  // The item of a search or list is partial, and varies between answers.
  const document = readRecord(mirror, kind, recordKey) ?? item;
  return {
    id: `${kind.name}:${recordKey}`,
    kind: kind.name,
    key: recordKey,
    title: titleOf(kind, document),
    politician: kind.name === 'politician' ? recordKey : slugOf(document.politician),
    document,
  };
}

/** The row of an item that is no record, identified by its texts and dates, as numbers may change. */
function createRecordlessRow(question: Question, item: Document): Row {
  const fields = question.answers === 'list' ? (question.fields ?? []) : [];
  // A SQL statement chooses its own columns.
  const names = question.runsStatement
    ? Object.keys(item).filter((name) => typeof item[name] === 'string')
    : fields.filter(({ type }) => type === 'text' || type === 'date' || type === 'datetime').map(({ name }) => name);
  const texts = names.flatMap((name) => textOf(item, name) ?? []);
  const key = texts.join(' ');
  return {
    id: JSON.stringify(texts),
    kind: question.name,
    key,
    title: textOf(item, 'title', 'name', 'topic') ?? key,
    politician: slugOf(item.politician),
    document: item,
  };
}

type Silence = Extract<WatchedQuestion, { asks: 'silence' }>;

/** Yields one row, with the time of the last arrival, if nothing arrived for `ms`; no row otherwise. */
function* silenceRows(mirror: Mirror, { subject, ms }: Silence, { nowMs, speech }: AnswerContext): Generator<Row> {
  const arrivalAt = subject === 'sync' ? lastFilledAt(mirror) : lastAdditionAt(mirror, kindOf(subject));
  if (arrivalAt !== null && nowMs - Date.parse(arrivalAt) < ms) return;
  yield {
    id: `${subject} ${arrivalAt ?? ''}`,
    kind: 'silence',
    key: subject,
    title: arrivalAt ? speech.say`nothing since ${speech.moment(arrivalAt)}` : speech.say`nothing was ever received`,
    politician: null,
    document: { of: subject, since: arrivalAt },
  };
}

function* gapRows(mirror: Mirror, speech: Speech): Generator<Row> {
  for (const { kind, noticed_at } of listGaps(mirror))
    yield {
      id: `${kind} ${noticed_at}`,
      kind: 'gap',
      key: noticed_at,
      title: speech.say`a period of the moderation log that no sync received, detected on ${speech.moment(noticed_at)}`,
      politician: null,
      document: { kind, noticed_at },
    };
}

/** Hash of the kind and content of a row. */
export function rowHash({ kind, document }: Row): string {
  return hash('sha256', `${kind} ${normalForm(findKind(kind) ?? { sets: [] }, document)}`, 'hex').slice(0, 32);
}
