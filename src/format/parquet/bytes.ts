import type { SchemaElement } from 'hyparquet';
import type { Document } from '../../model/document.ts';

/** Rows as a Parquet file of a schema of its own, uncompressed and without statistics; 64-bit numbers are bigints. */
export async function parquetBytes(
  rows: Record<string, unknown>[],
  { columns, schema }: { columns: string[]; schema: SchemaElement[] },
): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = columns.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, codec: 'UNCOMPRESSED', statistics: false }));
}

/** The rows of such a file; 64-bit numbers are bigints. */
export async function parquetRows(bytes: Uint8Array): Promise<Document[]> {
  const { parquetReadObjects } = await import('hyparquet');
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return (await parquetReadObjects({ file })) as Document[];
}
