import type { Kind } from '../model/kinds.ts';
import { type HeaderBeside, readCsv, readCsvHeader } from './csv.ts';
import type { InputBatches } from './input-record.ts';
import { readNdjson } from './ndjson.ts';
import { readParquet, readParquetColumns } from './parquet/read.ts';

/** File formats that hold records, by file ending; the first that is found of a kind is read. */
export const inputFormats = ['ndjson', 'ndjson.gz', 'parquet', 'csv'] as const;

export type InputFormat = (typeof inputFormats)[number];

/** A file that holds records; `beside` is the header of a CSV file that has none itself. */
export type InputFile = { path: string; format: InputFormat; beside?: HeaderBeside | null };

/** The records of a file in its format. */
export function readRecords({ path, format, beside = null }: InputFile, kind: Kind): InputBatches {
  if (format === 'csv') return readCsv(path, kind, beside);
  return format === 'parquet' ? readParquet(path) : readNdjson(path);
}

/** The columns that a file declares, in order; null for formats that declare none. */
export async function readColumns({ path, format, beside }: InputFile): Promise<string[] | null> {
  if (format === 'csv') return beside?.columns ?? readCsvHeader(path);
  return format === 'parquet' ? readParquetColumns(path) : null;
}
