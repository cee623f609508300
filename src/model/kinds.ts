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

/** The kind that a person means by a singular or plural name, or undefined. */
export function findKind(word: string): Kind | undefined {
  return byWord.get(word.toLowerCase());
}

/** The six kinds that the service exports as whole datasets. */
export const datasets: readonly Kind[] = kinds.filter(({ dataset }) => dataset).reverse();

/** The type and description of a field of a kind; fields that the service added are text or JSON unknown to us. */
export function columnOf(kind: Kind, name: string): Column {
  return (
    kind.columns.find((column) => column.name === name) ?? {
      name,
      type: 'text',
      description: 'A field of the service that Hemicycle passes on as it came.',
    }
  );
}
