import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { writeAtomically } from '../../../src/format/atomic-file.ts';
import { daysSince1970 } from '../../../src/format/fit.ts';
import type { WrittenColumn } from '../../../src/format/format.ts';
import { writeParquet } from '../../../src/format/parquet/file.ts';
import { readParquet } from '../../../src/format/parquet/read.ts';
import { column } from '../../../src/model/columns.ts';
import type { Document } from '../../../src/model/document.ts';
import { type ColumnType, columnOf, kindOf } from '../../../src/model/kinds.ts';
import { memorySink } from '../../helpers/memory-sink.ts';

/** Columns by name and type; text if none is given. */
const columnsOf = (all: { name: string; type?: ColumnType }[]) =>
  all.map(({ name, type = 'text' }) => column[type](name, ''));

const columns: { name: string; type: ColumnType }[] = [
  { name: 'slug', type: 'text' },
  { name: 'seats', type: 'integer' },
  { name: 'share', type: 'number' },
  { name: 'open', type: 'boolean' },
  ...['nested', 'mixed'].map((name) => ({ name, type: 'json' as const })),
  { name: 'nothing', type: 'text' },
  { name: 'late', type: 'json' },
];
const metadata = { licence: 'ODbL-1.0', attribution: 'Source: Vitrine' };

const rows: Document[] = [
  { slug: 'aube', seats: 12, share: 1, open: true, nested: [{ a: 1 }], mixed: 1, nothing: null, late: 1 },
  { slug: 'crue', seats: null, share: 0.5, open: null, nested: null, mixed: 'un', late: 2 },
  {
    slug: '',
    seats: 9007199254740991,
    share: null,
    open: false,
    nested: { b: ['é'] },
    mixed: null,
    late: 'x',
  },
];

describe('a Parquet file', () => {
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hemicycle-'));
    path = join(folder, 'rows.parquet');
  });
  after(() => rm(folder, { recursive: true }));

  const write = (
    some: () => Iterable<Document>,
    columnsToWrite: { name: string; type?: ColumnType }[] = columns,
    facts: Record<string, string> = metadata,
  ) =>
    writeAtomically(path, async (sink) => {
      await writeParquet({ rows: some }, { columns: columnsOf(columnsToWrite), metadata: facts }, sink);
    });
  const read = async () => parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
  const query = async (sql: string) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    return (await connection.runAndReadAll(sql.replace('FILE', `'${path}'`))).getRowObjectsJson();
  };

  it('comes back as it was, through an independent reader', async () => {
    await write(() => rows);
    expect(await query('select * from FILE')).to.deep.equal([
      {
        slug: 'aube',
        seats: '12',
        share: 1,
        open: true,
        nested: '[{"a":1}]',
        mixed: '1',
        nothing: null,
        late: '1',
      },
      {
        slug: 'crue',
        seats: null,
        share: 0.5,
        open: null,
        nested: null,
        mixed: '"un"',
        nothing: null,
        late: '2',
      },
      {
        slug: '',
        seats: '9007199254740991',
        share: null,
        open: false,
        nested: '{"b":["é"]}',
        mixed: null,
        nothing: null,
        late: '"x"',
      },
    ]);
    const types = await query('select column_type from (describe select * from FILE)');
    expect(types.map((row) => row.column_type)).to.deep.equal([
      'VARCHAR',
      'BIGINT',
      'DOUBLE',
      'BOOLEAN',
      'JSON',
      'JSON',
      'VARCHAR',
      'JSON',
    ]);
  });

  it('of large texts has row groups of some 2 MB', async () => {
    const large = { slug: 'x'.repeat(1 << 16), seats: 1 };
    const many = Array.from({ length: 150 }, () => large);
    await write(() => many);
    const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(groups.map(({ num_rows: count }) => Number(count))).to.deep.equal([32, 32, 32, 32, 22]);
    const [counted] = await query('select count(*)::int as n, sum(length(slug))::int as size from FILE');
    expect(counted).to.deep.equal({ n: 150, size: 150 << 16 });
  });

  it('of long lists has row groups of some 65,000 cells', async () => {
    const source_ids = Array.from({ length: 100 }, (_, at) => `s${at}`);
    const lists = [columnOf(kindOf('quote'), 'source_ids')];
    const many = Array.from({ length: 1500 }, () => ({ source_ids }));
    await writeAtomically(path, async (sink) => {
      await writeParquet({ rows: () => many }, { columns: lists, metadata: {} }, sink);
    });
    const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(groups.map(({ num_rows: count }) => Number(count))).to.deep.equal([554, 554, 392]);
  });

  it('comes back as it was, through hyparquet', async () => {
    await write(() => rows);
    const wanted = rows.map((row) => ({
      ...row,
      nothing: null,
      seats: row.seats === null ? null : BigInt(row.seats as number),
    }));
    expect(await read()).to.deep.equal(wanted);
  });

  it('carries licence and attribution, and names its maker', async () => {
    await write(() => rows);
    const file = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(file.created_by).to.equal('hemicycle');
    expect(file.key_value_metadata).to.deep.equal([
      { key: 'attribution', value: 'Source: Vitrine' },
      { key: 'licence', value: 'ODbL-1.0' },
    ]);
    expect(parquetSchema(file).children.every(({ element }) => element.repetition_type === 'OPTIONAL')).to.equal(true);
    expect(file.row_groups[0]!.columns[0]!.meta_data!.codec).to.equal('ZSTD');
    expect(file.row_groups[0]!.columns[0]!.meta_data!.statistics!.min_value).to.equal('');
  });

  it('is the same bytes for the same rows', async () => {
    const first = await write(() => rows);
    const second = await write(() => rows.values().toArray());
    expect(first.sha256()).to.equal(second.sha256());
  });

  it('holds hostile texts', async () => {
    const texts = ['a\0b', '\x1b[31m', '\u202eא', '"\n', 'é'.repeat(500_000), '🎉', null];
    await write(() => texts.map((text, id) => ({ id, text })), [{ name: 'id', type: 'integer' }, { name: 'text' }]);
    expect((await query('select text from FILE order by id')).map((row) => row.text)).to.deep.equal(texts);
    await write(() => [{ text: 'lone \ud800' }, { text: '\udfff' }], [{ name: 'text' }]);
    expect((await query('select text from FILE')).map((row) => row.text)).to.deep.equal(['lone \ufffd', '\ufffd']);
  });

  it('holds days as days, which come back as they were written', async () => {
    const days = ['2026-02-28', null, '1799-11-09', '1970-01-01'];
    await write(() => days.map((date) => ({ date })), [{ name: 'date', type: 'date' }]);
    expect((await query('describe select * from FILE'))[0]!.column_type).to.equal('DATE');
    const [, element] = await query('select type, converted_type, logical_type from parquet_schema(FILE)');
    expect(element).to.deep.equal({ type: 'INT32', converted_type: 'DATE', logical_type: 'DateType()' });
    expect((await query('select date::text as date from FILE')).map(({ date }) => date)).to.deep.equal(days);
    const read: unknown[] = [];
    for await (const batch of readParquet(path)) read.push(...batch.map(({ document }) => document.date));
    expect(read).to.deep.equal(days);
  });

  it('makes no moment of a day: among moments, it is a misfit that comes back', async () => {
    const moments = ['2026-02-28', '2026-02-28T00:00:00Z', '2026-02-28T07:30:00Z'];
    await write(() => moments.map((at) => ({ at })), [{ name: 'at', type: 'datetime' }]);
    const [, midnight] = await query('select epoch_ms("at") as at, at_raw from FILE');
    expect(midnight).to.deep.equal({ at: String(Date.parse(moments[1]!)), at_raw: null });
    expect((await query('select at_raw from FILE')).map(({ at_raw }) => at_raw)).to.deep.equal([
      moments[0],
      null,
      null,
    ]);
    const read: unknown[] = [];
    for await (const batch of readParquet(path)) read.push(...batch.map(({ document }) => document.at));
    expect(read).to.deep.equal(moments);
  });

  it('of an earlier version, which wrote days as moments, still has the days', async () => {
    const rows = () => [{ at: '2026-02-28T00:00:00Z' }, { at: null }];
    await write(rows, [{ name: 'at', type: 'datetime' }], { day_columns: '["at"]' });
    const read: unknown[] = [];
    for await (const batch of readParquet(path)) read.push(...batch.map(({ document }) => document.at));
    expect(read).to.deep.equal(['2026-02-28', null]);
  });

  it('of no rows has its columns', async () => {
    await write(() => []);
    expect(await query('select count(*)::int as n from FILE')).to.deep.equal([{ n: 0 }]);
    expect(await query('describe select * from FILE')).to.have.length(columns.length);
  });

  it('has the types of its descriptions where no row has a value', async () => {
    const all = ['date', 'integer', 'boolean', 'text', 'json', 'datetime', 'number'] as const;
    await write(
      (): Document[] => [{}, { date: null }],
      all.map((type) => ({ name: type, type })),
    );
    const types = (await query('select column_type from (describe select * from FILE)')).map((row) => row.column_type);
    const withZone = 'TIMESTAMP WITH TIME ZONE';
    expect(types).to.deep.equal(['DATE', 'BIGINT', 'BOOLEAN', 'VARCHAR', 'JSON', withZone, 'DOUBLE']);
  });

  it('goes out in row groups, one after the other', async () => {
    const many = function* () {
      for (let at = 0; at < 42_000; at++) yield { slug: `row-${at}`, n: at % 7 === 0 ? null : at };
    };
    await write(many, [{ name: 'slug' }, { name: 'n', type: 'integer' }]);
    const file = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(file.row_groups.map((group) => Number(group.num_rows))).to.deep.equal([...new Array(8).fill(5_000), 2_000]);
    expect(await query('select count(n)::int as n, max(n)::int as top from FILE')).to.deep.equal([
      { n: 42_000 - Math.ceil(42_000 / 7), top: 41_999 },
    ]);
  });

  describe('of several row groups', () => {
    const described = [
      { name: 'slug' },
      { name: 'day', type: 'date' as const },
      { name: 'title' },
      { name: 'tags', type: 'json' as const },
    ];
    const many = function* (): Generator<Document> {
      for (let at = 0; at < 35_000; at++)
        yield {
          slug: `personne-${at % 300}`,
          day: at % 5 === 0 ? null : `2026-02-${String(1 + (at % 28)).padStart(2, '0')}`,
          title: `Titre nº ${at}, « à l’œuvre »`,
          tags: [at % 3],
        };
    };
    const sumOf = async (rows: () => Iterable<Document>) => {
      const file = await writeAtomically(path, async (sink) => {
        expect(await writeParquet({ rows }, { columns: columnsOf(described), metadata }, sink)).to.equal(35_000);
      });
      return file.sha256();
    };

    it('is the same bytes each time', async () => {
      expect(await sumOf(many)).to.equal(await sumOf(many));
      expect(
        await query('select count(*)::int as n, count(distinct title)::int as titles, max(day)::text as day from FILE'),
      ).to.deep.equal([{ n: 35_000, titles: 35_000, day: '2026-02-28' }]);
    });

    it('has types that fit a late row as well', async () => {
      const late = function* (): Generator<Document> {
        let at = 0;
        for (const row of many()) yield ++at === 34_000 ? { ...row, day: 'vers 2026', slug: 7 } : row;
      };
      await sumOf(late);
      const types = await query('select column_type from (describe select * from FILE)');
      expect(types.map((row) => row.column_type)).to.deep.equal([...['VARCHAR', 'DATE', 'VARCHAR', 'JSON'], 'VARCHAR']);
      const raw = await query('select day::text as day, day_raw from FILE where day_raw is not null');
      expect(raw).to.deep.equal([{ day: null, day_raw: 'vers 2026' }]);
    });

    it('reads its rows once, whichever column has the first value that does not fit, in whichever group', async () => {
      let readings = 0;
      const misfits: Record<number, Document> = { 7000: { title: ['a'] }, 7001: { day: 'soon' }, 34999: { slug: [] } };
      // Over 2 MB between the row groups, which hyparquet then reads apart.
      const digits = (at: number) => hash('sha512', `${at}`).concat(hash('sha512', `-${at}`));
      const odd = function* (): Generator<Document> {
        readings += 1;
        let at = 0;
        for (const row of many()) yield { ...row, title: digits(at), ...misfits[at++] };
      };
      await sumOf(odd);
      expect(readings).to.equal(1);
      const names = (await query('select column_name from (describe select * from FILE)')).map(
        (row) => row.column_name,
      );
      // In the order of their first values.
      expect(names).to.deep.equal(['slug', 'day', 'title', 'tags', 'title_raw', 'day_raw', 'slug_raw']);
      const isOdd = 'coalesce(slug_raw, day_raw, title_raw) is not null';
      const expected = [
        { slug_raw: null, day_raw: null, title_raw: '["a"]' },
        { slug_raw: null, day_raw: 'soon', title_raw: null },
        { slug_raw: '[]', day_raw: null, title_raw: null },
      ];
      expect(await query(`select slug_raw, day_raw, title_raw from FILE where ${isOdd}`)).to.deep.equal(expected);
      const back = (await read()).flatMap(({ slug_raw, day_raw, title_raw }) =>
        (slug_raw ?? day_raw ?? title_raw) ? [{ slug_raw, day_raw, title_raw }] : [],
      );
      expect(back).to.deep.equal(expected);
      const [group] = (await parquetMetadataAsync(await asyncBufferFromFile(path))).row_groups;
      const bytes = group!.columns.reduce((sum, { meta_data }) => sum + meta_data!.total_compressed_size, 0n);
      expect(group!.total_compressed_size).to.equal(bytes);
    });
  });

  it('stops reading when the sink closes', async () => {
    let pulled = 0;
    const many = function* () {
      for (let at = 0; at < 100_000; at++) {
        pulled++;
        yield { n: at };
      }
    };
    await writeParquet(
      { rows: many },
      { columns: columnsOf([{ name: 'n', type: 'integer' }]), metadata: {} },
      memorySink(10),
    );
    expect(pulled).to.be.lessThan(100_000 + 50_000);
  });
});

describe('the type of a column', () => {
  const typesOf = async (rows: Document[], columns: ReturnType<typeof columnsOf>) => {
    let written: WrittenColumn[] = [];
    const report = (all: WrittenColumn[]) => (written = all);
    await writeParquet({ rows: () => rows }, { columns, metadata: {}, report }, memorySink());
    return written;
  };

  it('is that of its description whatever the values are, with a column beside for those that do not fit', async () => {
    const of = async (...days: (string | null)[]) => {
      const some = days.map((date) => ({ date, note: date }));
      const typed = await typesOf(some, columnsOf([{ name: 'date', type: 'date' }, { name: 'note' }]));
      return typed.map(({ name, type }) => `${name} ${type}`);
    };
    expect(await of('2026-02-28', null, '1024-02-29')).to.deep.equal(['date date', 'note text']);
    for (const other of ['2026-02-30', '2026-02', '2026', '2026-02-01T00:00:00Z', 'soon', ''])
      expect(await of('2026-02-28', other), other).to.deep.equal(['date date', 'note text', 'date_raw text']);
  });

  it('counts days from 1970 through all years of four digits', () => {
    const wrong: string[] = [];
    // All days of the month come by, and all months.
    for (let day = -719_528; day <= 2_932_896; day += 13) {
      const written = new Date(day * 86_400_000).toISOString().slice(0, 10);
      if (daysSince1970(written) !== day) wrong.push(written);
    }
    expect(wrong).to.deep.equal([]);
    const none = [
      '2023-02-29',
      '1900-02-29',
      '2024-04-31',
      '2024-13-01',
      '2024-00-10',
      '2024-01-00',
      '20x4-01-01',
      '2024-1-001',
      '2024/01/01',
    ];
    for (const written of [...none, 20240101, null]) expect(daysSince1970(written), String(written)).to.equal(null);
    expect(daysSince1970('2000-02-29')).to.equal(11_016);
  });

  it('has no misfit in a member that every object has', async () => {
    const described = ['constructor', '__proto__'].map((name) => ({ name, type: 'integer' as const }));
    expect(await typesOf([{}], columnsOf(described))).to.have.length(2);
  });
});
