import { BadInputError, orNull } from '../errors.ts';
import { type Document, isDocument, type Json, parseExactJson } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import { assignedKeyField } from '../model/normal-form.ts';
import { say } from '../words/speech.ts';
import { inputBytes } from './foreign-file.ts';
import { type Format, type InputBatches, type InputRecord, maxRowChars, type RowSource, sizeReason } from './format.ts';
import { pickColumns, type RowFormat } from './rows.ts';
import { escapeHidden } from './sanitise.ts';
import { createUtf8Decoder } from './text-lines.ts';

/** Returns a format of one JSON object per line: whole records, or only `columns` if given. */
export function ndjsonFormat(columns?: string[]): RowFormat {
  return {
    head: () => '',
    row: (document) => `${JSON.stringify(columns ? pickColumns(document, columns) : document)}\n`,
    escapeControls: escapeHidden,
  };
}

/** Yields rows without the assigned key: all described fields in order (null if missing), then other fields. */
export function* completeRecords({ columns, rows }: RowSource & { columns: Column[] }): Generator<Document> {
  for (const { [assignedKeyField]: _, ...row } of rows()) yield completeRecord(row, columns);
}

function completeRecord(document: Document, columns: Column[]): Document {
  const fields = columns.map(({ name, inside }): [string, Json] => {
    const value = (Object.hasOwn(document, name) ? document[name] : null) ?? null;
    return [name, inside ? completeNested(value, inside) : value];
  });
  const describedFields = Object.fromEntries(fields);
  return { ...describedFields, ...document, ...describedFields }; // The first sets the order, the last the values.
}

function completeNested(value: Json, inside: NonNullable<Column['inside']>): Json {
  if ('fields' in inside) return isDocument(value) ? completeRecord(value, inside.fields) : value;
  const parts = inside.list;
  if (parts === 'ids' || !Array.isArray(value)) return value;
  return value.map((part) => (isDocument(part) ? completeRecord(part, parts) : part));
}

/** Yields the records of an NDJSON file, decompressed at most `maxBytes`. Throws a BadInputError with the bad line. */
export async function* readNdjson(path: string, maxBytes?: number): InputBatches {
  const decode = createUtf8Decoder(path);
  let remainder = '';
  let line = 0;
  for await (const chunk of inputBytes(path, maxBytes)) {
    const lines = (remainder + decode(chunk)).split('\n');
    remainder = lines.pop() ?? '';
    if (remainder.length > maxRowChars) throw new BadInputError(`${path}:${line + lines.length + 1}`, sizeReason);
    yield parseLines(path, lines, line);
    line += lines.length;
  }
  yield parseLines(path, [remainder + decode()], line);
}

function parseLines(path: string, lines: string[], linesBefore: number): InputRecord[] {
  return lines.flatMap((line, at) => (/\S/.test(line) ? parseLine(path, line.trim(), linesBefore + at + 1) : []));
}

function parseLine(path: string, text: string, line: number): InputRecord {
  const parsed = orNull(() => parseExactJson(text, { usesDoubles: true }));
  if (parsed === null) throw new BadInputError(`${path}:${line}`, say`not JSON`);
  if (!isDocument(parsed.value))
    throw new BadInputError(`${path}:${line}`, say`not a record: a line must hold one JSON object`);
  return { document: parsed.value, text: parsed.text, location: `line ${line}` };
}

export const ndjson = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  keepsAllFields: true,
  isText: true,
  isExported: true,
  rowFormat: (columns, { picksColumns }) => ndjsonFormat(picksColumns ? columns : undefined),
  reading: { compressions: ['gz', 'zst'], rank: 1, records: (path) => readNdjson(path), columns: async () => null },
} as const satisfies Format;
