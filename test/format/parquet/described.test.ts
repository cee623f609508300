import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { writeAtomically } from '../../../src/format/atomic-file.ts';
import type { WrittenColumn } from '../../../src/format/format.ts';
import { writeParquet } from '../../../src/format/parquet/file.ts';
import { readParquet, readParquetColumns } from '../../../src/format/parquet/read.ts';
import type { Document, Json } from '../../../src/model/document.ts';
import { type Column, columnOf, kindOf } from '../../../src/model/kinds.ts';

/** A row whose values fit, and one for each column of values that do not. */
const politicians = {
  columns: ['slug', 'party', 'birth_date', 'affiliations', 'source_ids', 'updated_at'].map((name) =>
    columnOf(kindOf('politician'), name),
  ),
  whole: {
    slug: 'aube',
    party: 'rivages',
    birth_date: '1959-10-04',
    affiliations: [
      { party: 'rivages', role: null, start: '2017-10-03', end: null },
      { party: 'mer', role: 'x' },
    ],
    source_ids: ['s1', 's2'],
    updated_at: '2026-01-29',
  },
  odd: {
    slug: 7,
    party: { slug: 'rivages', name: 'Rivages' },
    birth_date: 'vers 1959',
    affiliations: [{ party: 'rivages', seat: 12 }, 'mer'],
    source_ids: 's1, s2',
    updated_at: '2026-01-29T00:00:00+02:00',
  },
} as { columns: Column[]; whole: Document; odd: Document };

describe('a Parquet file of columns that are described', () => {
  let folder: string;
  let path: string;
  let duck: Awaited<ReturnType<DuckDBInstance['connect']>>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-'));
    path = join(folder, 'rows.parquet');
    duck = await (await DuckDBInstance.create(':memory:')).connect();
  });
  after(() => {
    duck.closeSync();
    rmSync(folder, { recursive: true });
  });

  const { columns, whole, odd } = politicians;
  const write = async (rows: Document[]) => {
    let noted: WrittenColumn[] = [];
    const metadata = { licence: 'ODbL-1.0' };
    await writeAtomically(path, async (sink) => {
      await writeParquet({ rows: () => rows }, { columns, metadata, report: (all) => (noted = all) }, sink);
    });
    return noted;
  };
  const query = async (sql: string) =>
    (await duck.runAndReadAll(sql.replace('FILE', `'${path}'`))).getRowsJson() as Json[][];
  const types = async () =>
    (await query('SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM FILE)')).map((row) => row.join(' '));
  const read = async () => {
    const all: Document[] = [];
    for await (const batch of readParquet(path)) all.push(...batch.map(({ document }) => document));
    return all;
  };

  const expectedTypes = [
    'slug VARCHAR',
    'party VARCHAR',
    'birth_date DATE',
    'affiliations STRUCT(party VARCHAR, "role" VARCHAR, "start" DATE, "end" DATE)[]',
    'source_ids VARCHAR[]',
    'updated_at DATE',
  ];

  it('has the types of their descriptions, with lists and structs, in another reader', async () => {
    await write([whole]);
    const columnTypes = await types();
    expect(columnTypes).to.deep.equal(expectedTypes);
    expect(await query('SELECT affiliations[2].party, len(source_ids), updated_at::text FROM FILE')).to.deep.equal([
      ['mer', '2', '2026-01-29'],
    ]);
  });

  it('has the same types of no rows, of nulls, and of what does not fit: that stands in columns behind', async () => {
    await write([whole]);
    const wanted = await types();
    for (const rows of [[], [{ slug: null }]] as Document[][]) {
      await write(rows);
      expect(await types()).to.deep.equal(wanted);
    }
    const noted = await write([whole, odd]);
    const raw = ['party', 'birth_date', 'affiliations', 'source_ids', 'updated_at'];
    expect(await types()).to.deep.equal([...wanted, ...raw.map((name) => `${name}_raw VARCHAR`)]);
    expect(
      await query(
        'SELECT slug, party, birth_date::text, affiliations[1].party, birth_date_raw, source_ids_raw FROM FILE OFFSET 1',
      ),
    ).to.deep.equal([['7', 'rivages', null, 'rivages', 'vers 1959', 's1, s2']]);
    const facts = Object.fromEntries(noted.map(({ name, facts: columnFacts }) => [name, columnFacts]));
    expect(facts.birth_date).to.deep.equal({
      ...{ name: 'birth_date', filled: 2, misfits: 1, values: null },
      range: ['1959-10-04', '1959-10-04'],
    });
    expect(facts.birth_date_raw).to.include({ filled: 1 });
    expect(facts.slug).to.deep.include({ filled: 2, misfits: 0 });
  });

  it('comes back as it was written, also what does not fit', async () => {
    await write([whole, odd]);
    const [first, second] = await read();
    expect(first!.updated_at).to.equal('2026-01-29');
    expect(JSON.stringify(first!.affiliations)).to.equal(
      JSON.stringify([
        { party: 'rivages', role: null, start: '2017-10-03', end: null },
        { party: 'mer', role: 'x', start: null, end: null },
      ]),
    );
    expect(second).to.deep.equal({ ...odd, slug: '7' });
    expect(await readParquetColumns(path)).to.deep.equal(columns.map(({ name }) => name));
  });

  it('says of each column what it means', async () => {
    await write([whole]);
    const [row] = await query("SELECT decode(value) FROM parquet_kv_metadata(FILE) WHERE key::varchar = 'columns'");
    expect(JSON.parse(String(row![0]))).to.include({ birth_date: 'Date of birth (ISO 8601).' });
  });

  it('keeps empty lists from none, and parts without a value', async () => {
    const lists = [[], null, ['a'], ['b', 'c'], []];
    await write(lists.map((source_ids, n) => ({ slug: `s${n}`, source_ids, affiliations: n % 2 ? [{}] : [] })));
    expect((await read()).map(({ source_ids }) => source_ids)).to.deep.equal(lists);
    expect(await query('SELECT len(source_ids) FROM FILE')).to.deep.equal([['0'], [null], ['1'], ['2'], ['0']]);
  });
});
