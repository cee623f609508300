import type { Json } from '../../model/document.ts';
import { type CellOf, type Cells, columnEncoder } from './column.ts';
import type { TypedColumn } from './column-type.ts';
import { encodeNestedValues, type SchemaTree, schemaTree, writeColumn } from './library.ts';
import { schemaOf } from './schema.ts';

/** Cells of a column of lists or parts: a column of bytes for each field of those, which the library writes. */
export function nestedCells(column: TypedColumn, cellOf: CellOf, take: (value: Json) => unknown): Cells[] {
  const rows: unknown[] = [];
  const paths = leavesOf([schemaTree({ schema: schemaOf([column]) } as Parameters<typeof schemaTree>[0])]);
  return paths.map((path, at): Cells => {
    const elements = path.map(({ element }) => element);
    const encoder = columnEncoder(elements.at(-1)!, { isBounded: true, path: elements });
    return {
      add(documents) {
        // One for all: they tell the parts of the same values.
        for (const document of at > 0 ? [] : documents) {
          const value = cellOf(document);
          rows.push(value === null || value === undefined ? null : take(value));
        }
        return true;
      },
      textLength: () => 0,
      write: (writer) =>
        writeColumn({ writer, column: encoder, pageData: encodeNestedValues(path, rows as never) }),
      clear() {
        rows.length = 0;
      },
    };
  });
}

/** The ways from the root to what has no parts. */
function leavesOf(path: SchemaTree[]): SchemaTree[][] {
  const { children } = path.at(-1)!;
  return children.length === 0 ? [path] : children.flatMap((child) => leavesOf([...path, child]));
}
