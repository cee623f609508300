import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { createTableSql, sqlNames } from '../../src/export/ddl.ts';
import { allTables, exportTable, nameOfTable, tableNamed } from '../../src/export/tables.ts';
import { definitionText, historyTable, warehouseTables } from '../../src/export/warehouse.ts';
import { column } from '../../src/model/columns.ts';
import type { Document } from '../../src/model/document.ts';
import { openPast } from '../../src/store/history/past.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { nightAt, takeNight } from '../helpers/moving-mirror.ts';
import { createRandom, isLong, seedOf } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };

describe('the definition of tables', () => {
  const demo = readDemoMirror();

  const textIn = (dialect: 'postgres' | 'clickhouse' | 'duckdb', named = [...allTables]) =>
    definitionText(warehouseTables(demo.mirror, named, { citation, isFlat: dialect === 'postgres' }), {
      dialect,
      schema: 'press',
    });

  it('makes every table and its history in DuckDB, with keys, foreign keys that hold, and comments', async () => {
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(textIn('duckdb'));
    const valuesOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().flat();
    const made = await valuesOf("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'press'");
    const names = allTables.map(nameOfTable);
    expect(made).to.have.members([...names, ...names.map((name) => `${name}_history`)]);
    const uncommented = await valuesOf(
      "SELECT table_name || '.' || column_name FROM duckdb_columns() WHERE schema_name = 'press' AND comment IS NULL",
    );
    expect(uncommented).to.deep.equal([]);
    const [comment] = await valuesOf("SELECT comment FROM duckdb_tables() WHERE table_name = 'quotes'");
    expect(comment).to.match(/^Words of a politician, verbatim\. Source: Vitrine .*ODbL/);
    const held = await valuesOf(
      "SELECT DISTINCT constraint_type FROM duckdb_constraints() WHERE table_name = 'votes'",
    );
    expect(held).to.include.members(['PRIMARY KEY', 'FOREIGN KEY']);
  });

  it('names in PostgreSQL what a copy has beside, and adds foreign keys once all tables stand', () => {
    const text = textIn('postgres', [tableNamed('quotes'), tableNamed('politicians')]);
    expect(text).to.include('CREATE TABLE "press"."quotes" (\n  "id" text,\n  "politician" text,');
    expect(text).to.match(
      /"source_ids" jsonb,\n {2}"raw_values" text,\n {2}"row_hash" text,\n {2}PRIMARY KEY/,
    );
    expect(text.indexOf('ADD CONSTRAINT "quotes_politician_fkey"')).to.be.greaterThan(
      text.lastIndexOf('CREATE TABLE'),
    );
    expect(text).to.match(/COMMENT ON SCHEMA "press" IS 'Source: Vitrine/);
  });

  it('has lists and parts as themselves in ClickHouse, where nothing of a key is null', () => {
    const text = textIn('clickhouse', [tableNamed('ballots')]);
    expect(text).to.include('`chamber` String COMMENT');
    expect(text).to.include('`title` Nullable(String) COMMENT');
    expect(text).to.include('`votes_by_party` Array(Tuple(`party` Nullable(String)');
    expect(text).to.include('ENGINE = MergeTree ORDER BY (`chamber`, `scrutin_id`, `valid_from`)');
  });

  it('writes no name and no text that a database would take for something else', () => {
    const names = ['a"b', 'xmin', 'Text', 'text', 'x'.repeat(70), 'x'.repeat(71), 'null\0'];
    const columns = names.map((name) => column.text(name, "it's"));
    const postgres = sqlNames(columns, 'postgres');
    expect(new Set(postgres).size).to.equal(names.length);
    for (const name of postgres) expect(Buffer.byteLength(name)).to.be.at.most(63);
    expect(postgres).to.include.members(['xmin_2', 'Text', 'text', 'null\ufffd']);
    expect(sqlNames(columns, 'duckdb')).to.include.members(['Text', 'text_2', 'xmin']);
    const table = { name: 't', description: "d'\\", columns, key: [] };
    expect(createTableSql(table, { dialect: 'postgres' })).to.include('"a""b" text');
    expect(createTableSql(table, { dialect: 'clickhouse' })).to.include(
      "`Text` Nullable(String) COMMENT 'it''s'",
    );
    expect(createTableSql(table, { dialect: 'clickhouse' })).to.include("COMMENT 'd''\\\\'");
  });
});

describe('the history of a table', () => {
  const nights = isLong ? 20 : 7;

  it(`holds for each moment the rows of the table as of that moment`, () => {
    const random = createRandom(seedOf('HISTORY_SEED'));
    const own = createTemporaryMirror();
    try {
      for (let n = 0; n < nights; n += 1) takeNight(own.mirror, { at: nightAt(n), random });
      for (let n = 0; n < nights; n += 1) {
        const past = openPast(own.mirror.path, nightAt(n));
        for (const table of allTables) {
          const said = `seed ${random.seed}, ${nameOfTable(table)} of night ${n}`;
          const then = [...exportTable(past, table, { citation, filter: {} }).rows()];
          const all = [...historyTable(own.mirror, table, { citation, isFlat: true }).rows()];
          expect(heldAt(all, nightAt(n)).map(textOf).sort(), said).to.deep.equal(then.map(textOf).sort());
        }
        past.close();
      }
    } finally {
      own.remove();
    }
  });
});

const heldAt = (rows: Document[], at: string): Document[] =>
  rows
    .filter(({ valid_from, valid_to }) => valid_from! <= at && (valid_to === null || valid_to! > at))
    .map(({ valid_from: _, valid_to: __, ...row }) => row);

/** A row, for which a field without a value is one that it has not. */
const textOf = (row: Document) =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
