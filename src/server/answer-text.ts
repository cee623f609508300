import { kindOf } from '../model/kinds.ts';
import { resolveNames, unknownNames } from '../questions/names.ts';
import type { Values } from '../questions/parameter.ts';
import type { ListQuestion, Question, Reading, RecordQuestion } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { type Edition, readEdition } from '../store/contents.ts';
import type { FollowedMirror } from '../store/followed-mirror.ts';
import type { Mirror } from '../store/mirror.ts';
import { openPast, refuseUnseen } from '../store/past.ts';
import { inOneView } from '../store/transaction.ts';
import { RefusedRequestError } from './problem.ts';

/** A question as plain data: its name, the values of its parameters, and how it is to be read. */
export type Asked = { question: string; values: Record<string, unknown>; reading: Reading };

/** The text of an answer, and the edition of the mirror that it was made from. */
export type MadeText = {
  edition: Edition;
  text: string;
  /** Why it is not the answer that there would be at another time; null or left out where it is. */
  trouble?: string | null;
};

/** Responses questions: in this process, or in another one. */
export type Reader = {
  /** Throws a RefusedRequestError: 404, 422, or 503 for what takes too long. */
  read(asked: Asked): Promise<MadeText>;
  close(): Promise<void>;
};

const byName = new Map(questions.map((question) => [question.name, question]));

/** Mirrors of the past that are kept open between questions. */
const mostPast = 2;

/** How long: each holds a state of the file, behind which its log cannot be cut short. */
const pastIdleMs = 10_000;

/** The JSON texts that answer questions, from one view of the mirror each; of the past, from a mirror of that moment. */
export function createTextReader(followed: FollowedMirror): { read(asked: Asked): MadeText; close(): void } {
  const past = new Map<string, Mirror>();
  let idle: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(idle);
    for (const each of past.values()) each.close();
    past.clear();
  };
  const open = (
    mirror: Mirror,
    at: string,
    { question, asked }: { question: Question; asked: Asked },
  ): Mirror => {
    const kinds = question.reads(asked.values as Values<typeof question.parameters>);
    const state = JSON.stringify([readEdition(mirror), at, kinds]);
    clearTimeout(idle);
    idle = setTimeout(close, pastIdleMs).unref();
    const known = past.get(state);
    if (known) return known;
    if (past.size >= mostPast) close();
    const opened = followed.beside((path) => openPast(path, at, kinds.map(kindOf)), close);
    past.set(state, opened);
    return opened;
  };
  return {
    close,
    read(asked) {
      const question = byName.get(asked.question)!;
      const { asOf } = asked.reading;
      const mirror = followed.current();
      const isPast = asOf !== null && !question.looksBack;
      const source = isPast ? open(mirror, asOf, { question, asked }) : mirror;
      return inOneView(source, () => {
        let trouble: string | null = null;
        const tell = (told: string) => {
          trouble = told;
        };
        const text = answerText(source, question, { ...asked, tell });
        return { edition: readEdition(source), text, trouble };
      });
    },
  };
}

/** Reads in this process, which does nothing else meanwhile and cannot cut what takes long. */
export function readHere(mirror: FollowedMirror): Reader {
  const reader = createTextReader(mirror);
  return { read: async (asked) => reader.read(asked), close: async () => reader.close() };
}

/** `tell` hears what whoever runs the program should know of an answer. */
type Telling = Pick<Asked, 'values' | 'reading'> & { tell?: ((trouble: string) => void) | undefined };

/** The JSON text that answers a question; throws a RefusedRequestError for what names nothing. */
export function answerText(mirror: Mirror, question: Question, { values, reading, tell }: Telling): string {
  if (question.looksBack && reading.asOf !== null) refuseUnseen(mirror, reading.asOf);
  const meant = question.isInterface ? values : resolveNames(mirror, question.parameters, values);
  return question.answers === 'list'
    ? listText(mirror, question, { values: meant, reading, tell })
    : recordText(mirror, question, { values: meant, reading });
}

function recordText(
  mirror: Mirror,
  question: RecordQuestion,
  { values, reading }: Pick<Asked, 'values' | 'reading'>,
): string {
  const record = question.read(mirror, values, reading);
  if (record) return JSON.stringify(record);
  const { detail, near, suggestion } = question.absent(mirror, values);
  throw new RefusedRequestError(404, detail, { suggestions: near.map(suggestion) });
}

function listText(mirror: Mirror, question: ListQuestion, { values, reading, tell }: Telling): string {
  const { items, total, nextCursor, lead, extra, trouble } = question.read(mirror, values, reading);
  if (trouble) tell?.(trouble);
  const texts = [...items];
  const rest = { total, next_cursor: nextCursor, ...extra, ...hints(mirror, question, { values, texts }) };
  for (const name of Object.keys(lead ?? {})) delete rest[name as keyof typeof rest];
  const head = lead ? `${JSON.stringify(lead).slice(0, -1)},` : '{';
  return `${head}"items":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

/** Where the interface's own lists are empty because a filter names nothing, what it may have meant stands beside them. */
function hints(
  mirror: Mirror,
  question: ListQuestion,
  { values, texts }: { values: Asked['values']; texts: string[] },
): { suggestions?: Record<string, string>[] } {
  if (texts.length > 0 || !question.isInterface) return {};
  const unknown = unknownNames(mirror, question.parameters, values);
  const suggestions = unknown.flatMap(({ parameter, near }) =>
    near.map(({ key, name }) => ({ parameter, value: key, name })),
  );
  return unknown.length > 0 ? { suggestions } : {};
}
