import type { ColumnMetaData, Encoding, OffsetIndex, Statistics } from 'hyparquet';
import type { PageEncodingStats } from 'hyparquet/src/types.js';
import { ByteWriter, type Writer } from 'hyparquet-writer';
import { writeDataPageV2, writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { Json } from '../model/document.ts';
import {
  type CellOf,
  type Cells,
  type ColumnEncoder,
  type ColumnPart,
  codec,
  compressed,
  pageSize,
} from './parquet-column.ts';

type TextOf = (value: Json) => string | null;

/** After so many values of a group it is known whether a dictionary could be worth its while. */
const sampleSize = 1000;

/**
 * Texts as the library writes them, but without an object for each. Those that repeat are kept once, for a dictionary;
 * where most are met once, they become UTF-8 in their page as they come, and a full page is compressed at once: of a
 * million long texts a megabyte is in memory.
 */
export function textCells(column: ColumnEncoder, cellOf: CellOf, textOf: TextOf): Cells {
  const dictionary = createDictionary(column);
  const pages = createTextPages(column);
  let isPlain = false;
  const makePlain = () => {
    isPlain = true;
    for (const text of dictionary.texts()) pages.add(text);
    dictionary.clear();
  };
  return {
    add(documents) {
      let isHeld = true;
      for (const document of documents) {
        const value = cellOf(document);
        const isMissing = value === null || value === undefined;
        const text = isMissing ? null : textOf(value);
        if (text === null && !isMissing) isHeld = false;
        if (isPlain) pages.add(text);
        else if (dictionary.add(text) === sampleSize && !dictionary.mayPay()) makePlain();
      }
      return isHeld;
    },
    write(writer) {
      if (!isPlain && !dictionary.pays()) makePlain();
      return (isPlain ? pages : dictionary).write(writer);
    },
    clear() {
      dictionary.clear();
      pages.clear();
      isPlain = false;
    },
  };
}

/** Texts by the place of each in a list of those that differ. */
function createDictionary(column: ColumnEncoder) {
  const places = new Map<string, number>();
  const values: (number | null)[] = [];
  const definitionLevels: number[] = [];
  let [length, ownLength] = [0, 0];
  return {
    /** Adds a text; the number of values that there are now. */
    add(text: string | null): number {
      let place: number | null = null;
      if (text !== null) {
        place = places.get(text) ?? places.size;
        length += text.length;
        if (place === places.size) {
          places.set(text, place);
          ownLength += text.length;
        }
      }
      definitionLevels.push(place === null ? 0 : 1);
      return values.push(place);
    },
    /** False where hardly a text was met again. */
    mayPay: () => ownLength <= 0.9 * length,
    /** True if the list, with what leads to it, takes less than half of the texts themselves. */
    pays(): boolean {
      const held = values.length;
      const perPlace = Math.ceil(Math.log2(places.size)) / 8;
      return places.size > 0 && 2 * (ownLength + 4 * places.size + held * perPlace) <= length + 4 * held;
    },
    /** What was added, in order. */
    *texts(): Generator<string | null> {
      const texts = [...places.keys()];
      for (const place of values) yield place === null ? null : texts[place]!;
    },
    write(writer: Writer): ColumnPart {
      const begin = writer.offset;
      const texts = createTexts(column);
      for (const text of places.keys()) texts.add(text);
      const listSize = writeDictionaryPage(writer, texts.bytes(), places.size);
      const dataAt = writer.offset;
      const pageData = { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: 1 };
      const size = writeDataPageV2({ writer, column, encoding: 'RLE_DICTIONARY', pageData });
      return columnPart(column, writer, {
        begin,
        dataAt,
        uncompressed: listSize + size,
        values: values.length,
        pages: 1,
        statistics: texts.statistics(missing(definitionLevels)),
      });
    },
    clear() {
      places.clear();
      values.length = 0;
      definitionLevels.length = 0;
      [length, ownLength] = [0, 0];
    },
  };
}

/** Texts as they are, page by page. */
function createTextPages(column: ColumnEncoder) {
  const page = createTexts(column);
  const pages = new ByteWriter();
  const definitionLevels: number[] = [];
  let locations: OffsetIndex['page_locations'] = [];
  let [rows, nulls, uncompressed] = [0, 0, 0];
  const endPage = () => {
    const at = pages.offset;
    uncompressed += writeTextPage(pages, page.bytes(), definitionLevels);
    locations.push({
      offset: BigInt(at),
      compressed_page_size: pages.offset - at,
      first_row_index: BigInt(rows),
    });
    rows += definitionLevels.length;
    definitionLevels.length = 0;
    page.next();
  };
  return {
    add(text: string | null) {
      // What fills a page alone has it alone.
      if (page.size() >= pageSize) endPage();
      if (text === null) nulls += 1;
      else if (!page.add(text, pageSize)) {
        if (definitionLevels.length > 0) endPage();
        page.add(text);
      }
      definitionLevels.push(text === null ? 0 : 1);
    },
    write(writer: Writer): ColumnPart {
      if (definitionLevels.length > 0) endPage();
      const begin = writer.offset;
      writer.appendBytes(pages.getBytes());
      for (const location of locations) location.offset += BigInt(begin);
      const part = columnPart(column, writer, {
        begin,
        dataAt: begin,
        uncompressed,
        values: rows,
        pages: locations.length,
        statistics: page.statistics(nulls),
      });
      return locations.length > 1 ? { ...part, offsetIndex: { page_locations: locations } } : part;
    },
    clear() {
      page.clear();
      pages.index = 0;
      pages.offset = 0;
      definitionLevels.length = 0;
      locations = [];
      [rows, nulls, uncompressed] = [0, 0, 0];
    },
  };
}

/** Texts as PLAIN lays them, each behind its length, with the smallest and the largest in order of their bytes. */
function createTexts({ stats: isBounded }: ColumnEncoder) {
  let bytes = Buffer.allocUnsafeSlow(1 << 16);
  let view = new DataView(bytes.buffer);
  let [end, count] = [0, 0];
  // Where the bounds among the bytes lie, and those of what is no longer here.
  let [minBegin, minEnd, maxBegin, maxEnd] = [0, 0, 0, 0];
  let min: Uint8Array | undefined;
  let max: Uint8Array | undefined;

  const size = () => end - 4 * count;

  function makeRoom(most: number) {
    if (end + most <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, end + most));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
    view = new DataView(bytes.buffer);
  }

  /** The order of two texts that are here. */
  function order(begin: number, stop: number, otherBegin: number, otherStop: number): number {
    const length = Math.min(stop - begin, otherStop - otherBegin);
    for (let at = 0; at < length; at += 1) {
      const difference = bytes[begin + at]! - bytes[otherBegin + at]!;
      if (difference !== 0) return difference;
    }
    return stop - begin - (otherStop - otherBegin);
  }

  function keepBounds() {
    if (count === 0 || !isBounded) return;
    const [smallest, largest] = [bytes.subarray(minBegin, minEnd), bytes.subarray(maxBegin, maxEnd)];
    if (min === undefined || Buffer.compare(smallest, min) < 0) min = Uint8Array.from(smallest);
    if (max === undefined || Buffer.compare(largest, max) > 0) max = Uint8Array.from(largest);
  }

  return {
    /** Bytes of the texts, their lengths aside. */
    size,
    /** Adds a text; false where all of them would then have a size of `most`, or more. */
    add(text: string, most = Number.POSITIVE_INFINITY): boolean {
      // No UTF-16 unit takes more than three bytes.
      makeRoom(4 + 3 * text.length);
      const begin = end + 4;
      const length = bytes.write(text, begin);
      if (size() + length >= most) return false;
      view.setUint32(end, length, true);
      end = begin + length;
      if (isBounded) {
        if (count === 0 || order(begin, end, minBegin, minEnd) < 0) [minBegin, minEnd] = [begin, end];
        if (count === 0 || order(begin, end, maxBegin, maxEnd) > 0) [maxBegin, maxEnd] = [begin, end];
      }
      count += 1;
      return true;
    },
    bytes: () => bytes.subarray(0, end),
    /** Forgets the texts, but not their bounds. */
    next() {
      keepBounds();
      [end, count] = [0, 0];
    },
    /** Bounds of all texts since they were cleared. */
    statistics(nulls: number): Statistics {
      keepBounds();
      return { min_value: min, max_value: max, null_count: BigInt(nulls) };
    },
    clear() {
      [end, count, min, max] = [0, 0, undefined, undefined];
    },
  };
}

/** The size of the page with its header, were it not compressed. */
function writeTextPage(writer: Writer, texts: Uint8Array, definitionLevels: number[]): number {
  const levels = new ByteWriter();
  writeRleBitPackedHybrid(levels, definitionLevels, 1);
  const body = compressed(texts);
  const begin = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.offset + texts.length,
    compressed_page_size: levels.offset + body.length,
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
  const headerSize = writer.offset - begin;
  writer.appendBytes(levels.getBytes());
  writer.appendBytes(body);
  return headerSize + levels.offset + texts.length;
}

/** As `writeTextPage`, of what the values of other pages are places in. */
function writeDictionaryPage(writer: Writer, texts: Uint8Array, count: number): number {
  const body = compressed(texts);
  const begin = writer.offset;
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: texts.length,
    compressed_page_size: body.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  });
  const headerSize = writer.offset - begin;
  writer.appendBytes(body);
  return headerSize + texts.length;
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
function columnPart(
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

function missing(definitionLevels: number[]): number {
  let nulls = 0;
  for (const level of definitionLevels) if (level === 0) nulls += 1;
  return nulls;
}
