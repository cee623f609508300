import type { Watch } from '../store/watches.ts';
import { type Row, rowText } from './rows.ts';

/** A row with the hash of what it says. */
export type HashedRow = { row: Row; hash: string };

/** So much text of an answer is kept for the next watch; of a longer one each watch asks itself. */
const mostKept = 8_000_000;

/**
 * The last answer that watches got from one state of a mirror, for those that ask the same: of ten thousand watches that ask
 * a hundred questions, a hundred are answered.
 */
export type SharedAnswers = {
  /** What was kept under that name; undefined where another answer was kept since. */
  get<Kept>(name: string): Kept | undefined;
  keep(name: string, answer: unknown): void;
};

/** Holds one answer at a time. */
export function shareAnswers(): SharedAnswers {
  let last: { name: string; answer: unknown } | null = null;
  return {
    get: <Kept>(name: string) => (last?.name === name ? (last.answer as Kept) : undefined),
    keep(name, answer) {
      last = { name, answer };
    },
  };
}

/** What tells the question of a watch, asked of a state of the mirror, from any other. */
export function sharedName({ words, language }: Pick<Watch, 'words' | 'language'>, state: object): string {
  return JSON.stringify([words, language, state]);
}

/** Rows as they come, each with its hash; kept under the name once all of them have come, if they are not too long. */
export async function* keptRows(
  rows: AsyncIterable<Row>,
  shared: SharedAnswers | null,
  name: string,
): AsyncGenerator<HashedRow> {
  const known = shared?.get<HashedRow[]>(name);
  if (known) return yield* known;
  const kept: HashedRow[] = [];
  let length = 0;
  for await (const row of rows) {
    const { hash, text } = rowText(row);
    length += text.length;
    if (length <= mostKept) kept.push({ row, hash });
    else kept.length = 0;
    yield { row, hash };
  }
  if (length <= mostKept) shared?.keep(name, kept);
}
