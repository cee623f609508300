import type { SchemaElement } from 'hyparquet';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import type { Json } from '../../model/document.ts';
import { type CellOf, type Cells, type ColumnEncoder, columnEncoder } from './column.ts';
import { dayOf, type PhysicalType } from './column-type.ts';
import { textCells } from './texts.ts';

/** Empty cells of a column of that type. */
export function createCells(type: PhysicalType, element: SchemaElement, cellOf: CellOf): Cells {
  // Bounds of JSON texts serve no query, and are kept whole in the footer.
  const column = columnEncoder(element, { isBounded: type !== 'JSON' });
  if (type === 'STRING')
    return textCells(column, cellOf, (value) => (typeof value === 'string' ? value : null));
  if (type === 'JSON') return textCells(column, cellOf, readableJson);
  const physical = (of: (value: Json) => unknown) => plainCells(column, cellOf, of);
  if (type === 'DATE') return physical(dayOf);
  if (type === 'BOOLEAN') return physical((value) => (typeof value === 'boolean' ? value : null));
  if (type === 'DOUBLE') return physical((value) => (Number.isFinite(value) ? value : null));
  return physical((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : null));
}

/** Escapes of JSON, one by one; those of surrogates stand for lone ones, since pairs are written as they are. */
const escapes = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g;

/** JSON with U+FFFD for lone surrogates: DuckDB reads no value of a column that holds one. */
function readableJson(value: Json): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(escapes, (written, surrogate) => (surrogate === undefined ? written : '\ufffd'));
}

/** Cells of fixed width, which the library writes. */
function plainCells(column: ColumnEncoder, cellOf: CellOf, physical: (value: Json) => unknown): Cells {
  const values: unknown[] = [];
  const definitionLevels: number[] = [];
  return {
    add(documents) {
      let isHeld = true;
      for (const document of documents) {
        const value = cellOf(document);
        const isMissing = value === null || value === undefined;
        const held = isMissing ? null : physical(value);
        if (held === null && !isMissing) isHeld = false;
        values.push(held);
        definitionLevels.push(held === null ? 0 : 1);
      }
      return isHeld;
    },
    textLength: () => 0,
    write(writer) {
      const pageData = { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: 1 };
      return writeColumn({ writer, column, pageData });
    },
    clear() {
      values.length = 0;
      definitionLevels.length = 0;
    },
  };
}
