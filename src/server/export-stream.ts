import { PassThrough, type Readable } from 'node:stream';
import { writeTable } from '../export/table.ts';
import { streamSink } from '../format/sink.ts';
import type { Attribution } from '../model/attribution.ts';
import { columnOf, type Kind } from '../model/kinds.ts';
import type { Mirror } from '../store/mirror.ts';
import { exportColumns, rowLists, rows } from '../store/rows.ts';

/** The formats of the interface, and their media types. */
export const exportMediaTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

export type DatasetFormat = keyof typeof exportMediaTypes;

/**
 * The bytes of a dataset as the command `export` writes them, read from a snapshot as they are asked for; the snapshot is
 * closed at their end.
 */
export function exportStream(
  snapshot: Mirror,
  { kind, format, attribution }: { kind: Kind; format: DatasetFormat; attribution: Attribution },
): Readable {
  const stream = new PassThrough();
  const columns = exportColumns(snapshot, kind).map((name) => columnOf(kind, name));
  const table = {
    name: kind.plural,
    columns,
    rows: () => rows(snapshot, kind),
    lists: (size: number) => rowLists(snapshot, kind, { size }),
    count: () => null,
    attribution,
  };
  writeTable(table, { format, header: true }, streamSink(stream))
    .then(
      () => stream.end(),
      (error) => stream.destroy(error),
    )
    .finally(() => snapshot.close());
  return stream;
}
