import type { Document, Json } from '../model/document.ts';
import { dayOf, type PhysicalType } from './column-type.ts';

/** The values of one column, gathered for the writer of one row group. */
export type Cells = {
  /** Adds a value of each document; false where the type of the column does not hold one of them. */
  add(documents: Document[]): boolean;
  /** What was added, in the form that takes the writer the least time. */
  taken(): { data: unknown[]; encoding?: 'PLAIN' };
  /** Makes room for the next group. */
  clear(): void;
};

type CellOf = (document: Document) => Json | undefined;

/** Empty cells of a column of that type. */
export function createCells(type: PhysicalType, cellOf: CellOf): Cells {
  if (type === 'STRING') return textCells(cellOf, (value) => (typeof value === 'string' ? value : null));
  if (type === 'JSON') return textCells(cellOf, readableJson);
  if (type === 'DATE') return plainCells(cellOf, dayOf);
  if (type === 'BOOLEAN') return plainCells(cellOf, (value) => (typeof value === 'boolean' ? value : null));
  if (type === 'DOUBLE') return plainCells(cellOf, (value) => (Number.isFinite(value) ? value : null));
  return plainCells(cellOf, (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : null));
}

/** Escapes of JSON, one by one; those of surrogates stand for lone ones, since pairs are written as they are. */
const escapes = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g;

/** JSON with U+FFFD for lone surrogates: DuckDB reads no value of a column that holds one. */
function readableJson(value: Json): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(escapes, (written, surrogate) => (surrogate === undefined ? written : '\ufffd'));
}

function plainCells(cellOf: CellOf, physical: (value: Json) => unknown): Cells {
  const data: unknown[] = [];
  return {
    add(documents) {
      let isHeld = true;
      for (const document of documents) {
        const value = cellOf(document);
        const isMissing = value === null || value === undefined;
        const held = isMissing ? null : physical(value);
        if (held === null && !isMissing) isHeld = false;
        data.push(held);
      }
      return isHeld;
    },
    taken: () => ({ data }),
    clear() {
      data.length = 0;
    },
  };
}

/** After so many values of a group it is known whether a dictionary would be worth its while. */
const sampleSize = 1000;

/**
 * Texts that repeat are handed on as they are, one string for each, for a dictionary. Texts of which most are met once
 * become UTF-8 in one place as they come, and are not kept: the writer would try a dictionary for them, and encode each
 * into memory of its own.
 */
function textCells(cellOf: CellOf, textOf: (value: Json) => string | null): Cells {
  const data: (string | Uint8Array | null)[] = [];
  const known = new Map<string, string>();
  const encoded = textStore();
  let [length, knownLength, isUnique] = [0, 0, false];
  const makeUnique = () => {
    isUnique = true;
    known.clear();
    for (const [at, value] of data.entries()) if (typeof value === 'string') data[at] = encoded.add(value);
  };
  const shared = (text: string) => {
    length += text.length;
    const same = known.get(text);
    if (same !== undefined) return same;
    knownLength += text.length;
    known.set(text, text);
    return text;
  };
  return {
    add(documents) {
      let isHeld = true;
      for (const document of documents) {
        const value = cellOf(document);
        const isMissing = value === null || value === undefined;
        const text = isMissing ? null : textOf(value);
        if (text === null) {
          data.push(null);
          if (!isMissing) isHeld = false;
        } else data.push(isUnique ? encoded.add(text) : shared(text));
        if (data.length === sampleSize && knownLength > 0.9 * length) makeUnique();
      }
      return isHeld;
    },
    taken() {
      if (!isUnique && 2 * knownLength > length) makeUnique();
      return isUnique ? { data, encoding: 'PLAIN' } : { data };
    },
    clear() {
      data.length = 0;
      known.clear();
      encoded.clear();
      [length, knownLength, isUnique] = [0, 0, false];
    },
  };
}

/** UTF-8 of texts, one behind the other; what it gives out holds until it is cleared. */
function textStore() {
  let store = Buffer.allocUnsafeSlow(65_536);
  let end = 0;
  return {
    add(text: string): Uint8Array {
      // No UTF-16 unit takes more than three bytes.
      if (end + text.length * 3 > store.length) {
        store = Buffer.allocUnsafeSlow(Math.max(store.length * 2, text.length * 3));
        end = 0;
      }
      const begin = end;
      end += store.write(text, begin);
      return new Uint8Array(store.buffer, begin, end - begin);
    },
    clear() {
      end = 0;
    },
  };
}
