import type { Format } from '../format.ts';
import { readParquet, readParquetColumns } from './read.ts';

/** Apache Parquet. Its encoder is heavy, and other formats do without. */
export const parquet = {
  name: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  isWhole: false,
  isText: false,
  isExported: true,
  isOfInterface: true,
  rowFormat: null,
  writeTable: async (source, options, sink) =>
    (await import('./file.ts')).writeParquet(source, options, sink),
  reading: { compressions: [], rank: 2, records: readParquet, columns: readParquetColumns },
} as const satisfies Format;
