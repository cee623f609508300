/**
 * All that is taken of hyparquet-writer. Its column and page writers are not among its exports: they are reached by the
 * path of their files here and nowhere else, and `library.test.ts` fails when they move or change.
 */
export type {
  ColumnMetaData,
  Encoding,
  OffsetIndex,
  PageHeader,
  RowGroup,
  SchemaElement,
  SchemaTree,
  Statistics,
} from 'hyparquet';
export { parquetSchema as schemaTree } from 'hyparquet';
export type { PageEncodingStats } from 'hyparquet/src/types.js';
export { ByteWriter, ParquetWriter, schemaFromColumnData, type Writer } from 'hyparquet-writer';
export { writeColumn } from 'hyparquet-writer/src/column.js';
export { writeDataPageV2, writePageHeader } from 'hyparquet-writer/src/datapage.js';
export { encodeNestedValues } from 'hyparquet-writer/src/dremel.js';
export { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
