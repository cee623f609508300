import { hash } from 'node:crypto';
import { tabCell } from '../../format/csv.ts';
import { createConverter, dayOfMoment, shortMoment } from '../../format/fit.ts';
import { cellReader } from '../../format/rows.ts';
import { type Document, type Json, mapTexts } from '../../model/document.ts';
import type { Column } from '../../model/kinds.ts';
import { replaceUnstorable } from '../ddl.ts';
import { validityColumns } from '../warehouse.ts';

/** A value as text before escaping; null is NULL. Not `isLossless` if the original must go into `raw_values`. */
type Cell = { text: string | null; isLossless: boolean };

const emptyCell: Cell = { text: null, isLossless: true };
const misfitCell: Cell = { text: null, isLossless: false };

/** JSON text in which keys and texts are replaced by storable ones. */
function jsonCell(value: Json): Cell {
  const text = JSON.stringify(value);
  if (!/\\u0000|\\ud[89a-f]/i.test(text)) return { text, isLossless: true };
  const storableText = JSON.stringify(mapTexts(value, replaceUnstorable));
  return { text: storableText, isLossless: storableText === text };
}

/** False for a moment or day in year 0, which PostgreSQL does not have. */
const isStorable = (moment: string) => !moment.startsWith('0000');

/** Returns a function from a value of the column to its cell; infinite numbers in JSON columns become null. */
function createCellWriter(column: Column): (value: Json) => Cell {
  const converter = createConverter(column);
  const { type } = column;
  if (type === 'json') return (value) => (value === Infinity || value === -Infinity ? emptyCell : jsonCell(value));
  return (value) => {
    if (column.isGuessed && typeof value === 'object') return { text: JSON.stringify(value), isLossless: true };
    const fittedValue = converter.convert(value);
    const isLossless = converter.wasLossless();
    if (fittedValue === null || fittedValue === undefined) return isLossless ? emptyCell : misfitCell;
    if (type === 'date') return isStorable(value as string) ? { text: value as string, isLossless: true } : misfitCell;
    if (type !== 'datetime') {
      const fittedText = `${fittedValue}`;
      const text = type === 'text' ? replaceUnstorable(fittedText) : fittedText;
      return { text, isLossless: isLossless && text === fittedText };
    }
    const text = shortMoment(Number(fittedValue));
    if (!isStorable(text)) return misfitCell;
    // A day and a moment with `.000` are the same value.
    const isExact = isLossless || dayOfMoment(text) === value || text.replace('Z', '.000Z') === value;
    return { text, isLossless: isExact };
  };
}

/** Longest key that is stored unchanged, in characters: the index limits the size of its entries. */
const maxKeyLength = 500;

const copyCell = (text: string | null) => (text === null ? '\\N' : tabCell(text));

/**
 * Returns a function from a row to its line for COPY: columns, `raw_values` (originals that do not fit), `row_hash`.
 * Values that PostgreSQL cannot store become null or approximate, and are counted by column in `misfits`.
 */
export function createRowFormatter(columns: Column[], keys: Set<string>) {
  const readCell = cellReader(columns.map(({ name }) => name));
  const cells = columns.map((column) => ({
    name: column.name,
    write: createCellWriter(column),
    isKey: keys.has(column.name) && column.type === 'text',
    isValidity: validityColumns.some(({ name }) => name === column.name),
  }));
  return (row: Document, misfits: Map<string, number>): string => {
    let lineText = '';
    let hashedText = '';
    let rawValues: Record<string, Json> | null = null;
    for (const { name, write, isKey, isValidity } of cells) {
      const value = readCell(row, name) ?? null;
      let { text, isLossless } = value === null ? emptyCell : write(value);
      if (isKey && text !== null && (text.length > maxKeyLength || !isLossless)) {
        // A prefix and a hash fit the index and stay distinct.
        text = `${[...text].slice(0, maxKeyLength / 5).join('')}#${hash('sha256', JSON.stringify(value)).slice(0, 16)}`;
        isLossless = false;
      }
      if (!isLossless) {
        rawValues ??= {};
        rawValues[name] = value;
        misfits.set(name, (misfits.get(name) ?? 0) + 1);
      }
      const cell = `${copyCell(text)}\t`;
      lineText += cell;
      if (!isValidity) hashedText += cell;
    }
    const rawCell = copyCell(rawValues && JSON.stringify(rawValues));
    return `${lineText}${rawCell}\t${hash('sha256', `${hashedText}${rawCell}`).slice(0, 32)}\n`;
  };
}

/** The row, with a hash of its contents (validity interval aside) in place of a missing key. */
export function addMissingKey(row: Document, key: string[]): Document {
  const emptyKeys = key.filter((name) => row[name] === null || row[name] === undefined);
  if (emptyKeys.length === 0) return row;
  const { valid_from: _, valid_to: __, ...contentFields } = row;
  const hashKey = `sha256:${hash('sha256', JSON.stringify(contentFields)).slice(0, 32)}`;
  return { ...row, ...Object.fromEntries(emptyKeys.map((column) => [column, hashKey])) };
}
