import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { BadInputError } from '../../../../src/errors.ts';
import { writeAtomically } from '../../../../src/format/atomic-file.ts';
import { writeParquet } from '../../../../src/format/parquet/file.ts';
import { decodeParquet, readParquet, readParquetColumns } from '../../../../src/format/parquet/read.ts';
import { column } from '../../../../src/model/columns.ts';
import type { Json } from '../../../../src/model/document.ts';
import { findImportFiles, importFiles } from '../../../../src/sync/import.ts';
import { engineText } from '../../../helpers/engine-text.ts';
import { isLong } from '../../../helpers/random.ts';
import { createTemporaryMirror, hashesOf } from '../../../helpers/sync-run.ts';

/** Written by Arrow with a checksum in each page. */
const checked = new URL('../../../../fixtures/parquet/checksums/quotes.parquet', import.meta.url).pathname;
const at = '2026-11-01T00:00:00.000Z';
const seed = Number(process.env.DAMAGE_SEED ?? 1);

describe(`a damaged Parquet file (DAMAGE_SEED=${seed})`, () => {
  let folder: string;
  let path: string;
  let duck: DuckDBConnection;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hemicycle-'));
    path = join(folder, 'quotes.parquet');
    duck = await (await DuckDBInstance.create(':memory:')).connect();
  });
  after(() => rm(folder, { recursive: true }));

  const rowsOf = async (file: string) => {
    const rows: unknown[] = [];
    for await (const batch of readParquet(file)) rows.push(...batch.map(({ document }) => document));
    return rows;
  };
  /** The rows of the file, or the words that it is refused with. */
  const readOutcome = (file: string) =>
    rowsOf(file).catch((error: unknown) => {
      if (!(error instanceof BadInputError)) throw error;
      expect(error.exit).to.equal(5);
      expect(`${error.message} ${error.hint}`).not.to.match(engineText);
      return error.message.replace(`${file}: `, '');
    });

  /** Reads the file once for each of `count` changed bits; calls `each` with the byte and what became of the rows. */
  async function flip(file: string, count: number, each: (at: number, outcome: string | boolean) => void) {
    const whole = readFileSync(file);
    const rows = await rowsOf(file);
    let random = seed;
    const next = (below: number) => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (random >> 8) % below;
    };
    for (let turn = 0; turn < count; turn += 1) {
      const bytes = Buffer.from(whole);
      const place = next(bytes.length);
      bytes[place]! ^= 1 << next(8);
      writeFileSync(path, bytes);
      const outcome = await readOutcome(path);
      each(place, typeof outcome === 'string' ? outcome : isDeepStrictEqual(outcome, rows));
    }
  }

  it('is refused with column and row group for any bit of a page that has a checksum', async () => {
    const file = await asyncBufferFromFile(checked);
    const { row_groups: groups } = await parquetMetadataAsync(file);
    const chunks = groups.flatMap(({ columns }, group) =>
      columns.map(({ meta_data: meta }) => {
        const start = Number(meta!.dictionary_page_offset ?? meta!.data_page_offset);
        const end = start + Number(meta!.total_compressed_size);
        return { name: meta!.path_in_schema.join('.'), group, start, end };
      }),
    );
    let refused = 0;
    const flips = isLong ? 500 : 120;
    await flip(checked, flips, (at, outcome) => {
      const chunk = chunks.find(({ start, end }) => at >= start && at < end);
      if (!chunk || outcome === true) return;
      refused += 1;
      expect(outcome, `byte ${at}`).to.match(
        new RegExp(`^damaged in column "${chunk.name.split('.')[0]}[^"]*", row group ${chunk.group}: `),
      );
    });
    expect(refused).to.be.greaterThan(flips / 2);
  });

  it('is read or refused, in words about the file, whichever bit of it is wrong', async () => {
    await duck.run(
      `COPY (SELECT 'q' || i AS id, ['a', 'b', NULL][i % 3 + 1] AS topic, i * 7919 AS n, i % 2 = 0 AS open,
         DATE '2020-01-01' + (i % 900)::INT AS day, list_transform(range(i % 4), lambda x: {'x': x}) AS parts
       FROM range(2100) r(i)) TO '${path}.duck' (FORMAT parquet, ROW_GROUP_SIZE 2048, PARQUET_VERSION V2)`,
    );
    const own = join(folder, 'own.parquet');
    const lines = Array.from({ length: 900 }, (_, n) => ({ id: `q${n}`, topic: 'abc'[n % 4] ?? null, n }));
    await writeAtomically(own, async (sink) => {
      await writeParquet(
        { rows: () => lines },
        { columns: [column.text('id', ''), column.text('topic', ''), column.integer('n', '')], metadata: {} },
        sink,
      );
    });
    for (const file of [`${path}.duck`, own]) {
      let refused = 0;
      await flip(file, isLong ? 150 : 40, (_, outcome) => {
        if (typeof outcome === 'string') refused += 1;
      });
      expect(refused).to.be.greaterThan(isLong ? 10 : 2);
    }
  });

  const text = (value: string) => Buffer.from(value, 'latin1');
  const wholeFile = readFileSync(checked);
  const tail = wholeFile.length - 8;
  for (const [name, bytes, refusal] of [
    ['of no bytes', Buffer.alloc(0), 'damaged: it is too short for a Parquet file'],
    ['that only begins', wholeFile.subarray(0, 11), 'damaged: it is too short for a Parquet file'],
    [
      'cut off in the middle',
      wholeFile.subarray(0, 1000),
      'damaged: it does not end as a Parquet file does; it may be cut off',
    ],
    [
      'of another kind',
      text('id,text\nq1,Un\nq2,Deux\n'),
      'damaged: it does not end as a Parquet file does; it may be cut off',
    ],
    [
      'that is encrypted',
      Buffer.concat([wholeFile.subarray(0, -4), text('PARE')]),
      'it is encrypted; write it again without encryption',
    ],
    [
      'whose footer is longer than itself',
      Buffer.concat([wholeFile.subarray(0, tail), text('\xff\xff\xff\x7fPAR1')]),
      'damaged: the footer cannot be read',
    ],
    [
      'whose footer has no length',
      Buffer.concat([wholeFile.subarray(0, tail), text('\0\0\0\0PAR1')]),
      'damaged: the footer cannot be read',
    ],
    [
      'whose footer is zeros',
      Buffer.concat([wholeFile.subarray(0, tail - 300), Buffer.alloc(300), wholeFile.subarray(tail)]),
      'damaged: the footer cannot be read',
    ],
    [
      'whose footer is large numbers',
      Buffer.concat([wholeFile.subarray(0, tail - 300), Buffer.alloc(300, 0xfa), wholeFile.subarray(tail)]),
      'damaged: the footer cannot be read',
    ],
    [
      'whose pages are zeros',
      Buffer.concat([wholeFile.subarray(0, 4), Buffer.alloc(400), wholeFile.subarray(404)]),
      'damaged in column "id", row group 0: the header of a page cannot be read',
    ],
  ] as const)
    it(`${name} is refused, its columns too, with what is wrong`, async () => {
      writeFileSync(path, bytes);
      expect(await readOutcome(path)).to.equal(refusal);
      const columns = await readParquetColumns(path).catch((error: Error) => error.message);
      if (!refusal.includes('column')) expect(columns).to.equal(`${path}: ${refusal}`);
    });

  it('leaves nothing in the mirror, and the other files of the folder are imported', async () => {
    const own = createTemporaryMirror();
    const input = join(folder, 'in');
    mkdirSync(input);
    copyFileSync(checked, join(input, 'quotes.parquet'));
    writeFileSync(join(input, 'parties.ndjson'), '{"slug":"one"}\n');
    const bytes = readFileSync(checked);
    const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(checked));
    const last = groups[1]!.columns[1]!.meta_data!;
    bytes[Number(last.data_page_offset + last.total_compressed_size) - 3]! ^= 1;
    writeFileSync(join(input, 'quotes.parquet'), bytes);
    const results = await importFiles(own.mirror, findImportFiles(input), { at });
    const [{ error }] = results.filter(({ file }) => file.kind.name === 'quote') as [(typeof results)[0]];
    expect(error?.message).to.equal(
      `${join(input, 'quotes.parquet')}: damaged in column "text", row group 1: a page does not match its checksum`,
    );
    expect(hashesOf(own.mirror, 'quote')).to.deep.equal({});
    expect(Object.keys(hashesOf(own.mirror, 'party'))).to.deep.equal(['one']);
    own.remove();
  });

  it('of a lake is named where its rows are read', async () => {
    const bytes = readFileSync(checked);
    expect(await decodeParquet(bytes, 'log.parquet')).to.have.length(60);
    const error = await decodeParquet(bytes.subarray(0, 900), 'log.parquet').catch((refusal: Error) => refusal);
    expect((error as Error).message).to.match(/^log\.parquet: damaged: /);
  });

  it('that is cut off while it is read is refused', async () => {
    copyFileSync(checked, path);
    const batches = readParquet(path);
    await batches.next();
    truncateSync(path, 100);
    const error = await batches.next().catch((refusal: Error) => refusal);
    expect((error as Error).message).to.equal(
      `${path}: damaged in column "id", row group 1: it was cut off while it was read`,
    );
  });
});

describe('a Parquet file of another writer', () => {
  let folder: string;
  let duck: DuckDBConnection;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hemicycle-'));
    duck = await (await DuckDBInstance.create(':memory:')).connect();
  });
  after(() => rm(folder, { recursive: true }));

  const read = async (path: string): Promise<Json[]> => {
    const values: Json[] = [];
    for await (const batch of readParquet(path)) values.push(...batch.map(({ document }) => document.v ?? null));
    return values;
  };

  const moment = '2026-01-02T03:04:05';
  for (const [sql, wanted] of [
    ["DATE '2026-01-02'", '2026-01-02'],
    ["DATE '20260-01-01'", '+020260-01-01'],
    ["DATE '0044-03-15 (BC)'", '-000043-03-15'],
    [`TIMESTAMP '${moment}.678'`, `${moment}.678Z`],
    [`TIMESTAMP_S '${moment}'`, `${moment}.000Z`],
    [`TIMESTAMP_NS '${moment}.678'`, `${moment}.678Z`],
    [`TIMESTAMPTZ '${moment}+02'`, '2026-01-02T01:04:05.000Z'],
    ["TIME '01:02:03'", '01:02:03'],
    ["TIME '01:02:03.45'", '01:02:03.45'],
    ["'01:02:03+02'::TIMETZ", '23:02:03Z'],
    ['0.3::DECIMAL(4,1)', 0.3],
    ['-12345.67::DECIMAL(9,2)', -12_345.67],
    ['123456789012345.678::DECIMAL(18,3)', '123456789012345.678'],
    ['-12345678901234567890123456.789::DECIMAL(38,3)', '-12345678901234567890123456.789'],
    ['9223372036854775807::BIGINT', '9223372036854775807'],
    ['18446744073709551615::UBIGINT', '18446744073709551615'],
    ['4294967295::UINTEGER', 4_294_967_295],
    ['1::HUGEINT', 1],
    ['1.5::FLOAT', 1.5],
    ['true', true],
    ['NULL', null],
    ["'a'::ENUM('a', 'b')", 'a'],
    ["'550e8400-e29b-41d4-a716-446655440000'::UUID", '550e8400-e29b-41d4-a716-446655440000'],
    ["'ab'::BLOB", 'ab'],
    [`'{"a":[1]}'::JSON`, { a: [1] }],
    ["['a', NULL]", ['a', null]],
    ['[]::VARCHAR[]', []],
    ['[[1, 2], [], [NULL]]', [[1, 2], [], [null]]],
    ['[0.1::DECIMAL(9,1), NULL]', [0.1, null]],
    ["[{'a': 1, 'b': TIME '01:02:03'}]", [{ a: 1, b: '01:02:03' }]],
    ["{'a': 1, 'b': {'c': 'x'}}", { a: 1, b: { c: 'x' } }],
    ["MAP {'k': 1}", { k: 1 }],
  ] as [string, Json][])
    it(`gives for ${sql} what it holds`, async () => {
      const path = join(folder, 'v.parquet');
      await duck.run(`COPY (SELECT ${sql} AS v UNION ALL SELECT NULL) TO '${path}'`);
      expect(await read(path)).to.have.deep.members([wanted, null]);
    });

  for (const [sql, refusal] of [
    ['INTERVAL 1 MONTH', 'column "v": its type is INTERVAL, which is not read'],
    ["'\\xFF\\xFE'::BLOB", 'column "v", row group 0: its type is BLOB, and it holds bytes that are not UTF-8 text'],
    ["'infinity'::TIMESTAMP", 'column "v", row group 0: it holds a date that lies too far from 1970'],
    ["{'a': INTERVAL 1 DAY}", 'column "v": its type is INTERVAL, which is not read'],
  ] as const)
    it(`with ${sql} is refused with its column`, async () => {
      const path = join(folder, 'v.parquet');
      await duck.run(`COPY (SELECT ${sql} AS v) TO '${path}'`);
      const error = (await read(path).catch((refused: Error) => refused)) as BadInputError;
      expect(error.message).to.equal(`${path}: ${refusal}`);
      expect(error.hint).to.match(/as CSV/);
    });

  it('gives the same rows in every codec, version and layout', async () => {
    await duck.run(
      `CREATE TABLE t AS SELECT 'q' || i AS id, ['a', 'b', NULL][i % 3 + 1] AS topic, NULL::VARCHAR AS none, i / 7 AS share,
         CASE WHEN i % 13 > 0 THEN list_transform(range(i % 3), lambda x: {'x': x, 'y': CASE x WHEN 1 THEN 'y' END}) END AS parts
       FROM range(2100) r(i)`,
    );
    const wanted = (await duck.runAndReadAll('SELECT to_json(t)::VARCHAR FROM t'))
      .getRows()
      .map(([row]) => JSON.parse(String(row)));
    const layouts = ['', ', ROW_GROUP_SIZE 2048', ', DICTIONARY_SIZE_LIMIT 1', ', WRITE_BLOOM_FILTER true'];
    const path = join(folder, 't.parquet');
    for (const codec of ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])
      for (const version of ['V1', 'V2'])
        for (const layout of layouts) {
          await duck.run(`COPY t TO '${path}' (CODEC ${codec}, PARQUET_VERSION ${version}${layout})`);
          const rows: unknown[] = [];
          for await (const batch of readParquet(path)) rows.push(...batch.map(({ document }) => document));
          expect(isDeepStrictEqual(rows, wanted), `${codec} ${version}${layout}`).to.equal(true);
        }
    await duck.run(`COPY (SELECT * FROM t LIMIT 0) TO '${path}'`);
    expect(await read(path)).to.deep.equal([]);
    expect(await readParquetColumns(path)).to.deep.equal(['id', 'topic', 'none', 'share', 'parts']);
  });

  it('with a page that holds no bytes is read', async () => {
    const path = join(folder, 'empty-page.parquet');
    const columnData = [{ name: 'v', data: [null], type: 'FLOAT' as const }];
    const compressors = { SNAPPY: () => new Uint8Array(0) };
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, codec: 'SNAPPY', compressors })));
    expect(await read(path)).to.deep.equal([null]);
  });

  it('that is encrypted is refused', async () => {
    const path = join(folder, 'encrypted.parquet');
    await duck.run("SET force_mbedtls_unsafe = 'true'");
    await duck.run("PRAGMA add_parquet_key('key', '0123456789112345')");
    await duck.run(`COPY (SELECT 1 AS v) TO '${path}' (ENCRYPTION_CONFIG {footer_key: 'key'})`);
    const error = (await read(path).catch((refused: Error) => refused)) as Error;
    expect(error.message).to.equal(`${path}: it is encrypted; write it again without encryption`);
  });
});
