import { expect } from 'chai';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { columnEncoder, compressed } from '../../../src/format/parquet/column.ts';
import { textCells } from '../../../src/format/parquet/texts.ts';
import type { Document } from '../../../src/model/document.ts';
import { createRandom, seedOf } from '../../helpers/random.ts';

const element = {
  name: 'text',
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
} as const;

/** A column's part of a row group, as the file's bytes and as its footer tells of it, counted from its begin. */
function ours(texts: (string | null)[]) {
  const cells = textCells(
    columnEncoder(element, { isBounded: true }),
    ({ text }) => text,
    (value) => value as string,
  );
  const writer = new ByteWriter();
  // What a former group left behind must not show.
  cells.add([{ text: '\uffff former' }, { text: '' }]);
  cells.clear();
  cells.add(texts.map((text): Document => ({ text })));
  const { chunk, offsetIndex } = cells.write(writer);
  return { bytes: Buffer.from(writer.getBytes()), facts: chunk.meta_data!, offsetIndex };
}

/** The same column by the library, told which encoding to take. */
function theirs(texts: (string | null)[], encoding: 'PLAIN' | 'RLE_DICTIONARY') {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: 1 }, element],
    codec: 'ZSTD',
    compressors: { ZSTD: compressed },
  });
  // Bytes, so that it measures pages and orders texts by them.
  const utf8 = (text: string | null) => (text === null ? null : new TextEncoder().encode(text));
  const data = encoding === 'PLAIN' ? texts.map(utf8) : texts;
  const begin = writer.offset;
  void file.write({ columnData: [{ name: 'text', data, encoding }], rowGroupSize: texts.length });
  const [{ chunk, offsetIndex }] = file.pendingIndexes as [(typeof file.pendingIndexes)[number]];
  const { dictionary_page_offset, statistics, geospatial_statistics: _, ...facts } = chunk.meta_data!;
  const inBytes = (bound: unknown) => (typeof bound === 'string' ? utf8(bound) : bound);
  const { min_value, max_value, null_count } = statistics!;
  return {
    bytes: Buffer.from(writer.getBytes().subarray(begin)),
    facts: {
      ...facts,
      data_page_offset: facts.data_page_offset - BigInt(begin),
      ...(dictionary_page_offset === undefined
        ? {}
        : { dictionary_page_offset: dictionary_page_offset - BigInt(begin) }),
      statistics: { min_value: inBytes(min_value), max_value: inBytes(max_value), null_count },
    },
    offsetIndex: offsetIndex && {
      page_locations: offsetIndex.page_locations.map((page) => ({
        ...page,
        offset: page.offset - BigInt(begin),
      })),
    },
  };
}

describe('the texts of a Parquet column', () => {
  const isSame = (texts: (string | null)[], encoding: 'PLAIN' | 'RLE_DICTIONARY') => {
    const written = ours(texts);
    expect(written.facts.encodings.at(-1)).to.equal(encoding);
    const wanted = theirs(texts, encoding);
    expect({ ...written, bytes: null }).to.deep.equal({ ...wanted, bytes: null });
    expect(written.bytes.equals(wanted.bytes)).to.equal(true);
    return written;
  };
  const sentence = 'la séance est ouverte '.repeat(20);

  it('that are met once are the bytes that the library writes', () => {
    isSame(
      Array.from({ length: 1500 }, (_, n) => (n % 7 === 0 ? null : `${n} été 🎉`)),
      'PLAIN',
    );
  });

  it('that repeat are the bytes that the library writes', () => {
    isSame(
      Array.from({ length: 5000 }, (_, n) => (n % 5 === 0 ? null : `parti-${n % 12}`)),
      'RLE_DICTIONARY',
    );
  });

  it('that repeat too little are plain after all', () => {
    isSame(
      Array.from({ length: 4000 }, (_, n) => (n % 3 === 0 ? null : `no ${n % 1700}`)),
      'PLAIN',
    );
  });

  it('that are few are plain, however many are missing', () => {
    const few = [...'abcdefghij'].map((letter) => `parti-${letter}`);
    isSame([...few, 'parti-a', ...Array.from({ length: 900 }, () => null)], 'PLAIN');
  });

  it('of one value take no bits for its place', () => {
    isSame(
      Array.from({ length: 3000 }, () => 'texte'),
      'RLE_DICTIONARY',
    );
  });

  it('go into pages of a megabyte, but for one that is larger alone', () => {
    const texts = Array.from({ length: 6000 }, (_, n) => `${n} ${sentence}`);
    texts[1000] = 'é'.repeat(3 << 20);
    texts[1001] = 'x'.repeat(1 << 20);
    const { offsetIndex } = isSame(texts, 'PLAIN');
    expect(offsetIndex!.page_locations.length).to.be.greaterThan(4);
  });

  it('start a page of their own after rows without any', () => {
    const texts = [null, null, 'é'.repeat(1 << 20), null, 'z'.repeat((1 << 20) - 1), 'z', 'y'];
    expect(isSame(texts, 'PLAIN').offsetIndex!.page_locations).to.have.length(4);
  });

  it('that are all missing have no bounds', () => {
    const { statistics } = isSame([null, null, null], 'PLAIN').facts;
    expect(statistics).to.deep.equal({ min_value: undefined, max_value: undefined, null_count: 3n });
  });

  it('are ordered by their bytes, and a lone surrogate is the sign for what cannot be written', () => {
    const { statistics } = isSame(['\uffee', '🎉', '\ud800', '\ue000'], 'PLAIN').facts;
    expect(Buffer.from(statistics!.max_value as Uint8Array).toString()).to.equal('🎉');
    expect(Buffer.from(statistics!.min_value as Uint8Array).toString()).to.equal('\ue000');
  });

  it('are the bytes that the library writes, whatever they are', () => {
    const seed = seedOf('TEXTS_SEED');
    const random = createRandom(seed);
    for (let run = 0; run < 60; run += 1) {
      const kinds = 1 + random.integer(4000);
      const length = random.integer(random.isOneIn(10) ? 2000 : 40);
      const some = Array.from({ length: kinds }, () => {
        const text = String.fromCharCode(
          ...Array.from({ length: random.integer(length + 1) }, () => random.integer(65_536)),
        );
        return random.isOneIn(2) ? text.toWellFormed() : 'a'.repeat(random.integer(length + 1));
      });
      const missing = random.integer(10);
      const texts = Array.from({ length: 1 + random.integer(5000) }, () =>
        random.integer(10) < missing ? null : some[random.integer(kinds)]!,
      );
      const encoding = ours(texts).facts.encodings.at(-1) as 'PLAIN' | 'RLE_DICTIONARY';
      try {
        isSame(texts, encoding);
      } catch (error) {
        throw new Error(`run ${run} of TEXTS_SEED=${seed}`, { cause: error });
      }
    }
  });
});
