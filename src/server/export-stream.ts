import { PassThrough, type Readable } from 'node:stream';
import { type Attribution, odbl } from '../model/attribution.ts';
import type { Kind } from '../model/kinds.ts';
import { csvFormat } from '../output/csv.ts';
import { writeRows } from '../output/row-format.ts';
import { type Sink, streamSink } from '../output/sink.ts';
import type { Mirror } from '../store/open.ts';
import { exportColumns, rows } from '../store/rows.ts';

/** A file format of an export: its media type, and how a dataset is written in it. */
export type ExportFormat = {
  mediaType: string;
  write(mirror: Mirror, kind: Kind, attribution: Attribution, sink: Sink): Promise<unknown>;
};

/** The formats of the interface. */
export const exportFormats: Record<'csv' | 'parquet', ExportFormat> = {
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    write(mirror, kind, _attribution, sink) {
      const columns = exportColumns(mirror, kind);
      return writeRows(rows(mirror, kind), csvFormat(columns), sink, { columns, header: true });
    },
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    async write(mirror, kind, attribution, sink) {
      const { writeParquet } = await import('../output/parquet.ts');
      const columns = exportColumns(mirror, kind).map((name) => ({ name }));
      const metadata = { licence: odbl.id, licence_url: odbl.url, attribution: attribution.text };
      await writeParquet(() => rows(mirror, kind), { columns, metadata }, sink);
    },
  },
};

/** The bytes of a dataset, read from a snapshot as they are asked for; the snapshot is closed at their end. */
export function exportStream(
  snapshot: Mirror,
  { kind, format, attribution }: { kind: Kind; format: ExportFormat; attribution: Attribution },
): Readable {
  const stream = new PassThrough();
  const sink = streamSink(stream);
  format
    .write(snapshot, kind, attribution, sink)
    .then(
      () => stream.end(),
      (error) => stream.destroy(error),
    )
    .finally(() => snapshot.close());
  return stream;
}
