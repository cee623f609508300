import { crc32 } from 'node:zlib';
import type { ColumnMetaData, PageHeader, ParquetType, SchemaTree } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel, isFlatColumn } from 'hyparquet/src/schema.js';
import { orNull } from '../../errors.ts';
import { type Phrase, say } from '../../words/speech.ts';

/** The `created_by` of Parquet files that Hemicycle writes. */
export const createdBy = 'hemicycle';

/** An unreadable part of a Parquet file, and the reason; the caller adds the file name. */
export class ParquetFault extends Error {
  readonly reason: Phrase;
  /** False for an intact file with a feature that is not supported. */
  readonly isDamage: boolean;
  /** Column and row group, which the caller sets; null for the whole file. */
  location: Phrase | null = null;

  constructor(reason: Phrase, { isDamage = true } = {}) {
    super(`${reason}`);
    this.reason = reason;
    this.isDamage = isDamage;
  }

  /** The sentence that follows the name of the file. */
  get description(): Phrase {
    const { location, reason, isDamage } = this;
    if (location === null) return isDamage ? say`damaged: ${reason}` : reason;
    return isDamage ? say`damaged in ${location}: ${reason}` : say`${location}: ${reason}`;
  }
}

/** A fault for an intact file with a feature that is not supported. */
export const unsupportedFault = (reason: Phrase) => new ParquetFault(reason, { isDamage: false });

const maxPageBytes = 2 ** 28; // Largest page that is decompressed; writers make pages of about 1 MB.
const maxPadding = 1024; // Values by which a run may exceed its page: the last run is padded.

/** A page whose values are checked after decompression; `levels` are the maximum levels of its column. */
export type EncodedPage = {
  header: PageHeader;
  levels: { repetition: number; definition: number };
  /** Bytes per value; null where each value declares its own length. */
  width: number | null;
};

const widths: Partial<Record<ParquetType, number>> = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8, INT96: 12 };

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Checks pages against checksums and footer, or throws a ParquetFault; returns them by the offset of their values. */
export function checkPages(
  chunk: ArrayBuffer,
  { meta, path, rows }: { meta: ColumnMetaData; path: SchemaTree[]; rows: number },
): Map<number, EncodedPage> {
  const isFlat = isFlatColumn(path);
  const levels = { repetition: getMaxRepetitionLevel(path), definition: getMaxDefinitionLevel(path) };
  const width = meta.type === 'BYTE_ARRAY' ? null : (widths[meta.type] ?? path.at(-1)!.element.type_length ?? 0);
  const declaredValues = Number(meta.num_values);
  if (isFlat && declaredValues !== rows) throw footerFault();
  const pages = new Map<number, EncodedPage>();
  const reader = { view: new DataView(chunk), offset: 0 };
  let valueCount = 0;
  let hasDictionary = false;
  while (reader.offset < chunk.byteLength - 1 && (!isFlat || valueCount < rows)) {
    const header = headerAt(reader);
    const start = reader.offset;
    const bytes = header.compressed_page_size;
    const pageBytes = new Uint8Array(chunk, start, bytes);
    if (header.crc !== undefined && (crc32(pageBytes) | 0) !== header.crc)
      throw new ParquetFault(say`a page does not match its checksum`);
    reader.offset += bytes;
    const { encoding, num_values: count } = valueCountsOf(header);
    if (header.type === 'DICTIONARY_PAGE') hasDictionary = true;
    else if (encoding?.endsWith('_DICTIONARY') && !hasDictionary) throw new ParquetFault(say`a page has no dictionary`);
    if (header.type !== 'DICTIONARY_PAGE') valueCount += count;
    const v2 = header.data_page_header_v2;
    const levelBytes = v2 ? checkLevelsOfV2(pageBytes, { ...v2, levels }) : 0;
    const page = { header, levels, width };
    pages.set(start + levelBytes, page);
    if (meta.codec === 'UNCOMPRESSED' || v2?.is_compressed === false) checkValues(pageBytes.subarray(levelBytes), page);
  }
  if (valueCount !== declaredValues)
    throw new ParquetFault(say`its pages hold ${valueCount} values where the footer states ${declaredValues}`);
  return pages;
}

/** Throws a ParquetFault for impossible lengths in a decompressed page, which the decoder would trust. */
export function checkValues(page: Uint8Array, { header, levels, width }: EncodedPage): void {
  const { type, data_page_header: v1 } = header;
  const { encoding, num_values: count } = valueCountsOf(header);
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  if (type === 'DICTIONARY_PAGE') {
    // A wrong number of entries would make cells empty without an error.
    let end = width === null ? 0 : count * width;
    for (let entry = 0; width === null && entry < count && end + 4 <= page.length; entry += 1)
      end += 4 + view.getUint32(end, true);
    if (end !== page.length) throw valuesFault();
    return;
  }
  let at = 0;
  for (const level of v1 ? [levels.repetition, levels.definition] : []) {
    if (level === 0) continue;
    if (at + 4 > page.length) throw valuesFault();
    const end = at + 4 + view.getUint32(at, true);
    checkRuns(page, { at: at + 4, end, bits: levelBits(level), count });
    at = end;
  }
  if (at > page.length) throw valuesFault();
  // BOOLEAN runs have one bit a value and follow their length in bytes.
  if (encoding === 'RLE') checkRuns(page, { at: at + 4, end: page.length, bits: 1, count });
  else if (encoding?.endsWith('_DICTIONARY') && at < page.length)
    checkRuns(page, { at: at + 1, end: page.length, bits: page[at]!, count });
}

/** Checks the levels of a page of version 2, which are never compressed; returns their length in bytes. */
function checkLevelsOfV2(
  stored: Uint8Array,
  page: NonNullable<PageHeader['data_page_header_v2']> & { levels: EncodedPage['levels'] },
): number {
  const { levels, num_values: count } = page;
  const repetition = page.repetition_levels_byte_length;
  const definition = page.definition_levels_byte_length;
  if (!isCount(repetition) || !isCount(definition) || !isCount(page.num_nulls) || page.num_nulls > count)
    throw headerFault();
  const end = repetition + definition;
  if (end > stored.length) throw headerFault();
  if (levels.repetition > 0) checkRuns(stored, { at: 0, end: repetition, bits: levelBits(levels.repetition), count });
  if (levels.definition > 0) checkRuns(stored, { at: repetition, end, bits: levelBits(levels.definition), count });
  return end;
}

const levelBits = (maxLevel: number) => Math.ceil(Math.log2(maxLevel + 1)); // Bits that store a level.

/** Throws a ParquetFault for impossible run lengths in `count` values of `bits` each (RLE hybrid), `at` to `end`. */
function checkRuns(bytes: Uint8Array, { at, end, bits, count }: Record<'at' | 'end' | 'bits' | 'count', number>): void {
  if (bits > 32 || end > bytes.length) throw valuesFault();
  let position = at;
  for (let values = 0; values < count && position < end; ) {
    let header = 0; // A varint (LEB128): run length, and type of the run in the lowest bit.
    let byte = 0x80;
    for (let shift = 0; byte & 0x80; shift += 7) {
      if (position >= end || shift > 28) throw valuesFault(); // A length has at most 32 bits.
      byte = bytes[position++]!;
      header += (byte & 0x7f) * 2 ** shift;
    }
    const isBitPacked = header % 2 === 1;
    const length = Math.floor(header / 2);
    const run = isBitPacked ? length * 8 : length;
    if (run > count + maxPadding) throw valuesFault();
    values += run;
    position += isBitPacked ? length * bits : Math.ceil(bits / 8);
  }
}

function headerAt(reader: { view: DataView<ArrayBuffer>; offset: number }): PageHeader {
  const header = orNull(() => parquetHeader(reader));
  if (header === null) throw headerFault();
  const { compressed_page_size: bytes, uncompressed_page_size: unpackedBytes } = header;
  if (!isCount(bytes) || !isCount(unpackedBytes) || reader.offset + bytes > reader.view.byteLength) throw headerFault();
  if (unpackedBytes > maxPageBytes || !isCount(valueCountsOf(header).num_values)) throw headerFault();
  return header;
}

function valueCountsOf(header: PageHeader): { num_values: number; encoding?: string } {
  const { type, dictionary_page_header, data_page_header, data_page_header_v2 } = header;
  const counts = type === 'DICTIONARY_PAGE' ? dictionary_page_header : (data_page_header_v2 ?? data_page_header);
  if (!counts) throw headerFault();
  return counts;
}

/** A fault for an unreadable or contradictory footer. */
export const footerFault = () => new ParquetFault(say`the footer cannot be read`);
const headerFault = () => new ParquetFault(say`the header of a page cannot be read`);
/** A fault for values that cannot be decoded. */
export const valuesFault = () => new ParquetFault(say`the values of a page cannot be read`);
