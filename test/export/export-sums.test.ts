import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { exportFolder } from '../../src/export/folder.ts';
import { createPart } from '../../src/export/part.ts';
import { createSqliteFile } from '../../src/export/sqlite.ts';
import { allTables, exportTable, nameOfTable } from '../../src/export/tables.ts';
import { openMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

/** What DuckDB may call a column of each declared type; lists and parts are text in SQLite, and counted only. */
const duckTypes: Record<string, string[]> = {
  TEXT: ['VARCHAR', 'DATE'],
  INTEGER: ['BIGINT', 'BOOLEAN', 'VARCHAR'],
  REAL: ['DOUBLE'],
};

describe('an export of everything', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let sqlite: Database.Database;
  let duck: Awaited<ReturnType<DuckDBInstance['connect']>>;
  let out: string;
  before(async () => {
    demo = await createDemoMirror();
    out = mkdtempSync(join(tmpdir(), 'hemicycle-sums-'));
    const mirror = openMirror(demo.db);
    const citation = { name: 'Vitrine', siteUrl: null };
    const tables = allTables.map((table) => exportTable(mirror, table, { citation, filter: {} }));
    const options = { created: '2026-03-01T06:00:00Z', ifChanged: false, maxShrink: 1 };
    for (const format of ['parquet', 'csv'] as const) {
      const parts = tables.map((table) => createPart(table, { format, header: true }));
      await exportFolder(parts, join(out, format), options);
    }
    await createSqliteFile(join(out, 'plain.db'), { tables, about: {}, target: 'plain.db' });
    mirror.close();
    sqlite = new Database(join(out, 'plain.db'), { readonly: true });
    duck = await (await DuckDBInstance.create(':memory:')).connect();
  });
  after(() => {
    duck.closeSync();
    sqlite.close();
    rmSync(out, { recursive: true });
    demo.remove();
  });

  const ask = async (sql: string) => (await duck.runAndReadAll(sql)).getRows()[0]!.map(plain);

  for (const table of allTables.map(nameOfTable)) {
    it(`has in ${table} what SQLite counts and sums, by DuckDB, from Parquet and from CSV`, async () => {
      const columns = sqlite.pragma(`table_info(${table})`) as { name: string; type: string }[];
      const described = await duck.runAndReadAll(`DESCRIBE SELECT * FROM '${join(out, 'parquet', table)}.parquet'`);
      const types = described.getRows().map(([name, type]) => [name, String(type)] as const);
      expect(types.map(([name]) => name)).to.deep.equal(columns.map(({ name }) => name));
      const isTyped = ([, type]: readonly [unknown, string]) => /\[\]$|^STRUCT|^TIMESTAMP/.test(type);
      for (const [n, { name, type }] of columns.entries())
        if (!isTyped(types[n]!)) expect(duckTypes[type], name).to.include(types[n]![1]);
      const facts = (sum: (name: string) => string, length: string) =>
        columns.flatMap(({ name, type }, n) => [
          `count("${name}")`,
          ...(isTyped(types[n]!)
            ? []
            : [
                `count(DISTINCT "${name}")`,
                // Sums of fractions depend on their order in the last digits.
                type === 'REAL'
                  ? `round(sum(CAST("${name}" AS DOUBLE)), 6)`
                  : type === 'INTEGER'
                    ? sum(`"${name}"`)
                    : `sum(length(${length.replace('?', `"${name}"`)}))`,
              ]),
        ]);
      const wanted = sqlite
        .prepare(`SELECT count(*), ${facts((name) => `sum(${name})`, '?').join(', ')} FROM ${table}`)
        .raw()
        .get() as unknown[];
      // Truth values are true and false in CSV, 1 and 0 in SQLite.
      const booleans = types.filter(([, type]) => type === 'BOOLEAN').map(([name]) => `"${name}"`);
      const whole = (name: string) => (booleans.includes(name) ? `CAST(${name} AS BOOLEAN)` : name);
      const sums = facts((name) => `sum(CAST(${whole(name)} AS BIGINT))`, 'CAST(? AS VARCHAR)').join(', ');
      const csv = `read_csv('${join(out, 'csv', table)}.csv', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false)`;
      for (const source of [`'${join(out, 'parquet', table)}.parquet'`, csv])
        expect(await ask(`SELECT count(*), ${sums} FROM ${source}`), source).to.deep.equal(wanted.map(plain));
    });
  }
});

function plain(value: unknown): unknown {
  return value === null ? null : Number(value);
}
