import type { Json } from '../../model/document.ts';
import { type CellOf, type Cells, type ColumnEncoder, type ColumnPart, pageSize } from './column.ts';
import { ByteWriter, type OffsetIndex, type Writer, writeDataPageV2 } from './library.ts';
import { columnPart, missing, writeDictionaryPage, writeTextPage } from './pages.ts';
import { createTexts } from './values.ts';

type TextOf = (value: Json) => string | null;

/** After so many values of a group, or characters, it is known whether a dictionary could be worth its while. */
const [sampleSize, sampleLength] = [1000, 4 << 20];

/**
 * Texts as the library writes them, but without an object for each. Those that repeat are kept once, for a dictionary;
 * where most are met once, which the first thousand of a group tell, they become UTF-8 in their page as they come, and a
 * full page is compressed at once.
 */
export function textCells(column: ColumnEncoder, cellOf: CellOf, textOf: TextOf): Cells {
  const dictionary = createDictionary(column);
  const pages = createTextPages(column);
  let [isPlain, length] = [false, 0];
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
        length += text?.length ?? 0;
        if (isPlain) pages.add(text);
        else if (dictionary.add(text) && !dictionary.mayPay()) makePlain();
      }
      return isHeld;
    },
    textLength: () => length,
    write(writer) {
      if (!isPlain && !dictionary.pays()) makePlain();
      return (isPlain ? pages : dictionary).write(writer);
    },
    clear() {
      dictionary.clear();
      pages.clear();
      [isPlain, length] = [false, 0];
    },
  };
}

/** Texts by the place of each in a list of those that differ. */
function createDictionary(column: ColumnEncoder) {
  const places = new Map<string, number>();
  const values: (number | null)[] = [];
  const definitionLevels: number[] = [];
  let [held, length, ownLength, isSampled] = [0, 0, 0, false];
  return {
    /** Adds a text; true once, when there are enough to tell whether it may pay. */
    add(text: string | null): boolean {
      let place: number | null = null;
      if (text !== null) {
        place = places.get(text) ?? places.size;
        held += 1;
        length += text.length;
        if (place === places.size) {
          places.set(text, place);
          ownLength += text.length;
        }
      }
      definitionLevels.push(place === null ? 0 : 1);
      values.push(place);
      if (isSampled || (values.length < sampleSize && length < sampleLength)) return false;
      isSampled = true;
      return true;
    },
    /** False where hardly a text was met again. */
    mayPay: () => ownLength <= 0.9 * length,
    /** True if the list, with what leads to it, takes less than half of the texts themselves. */
    pays(): boolean {
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
      [held, length, ownLength, isSampled] = [0, 0, 0, false];
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
