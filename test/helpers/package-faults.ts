import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Json } from '../../src/model/document.ts';

type Field = { name: string; type: string; rawOf?: string; misfits?: number };
type Key = { fields: string[]; reference: { resource: string; fields: string[] } };
type Resource = {
  name: string;
  path: string;
  format: string;
  rows: number;
  schema: { fields: Field[]; primaryKey?: string[]; foreignKeys?: Key[] };
};

/** Rows as an implementation of the standard reads them: an empty cell is missing. */
function readRows(out: string, { path, format }: Resource): Record<string, Json>[] {
  const text = readFileSync(join(out, path), 'utf8');
  if (format === 'ndjson') return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === '' ? null : cell])),
  );
}

const isType: Record<string, (value: Json) => boolean> = {
  integer: (value) => (typeof value === 'string' ? /^[+-]?\d+$/.test(value) : Number.isInteger(value)),
  number: (value) =>
    typeof value === 'string' ? /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) : typeof value === 'number',
  boolean: (value) => ['true', 'True', 'TRUE', '1', 'false', 'False', 'FALSE', '0'].includes(String(value)),
  string: (value) => typeof value === 'string',
};

/** What in a file contradicts its description (Table Schema of the Data Package standard, version 2). */
export function packageFaults(
  resource: Resource,
  { out, resources }: { out: string; resources: Resource[] },
): string[] {
  const rows = readRows(out, resource);
  const { fields, primaryKey, foreignKeys = [] } = resource.schema;
  const faults = rows.length === resource.rows ? [] : [`${rows.length} rows`];
  const names = new Set(Object.keys(rows[0] ?? {}));
  for (const { name, type, misfits = 0 } of fields) {
    if (!names.has(name)) faults.push(`no field ${name}`);
    const wrong = rows.filter((row) => row[name] !== null && isType[type]?.(row[name] ?? null) === false);
    if (wrong.length > misfits)
      faults.push(`${wrong.length} of ${name} are no ${type}: ${JSON.stringify(wrong[0]![name])}`);
  }
  const keyOf = (row: Record<string, Json>, key: string[]) => key.map((name) => row[name] ?? null);
  const keys = primaryKey ? rows.map((row) => keyOf(row, primaryKey)) : [];
  if (keys.some((key) => key.includes(null))) faults.push(`a null in the key ${primaryKey}`);
  if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length) faults.push(`the key ${primaryKey} repeats`);
  for (const { fields: key, reference } of foreignKeys) {
    const target = resources.find(({ name }) => name === reference.resource);
    const targetRows = target ? readRows(out, target).map((row) => JSON.stringify(keyOf(row, reference.fields))) : [];
    const stored = new Set(targetRows);
    const wrong = rows
      .map((row) => keyOf(row, key))
      .find((each) => !each.includes(null) && !stored.has(JSON.stringify(each)));
    if (wrong) faults.push(`${key} names ${JSON.stringify(wrong)}, which ${reference.resource} lacks`);
  }
  return faults;
}
