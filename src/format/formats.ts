import { relative } from 'node:path';
import { BadInputError } from '../errors.ts';
import { type OmittedField, receiveRecord } from '../model/bounds.ts';
import type { Kind } from '../model/kinds.ts';
import { withoutFlatTotals } from '../parliament/group-rows.ts';
import { type Phrase, say } from '../words/speech.ts';
import { csv, tsv } from './csv.ts';
import { whyUnreadable } from './foreign-file.ts';
import type { DeclaredHeader, Format, InputBatches, InputRecord } from './format.ts';
import { htmlPage } from './html-page.ts';
import { markdown } from './markdown.ts';
import { ndjson } from './ndjson.ts';
import { type Compression, compressions } from './sink.ts';

/** Apache Parquet; its large reader and writer are loaded on first use. */
const parquet = {
  name: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  isExported: true,
  isApiExport: true,
  writeTable: async (source, options, sink) => (await import('./parquet/file.ts')).writeParquet(source, options, sink),
  reading: {
    compressions: [],
    rank: 2,
    async *records(path) {
      yield* (await import('./parquet/read.ts')).readParquet(path);
    },
    columns: async (path) => (await import('./parquet/read.ts')).readParquetColumns(path),
  },
} as const satisfies Format;

/** All formats of files and responses; what a format can do follows from its entry. */
const formatTable = [ndjson, csv, tsv, markdown, htmlPage, parquet] as const;

export const formats: readonly Format[] = formatTable;

/** Name of a format, such as `csv`. */
export type FormatName = (typeof formatTable)[number]['name'];

export const formatByName = (name: FormatName): Format => formats.find((each) => each.name === name)!;

const formatNames = (selectedFormats: readonly Format[]) => selectedFormats.map(({ name }) => name as FormatName);

/** Formats of the dataset export of the API. */
export const apiExportFormats = formats.filter(({ isApiExport }) => isApiExport);

/** Names of the formats that `export` writes, those of the API first. */
export const exportFormats = formatNames(
  formats
    .filter(({ isExported }) => isExported)
    .sort((a, b) => Number(b.isApiExport ?? 0) - Number(a.isApiExport ?? 0)),
);

/** Returns the export format and the compression (null for none) by the extension of a file name; null if unknown. */
export function exportFormatOf(path: string): { format: FormatName; compression: Compression | null } | null {
  const file = path.toLowerCase();
  const compression = (Object.keys(compressions) as Compression[]).find((each) => file.endsWith(`.${each}`));
  const uncompressedName = compression === undefined ? file : file.slice(0, -compression.length - 1);
  const format = formats.find(({ name, isExported }) => isExported && uncompressedName.endsWith(`.${name}`));
  return format ? { format: format.name as FormatName, compression: compression ?? null } : null;
}

/** Names of the formats that can write rows one by one. */
export const rowFormats = formatNames(formats.filter(({ rowFormat }) => rowFormat));

/** Extensions of files that can be read, such as `ndjson.gz`, in order of preference. */
export const inputExtensions: readonly string[] = formats
  .filter(({ reading }) => reading)
  .sort((a, b) => a.reading!.rank - b.reading!.rank)
  .flatMap(({ name, reading }) => [name, ...reading!.compressions.map((each) => `${name}.${each}`)]);

/** A file of records; `format` is one of `inputExtensions`, `folder` one that the path must not leave. */
export type InputFile = { path: string; format: string; folder?: string | null; header?: DeclaredHeader | null } & {
  /** The records in one that was read, such as those of an envelope; by default itself. */
  recordsIn?: (record: InputRecord) => InputRecord[];
};

/** Returns why a file of records cannot be opened; null if it can. */
export const whyUnreadableInput = ({ path, folder = null }: Pick<InputFile, 'path' | 'folder'>): Phrase | null =>
  whyUnreadable(folder === null ? path : relative(folder, path), Number.POSITIVE_INFINITY, folder);

/** Yields the records of a file in batches, without fields over the limits, which it adds to `omittedFields`. */
export async function* readRecords(input: InputFile, kind: Kind, omittedFields: OmittedField[] = []): InputBatches {
  for await (const batch of readerOf(input).records(input.path, kind, input.header ?? null))
    yield (input.recordsIn ? batch.flatMap(input.recordsIn) : batch).map((record) => {
      const row = kind.name === 'ballot' ? withoutFlatTotals(record.document) : record.document;
      const document = receiveRecord(row, omittedFields, record.omittedFields);
      return document === record.document ? record : { ...record, document, text: JSON.stringify(document) };
    });
}

/** Returns the columns that a file declares, in order; null for formats that declare none. */
export async function readColumns(input: InputFile): Promise<string[] | null> {
  return input.header?.columns ?? readerOf(input).columns(input.path);
}

function readerOf(input: InputFile): NonNullable<Format['reading']> {
  const { path, format: extension } = input;
  const reason = whyUnreadableInput(input);
  const hint = say`nothing of it was imported; replace it with a readable file`;
  if (reason !== null) throw new BadInputError(path, reason, hint);
  const [name] = extension.split('.');
  return formatByName(name as FormatName).reading!;
}
