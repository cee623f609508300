import { type Attribution, odbl } from '../model/attribution.ts';
import type { Document } from '../model/document.ts';
import type { Column } from '../model/kinds.ts';
import { csvFormat } from './csv.ts';
import { ndjsonFormat } from './ndjson.ts';
import { writeParquet } from './parquet.ts';
import { writeRows } from './row-format.ts';
import type { Sink } from './sink.ts';

export const exportFormats = ['csv', 'parquet', 'ndjson'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** One table that can be exported; `rows` may be called more than once and gives the same rows each time. */
export type ExportTable = {
  name: string;
  columns: Column[];
  rows: () => Iterable<Document>;
  attribution: Attribution;
};

/** Writes a whole table into a sink; the number of rows written. */
export async function writeTable(
  table: ExportTable,
  { format, header }: { format: ExportFormat; header: boolean },
  sink: Sink,
): Promise<number> {
  const columns = table.columns.map(({ name }) => name);
  if (format === 'csv') return writeRows(table.rows(), csvFormat(columns), sink, { columns, header });
  if (format === 'ndjson') return writeRows(table.rows(), ndjsonFormat(), sink, { columns, header });
  let written = 0;
  const counted = function* () {
    written = 0;
    for (const row of table.rows()) {
      written += 1;
      yield row;
    }
  };
  await writeParquet(counted, { columns: table.columns, metadata: fileMetadata(table.attribution) }, sink);
  return written;
}

/** What a Parquet file says about itself: attribution and licence. */
export function fileMetadata({ text, name, url, licence }: Attribution): Record<string, string> {
  return {
    attribution: text,
    source: name,
    ...(url ? { source_url: url } : {}),
    licence: licence ? licence.id : 'free for non-commercial use',
    ...(licence ? { licence_url: licence.url } : {}),
  };
}

/** True for tables under the Open Database License. */
export function isOpenData({ attribution }: ExportTable): boolean {
  return attribution.licence?.id === odbl.id;
}
