import { type ColumnEncoder, type ColumnPart, codec, compressed } from './column.ts';
import {
  ByteWriter,
  type ColumnMetaData,
  type Encoding,
  type PageEncodingStats,
  type PageHeader,
  type Statistics,
  type Writer,
  writePageHeader,
  writeRleBitPackedHybrid,
} from './library.ts';

/** Writes texts as a page; the size of the page with its header, were it not compressed. */
export function writeTextPage(writer: Writer, texts: Uint8Array, definitionLevels: number[]): number {
  const levels = new ByteWriter();
  writeRleBitPackedHybrid(levels, definitionLevels, 1);
  return writePage(writer, [levels.getBytes(), texts], {
    type: 'DATA_PAGE_V2',
    data_page_header_v2: {
      num_values: definitionLevels.length,
      num_nulls: missing(definitionLevels),
      num_rows: definitionLevels.length,
      encoding: 'PLAIN',
      definition_levels_byte_length: levels.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
}

/** As `writeTextPage`, of the texts that the values of other pages are places in. */
export function writeDictionaryPage(writer: Writer, texts: Uint8Array, count: number): number {
  return writePage(writer, [new Uint8Array(), texts], {
    type: 'DICTIONARY_PAGE',
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  });
}

/** How many of the values are missing. */
export function missing(definitionLevels: number[]): number {
  let nulls = 0;
  for (const level of definitionLevels) if (level === 0) nulls += 1;
  return nulls;
}

/** Levels stand before the values, and are not compressed. */
function writePage(
  writer: Writer,
  [levels, values]: [Uint8Array, Uint8Array],
  header: Omit<PageHeader, 'uncompressed_page_size' | 'compressed_page_size'>,
): number {
  const body = compressed(values);
  const size = levels.length + values.length;
  const begin = writer.offset;
  writePageHeader(writer, {
    ...header,
    uncompressed_page_size: size,
    compressed_page_size: levels.length + body.length,
  });
  const headerSize = writer.offset - begin;
  writer.appendBytes(levels);
  writer.appendBytes(body);
  return headerSize + size;
}

type Written = {
  /** Where the part begins, and its first page of data. */
  begin: number;
  dataAt: number;
  uncompressed: number;
  values: number;
  pages: number;
  statistics: Statistics;
};

/** What the footer says of a part that was just written. */
export function columnPart(
  { element, stats: isBounded }: ColumnEncoder,
  writer: Writer,
  { begin, dataAt, uncompressed, values, pages, statistics }: Written,
): ColumnPart {
  const hasDictionary = dataAt > begin;
  const encoding: Encoding = hasDictionary ? 'RLE_DICTIONARY' : 'PLAIN';
  const dictionaryPages: PageEncodingStats[] = hasDictionary
    ? [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 }]
    : [];
  const meta_data: ColumnMetaData = {
    type: 'BYTE_ARRAY',
    encodings: hasDictionary ? ['PLAIN', encoding] : [encoding],
    path_in_schema: [element.name],
    codec,
    num_values: BigInt(values),
    total_compressed_size: BigInt(writer.offset - begin),
    total_uncompressed_size: BigInt(uncompressed),
    data_page_offset: BigInt(dataAt),
    ...(hasDictionary ? { dictionary_page_offset: BigInt(begin) } : {}),
    ...(isBounded
      ? {
          statistics,
          encoding_stats: [...dictionaryPages, { page_type: 'DATA_PAGE_V2', encoding, count: pages }],
        }
      : {}),
  };
  return { chunk: { meta_data, file_offset: BigInt(begin) } };
}
