import type { Watch } from '../store/watches.ts';
import { type Row, rowText } from './rows.ts';

/** A row with the hash of its content. */
export type HashedRow = { row: Row; hash: string };

/** Longest answer that is cached; each watch asks a longer one itself. */
const mostKept = 8_000_000;

/**
 * Cache of the last answer of one state of a mirror: ten thousand watches of a hundred questions read a hundred answers,
 * because watches of one question follow each other.
 */
export type SharedAnswers = {
  /** The answer under that name; undefined once another one was cached. */
  get<Kept>(name: string): Kept | undefined;
  keep(name: string, answer: unknown): void;
};

/** A cache of one answer. */
export function shareAnswers(): SharedAnswers {
  let last: { name: string; answer: unknown } | null = null;
  return {
    get: <Kept>(name: string) => (last?.name === name ? (last.answer as Kept) : undefined),
    keep(name, answer) {
      last = { name, answer };
    },
  };
}

/** Cache key: the question of a watch and the state of the mirror. */
export function sharedName({ words, language }: Pick<Watch, 'words' | 'language'>, state: object): string {
  return JSON.stringify([words, language, state]);
}

/** Rows with their hashes, streamed; cached under the name once complete, unless they are too long. */
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
