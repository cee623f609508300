import type { Format } from '../format.ts';

/** Apache Parquet. Its reader and its writer are heavy, and other formats do without. */
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
  reading: {
    compressions: [],
    rank: 2,
    async *records(path) {
      yield* (await import('./read.ts')).readParquet(path);
    },
    columns: async (path) => (await import('./read.ts')).readParquetColumns(path),
  },
} as const satisfies Format;
