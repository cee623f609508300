import type { Speech } from '../words/speech.ts';
import type { Column } from './kind.ts';
import { type Kind, type KindName, kinds } from './kind-table.ts';

export type { Column, ColumnType, SearchFields } from './kind.ts';
export { type Kind, type KindName, kinds } from './kind-table.ts';

const byName = new Map<string, Kind>(kinds.map((kind) => [kind.name, kind]));
const byWord = new Map<string, Kind>(
  kinds.flatMap((kind) => [
    [kind.plural, kind],
    [kind.name, kind],
  ]),
);

/** The kind of that name; throws on a name that is not in the table. */
export function kindOf(name: KindName): Kind {
  const kind = byName.get(name);
  if (!kind) throw new TypeError(`no kind is named ${name}`);
  return kind;
}

/** The kind for a singular or plural name in any case, or undefined; an extra s at the end is accepted. */
export function findKind(word: string): Kind | undefined {
  const plain = word.trim().toLowerCase();
  return byWord.get(plain) ?? byWord.get(plain.replace(/s$/, ''));
}

/** The accepted names of kinds, singular and plural. */
export const kindWords: readonly string[] = [...byWord.keys()];

/** The six kinds that the service exports as whole datasets. */
export const datasets: readonly Kind[] = kinds.filter(({ dataset }) => dataset).reverse();

/** The kinds in display order. */
export const kindsInOrder: readonly Kind[] = kinds
  .toReversed()
  .sort((one, other) => (one.place ?? kinds.length) - (other.place ?? kinds.length));

/** True if records of a kind have that column. */
export function hasColumn({ columns }: Kind, name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** A number of records of a kind, in words. */
export function kindCount(speech: Speech, { noun, name, plural }: Kind, count: number): string {
  if (noun) return speech.count(count, noun);
  return `${speech.number(count)} ${speech.word(count === 1 ? name : plural)}`;
}

/** Schema name of a kind in API descriptions; the suffix avoids built-in names (`Promise`). */
export function schemaNameOf(name: KindName): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}Record`;
}

/** Every described field of a kind: its columns, and fields that services are known to add. */
export function describedFields({ columns, added = [] }: Kind): Column[] {
  return [...columns, ...added];
}

/** The column of a kind's field; an undescribed field gives a text column with `isGuessed`. */
export function columnOf(kind: Kind, name: string): Column {
  return (
    [...describedFields(kind), ...(kind.flat ?? [])].find((column) => column.name === name) ?? {
      name,
      type: 'text',
      isGuessed: true,
      description: `A field that the service adds to its ${kind.plural} and does not describe.`,
    }
  );
}

/** How many record ids each kind has: rows of one kind stand together. */
export const idSpan = 2 ** 40;

/** First and last record id that a kind can have. */
export function recordRange(kind: Pick<Kind, 'number'>): { first: number; last: number } {
  return { first: kind.number * idSpan + 1, last: (kind.number + 1) * idSpan - 1 };
}
