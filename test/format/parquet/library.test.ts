import { expect } from 'chai';
import * as library from '../../../src/format/parquet/library.ts';

const { ByteWriter, writeColumn, writeDataPageV2, writePageHeader, writeRleBitPackedHybrid } = library;

/** The bytes that a writer was given, in hexadecimal. */
function written(write: (writer: InstanceType<typeof ByteWriter>) => void): string {
  const writer = new ByteWriter();
  write(writer);
  return Buffer.from(writer.getBytes()).toString('hex');
}

describe('what is taken of hyparquet-writer', () => {
  it('is where it was, and takes what it took', () => {
    const functions = { writeColumn, writeDataPageV2, writePageHeader, writeRleBitPackedHybrid };
    for (const [name, value] of Object.entries(functions)) expect(value, name).to.be.a('function');
    expect(library.schemaFromColumnData).to.be.a('function');
    expect(library.ParquetWriter.prototype).to.have.property('finish');
  });

  it('lays definition levels as runs, and lone ones bit-packed', () => {
    expect(
      written((writer) => void writeRleBitPackedHybrid(writer, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 1)),
    ).to.equal('1401');
    expect(written((writer) => void writeRleBitPackedHybrid(writer, [1, 0, 1, 1, 0, 0, 1, 0], 1))).to.equal(
      '034d',
    );
  });

  it('writes the same page header for the same page', () => {
    const header = {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: 10,
      compressed_page_size: 10,
      data_page_header_v2: {
        num_values: 2,
        num_nulls: 0,
        num_rows: 2,
        encoding: 'PLAIN',
        definition_levels_byte_length: 2,
        repetition_levels_byte_length: 0,
        is_compressed: false,
      },
    } as Parameters<typeof writePageHeader>[1];
    const bytes = written((writer) => writePageHeader(writer, header));
    expect(bytes).to.match(/^1506/);
    expect(bytes).to.equal(written((writer) => writePageHeader(writer, header)));
    expect(bytes.length).to.be.greaterThan(20);
  });
});
