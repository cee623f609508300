import { hash } from 'node:crypto';
import { dayOfMoment, fitOf, shortMoment } from '../../format/fit.ts';
import { cellReader } from '../../format/rows.ts';
import type { Document, Json } from '../../model/document.ts';
import type { Column } from '../../model/kinds.ts';
import { storable } from '../ddl.ts';
import { validColumns } from '../warehouse.ts';

type Cell = { text: string | null; isWhole: boolean };

const nothing: Cell = { text: null, isWhole: true };
const misfit: Cell = { text: null, isWhole: false };

const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0');

function jsonCell(value: Json): Cell {
  const text = JSON.stringify(value);
  if (!/\\u0000|\\ud[89a-f]/i.test(text)) return { text, isWhole: true };
  const harmless = JSON.stringify(value, (_, each) => {
    if (typeof each === 'string') return storable(each);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, inner]) => [storable(name), inner]));
  });
  return { text: harmless, isWhole: harmless === text };
}

/** PostgreSQL has no year 0. */
const isYear = (moment: string) => !moment.startsWith('0000');

function cellOf(column: Column): (value: Json) => Cell {
  const fit = fitOf(column);
  const { type } = column;
  if (type === 'json') return (value) => (value === Infinity || value === -Infinity ? nothing : jsonCell(value));
  if (type === 'text')
    return (value) => {
      if (typeof value === 'string') return { text: isPlain(value) ? value : storable(value), isWhole: isPlain(value) };
      if (column.isGuessed && typeof value === 'object') return { text: JSON.stringify(value), isWhole: true };
      const fittedValue = fit.take(value) as string | null;
      return { text: fittedValue === null ? null : storable(fittedValue), isWhole: fit.wasWhole() };
    };
  return (value) => {
    const fittedValue = fit.take(value);
    if (fittedValue === null || fittedValue === undefined) return fit.wasWhole() ? nothing : misfit;
    if (type === 'date') return isYear(value as string) ? { text: value as string, isWhole: true } : misfit;
    if (type !== 'datetime') return { text: `${fittedValue}`, isWhole: fit.wasWhole() };
    const text = shortMoment(Number(fittedValue));
    if (!isYear(text)) return misfit;
    // A day and a moment with `.000` are the same value.
    const isSame = fit.wasWhole() || dayOfMoment(text) === value || text.replace('Z', '.000Z') === value;
    return { text, isWhole: isSame };
  };
}

/** Longest key stored as is, in characters: the index limits the size of its entries. */
const longestKey = 500;

/** A key that fits the index and stays distinct: a prefix and a hash. */
function keyText(text: string, value: Json): string {
  if (text === value && text.length <= longestKey) return text;
  return `${[...text].slice(0, longestKey / 5).join('')}#${hash('sha256', JSON.stringify(value)).slice(0, 16)}`;
}

const signs: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const copied = (text: string | null) => (text === null ? '\\N' : text.replace(/[\\\n\r\t]/g, (sign) => signs[sign]!));

/** Formats rows for COPY; values that PostgreSQL cannot store become null or approximate, originals in `raw_values`. */
export function createRowText(columns: Column[], keys: Set<string>) {
  const read = cellReader(columns.map(({ name }) => name));
  const cells = columns.map((column) => ({
    name: column.name,
    write: cellOf(column),
    isKey: keys.has(column.name) && column.type === 'text',
    isSpan: validColumns.some(({ name }) => name === column.name),
  }));
  const misfits = new Map<string, number>();
  return {
    /** Numbers of values in `raw_values`, by column. */
    misfits,
    /** A row as a line with its line end: the columns, then `raw_values` and `row_hash`. */
    line(row: Document): string {
      let all = '';
      let hashedText = '';
      let raw: Record<string, Json> | null = null;
      for (const { name, write, isKey, isSpan } of cells) {
        const value = read(row, name) ?? null;
        let { text, isWhole } = value === null ? nothing : write(value);
        if (isKey && text !== null && (text.length > longestKey || !isWhole)) {
          text = keyText(text, value);
          isWhole = false;
        }
        if (!isWhole) {
          raw ??= {};
          raw[name] = value;
          misfits.set(name, (misfits.get(name) ?? 0) + 1);
        }
        const cell = `${copied(text)}\t`;
        all += cell;
        if (!isSpan) hashedText += cell;
      }
      const rawCell = copied(raw && JSON.stringify(raw));
      return `${all}${rawCell}\t${hash('sha256', `${hashedText}${rawCell}`).slice(0, 32)}\n`;
    },
  };
}

/** The row with a hash of its contents in place of a missing key. */
export function keyedRow(row: Document, key: string[]): Document {
  const missing = key.filter((name) => row[name] === null || row[name] === undefined);
  if (missing.length === 0) return row;
  const { valid_from: _, valid_to: __, ...contentFields } = row;
  const name = `sha256:${hash('sha256', JSON.stringify(contentFields)).slice(0, 32)}`;
  return { ...row, ...Object.fromEntries(missing.map((column) => [column, name])) };
}
