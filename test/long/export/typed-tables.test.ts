import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { exportFolder } from '../../../src/export/folder.ts';
import { createPart } from '../../../src/export/part.ts';
import { createSqliteFile } from '../../../src/export/sqlite.ts';
import type { ExportTable } from '../../../src/export/table.ts';
import { allTables, exportTable } from '../../../src/export/tables.ts';
import { exportWorkbook } from '../../../src/export/workbook.ts';
import type { FormatName } from '../../../src/format/formats.ts';
import { readJsonFile } from '../../../src/format/package-description.ts';
import { type Document, type Json, slugOf } from '../../../src/model/document.ts';
import type { Column } from '../../../src/model/kinds.ts';
import type { Mirror } from '../../../src/store/mirror.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { documentedViews } from '../../../src/store/statements/documented-views.ts';
import { runStatement } from '../../../src/store/statements/statement.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { oddRecords } from '../../export/odd-values.ts';
import { packageFaults } from '../../helpers/package-faults.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';
import { readWorkbook } from '../../helpers/workbook.ts';

const at = '2026-03-01T06:00:00.000Z';
const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };

function oddMirror(options: { areKeysWhole: boolean }) {
  const own = createTemporaryMirror();
  for (const [kind, documents] of oddRecords(60, options))
    transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, kind, { at });
      for (const document of documents) saver.save(document);
      saver.finish();
    });
  return own;
}

const tablesOf = (mirror: Mirror): ExportTable[] =>
  allTables.map((table) => exportTable(mirror, table, { citation, filter: {} }));

/** What a reader gets: a cell, and what stands of it in the column of misfits. */
type ReadCell = { cell: unknown; raw?: unknown };

/** A value as text, as every format without its type has it. */
const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** True if a typed cell says exactly what the source says: no value is made of another one. */
function says(value: Json, cell: unknown, { type }: Pick<Column, 'type'>): boolean {
  if (cell === null || cell === undefined) return value === null;
  if (value === null) return false;
  if (type === 'boolean') return typeof cell !== 'string' && String(Boolean(Number(cell))) === String(value);
  if (type === 'integer') return typeof cell !== 'string' && String(cell) === String(value);
  if (type === 'number') return typeof cell === 'number' && (cell === value || String(cell) === value);
  return cell === textOf(value);
}

/** Fails at the first cell that says something else, or nothing though no column of misfits says it. */
function expectSaid(table: ExportTable, rows: Record<string, ReadCell>[]): void {
  const sourceRows = [...table.rows()];
  expect(rows, table.name).to.have.length(sourceRows.length);
  for (const [n, row] of sourceRows.entries())
    for (const column of table.columns) {
      const value = Object.hasOwn(row, column.name) ? (row[column.name] ?? null) : null;
      const { cell, raw = null } = rows[n]![column.name]!;
      const label = `${table.name}.${column.name} (${column.type}): ${JSON.stringify(value)} is ${String(cell)}`;
      const isSaid = raw === null ? says(value, cell, column) : raw === textOf(value);
      expect(isSaid, label).to.equal(true);
    }
}

describe('every table in every format, of values that are trouble elsewhere', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let folder: string;
  let tables: ExportTable[];
  let duck: Awaited<ReturnType<DuckDBInstance['connect']>>;
  before(async () => {
    own = oddMirror({ areKeysWhole: false });
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-typed-'));
    tables = tablesOf(own.mirror);
    duck = await (await DuckDBInstance.create(':memory:')).connect();
  });
  after(() => {
    duck.closeSync();
    own.remove();
    rmSync(folder, { recursive: true });
  });

  const writePackage = async (format: FormatName, all = tables, out = join(folder, format)) => {
    const parts = all.map((table) => createPart(table, { format, header: true }));
    await exportFolder(parts, out, { created: at, ifChanged: false, maxShrink: 1 });
    const description = await readJsonFile(join(out, 'datapackage.json'));
    return { out, resources: description!.resources as unknown as Parameters<typeof packageFaults>[0][] };
  };

  it('says in CSV what the source says, an empty text told from none', async () => {
    const { out } = await writePackage('csv');
    for (const table of tables) {
      const cast = (cell: string, { quoting }: { quoting: boolean }) => (cell === '' && !quoting ? null : cell);
      const cells: unknown = parse(readFileSync(join(out, `${table.name}.csv`)), { cast } as object);
      const [header, ...lines] = cells as (string | null)[][];
      expect(header).to.deep.equal(table.columns.map(({ name }) => name));
      const textTable = { ...table, columns: table.columns.map((each): Column => ({ ...each, type: 'text' })) };
      expectSaid(
        textTable,
        lines.map((line) => Object.fromEntries(header!.map((name, n) => [name, { cell: line[n] }]))),
      );
    }
  });

  it('says in NDJSON what the source says, value for value', async () => {
    const { out } = await writePackage('ndjson');
    for (const { originals, ...table } of tables) {
      const lines = readFileSync(join(out, `${table.name}.ndjson`), 'utf8')
        .trimEnd()
        .split('\n');
      const { columns, rows } = originals ?? table;
      const expectedRows = [...rows()].map((row) =>
        columns.map(({ name }) => (Object.hasOwn(row, name) ? row[name] : null)),
      );
      const readRows = lines.map((line) => JSON.parse(line)).map((row) => columns.map(({ name }) => row[name]));
      for (const [n, row] of expectedRows.entries())
        for (const [m, value] of row.entries())
          if (columns[m]!.inside === undefined) expect(readRows[n]![m]).to.deep.equal(value ?? null);
    }
  });

  it('says in Parquet what the source says, or the column of misfits does, in the type that is described', async () => {
    const duckTypes = {
      ...{ text: 'VARCHAR', integer: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN', date: 'DATE' },
      ...{ datetime: 'TIMESTAMP WITH TIME ZONE', json: 'JSON' },
    };
    const { out, resources } = await writePackage('parquet');
    for (const table of tables) {
      const path = join(out, `${table.name}.parquet`);
      const described = (await duck.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`)).getRows();
      const types = new Map(described.map(([name, type]) => [String(name), String(type)]));
      const { schema } = resources.find(({ name }) => name === table.name)!;
      expect([...types.keys()]).to.deep.equal(schema.fields.map(({ name }) => name));
      const simple = table.columns.filter(({ inside }) => inside === undefined);
      for (const { name, type } of simple) expect(types.get(name), `${table.name}.${name}`).to.equal(duckTypes[type]);
      const rawOf = new Map(schema.fields.flatMap(({ name, rawOf }) => (rawOf === undefined ? [] : [[rawOf, name]])));
      const selected = [...types.keys()].map((name) => {
        const quoted = `"${name.replaceAll('"', '""')}"`;
        // The client for Node drops a mark at the beginning of a text.
        if (types.get(name) === 'VARCHAR') return `hex(${quoted})`;
        if (['DATE', 'JSON'].includes(types.get(name)!)) return `${quoted}::VARCHAR`;
        return types.get(name) === duckTypes.datetime ? `epoch_ms(${quoted})` : quoted;
      });
      const names = [...types.keys()];
      const readRows = (await duck.runAndReadAll(`SELECT ${selected.join(', ')} FROM '${path}'`)).getRows();
      const readCell = (cell: unknown, n: number) =>
        cell !== null && types.get(names[n]!) === 'VARCHAR' ? Buffer.from(String(cell), 'hex').toString() : cell;
      const rows = readRows.map((row) => row.map(readCell));
      const cellOf = (row: unknown[], { name, type }: Column): ReadCell => {
        const cell = row[names.indexOf(name)];
        const raw = rawOf.has(name) ? row[names.indexOf(rawOf.get(name)!)] : null;
        if (cell === null) return { cell, raw };
        if (type === 'json') return { cell: textOf(JSON.parse(String(cell))), raw };
        const isMoment = type === 'datetime';
        return { cell: isMoment ? new Date(Number(cell)).toISOString().replace('.000Z', 'Z') : cell, raw };
      };
      expectSaid(
        { ...table, columns: simple },
        rows.map((row) => Object.fromEntries(simple.map((column) => [column.name, cellOf(row, column)]))),
      );
    }
  });

  it('says in SQLite what the source says, in the storage class of the type', async () => {
    const path = join(folder, 'plain.db');
    const written = await createSqliteFile(path, { tables, about: {}, target: path });
    const database = new Database(path, { readonly: true }).defaultSafeIntegers();
    const classes: Record<Column['type'], string> = {
      ...{ text: 'string', date: 'string', datetime: 'string', json: 'string' },
      ...{ integer: 'bigint', boolean: 'bigint', number: 'number' },
    };
    for (const table of tables) {
      const { columns } = written.find(({ name }) => name === table.name)!;
      const rows = database.prepare(`SELECT * FROM "${table.name}"`).raw().all() as unknown[][];
      const rawAt = (n: number) => columns.findIndex(({ rawOf }) => rawOf === columns[n]!.name);
      for (const row of rows)
        for (const [n, { type }] of table.columns.entries())
          if (row[n] !== null) expect(typeof row[n], `${table.name}.${columns[n]!.name}`).to.equal(classes[type]);
      expectSaid(
        table,
        rows.map((row) =>
          Object.fromEntries(table.columns.map(({ name }, n) => [name, { cell: row[n], raw: row[rawAt(n)] }])),
        ),
      );
    }
    database.close();
  });

  it('says in a workbook what the source says, control characters included', async () => {
    const path = join(folder, 'all.xlsx');
    const options = {
      created: at,
      ifChanged: false,
      maxShrink: 1,
      watch: undefined,
      signal: new AbortController().signal,
    };
    await exportWorkbook(tables, path, { ...options, headerOf: (name) => name, onRemark: () => {} });
    const sheets = readWorkbook(readFileSync(path));
    for (const table of tables) {
      const [, ...rows] = sheets.get(table.name)!;
      const sourceRows = [...table.rows()];
      expect(rows).to.have.length(sourceRows.length);
      for (const [n, row] of sourceRows.entries())
        for (const [m, column] of table.columns.entries()) {
          const value = (Object.hasOwn(row, column.name) ? row[column.name] : null) ?? null;
          const cell = rows[n]![m] ?? null;
          const label = `${table.name}.${column.name} (${column.type}): ${JSON.stringify(value)} is ${String(cell)}`;
          if (value === null) expect(cell, label).to.equal(null);
          else expect(String(cell), label).to.equal(textOf(value));
        }
    }
  });

  it('says by `sql` what the files say, under the same names and types', () => {
    const views = new Map(documentedViews(own.mirror).map((view) => [view.name, view]));
    for (const table of tables) {
      const viewColumns = new Map(views.get(table.name)!.columns.map((each) => [each.name, each]));
      for (const { name, type } of table.columns)
        expect(viewColumns.get(name)?.type, `${table.name}.${name}`).to.equal(type);
      const simple = table.columns.filter(({ type }) => type !== 'json');
      const names = simple.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(', ');
      const { rows } = runStatement(own.mirror, { sql: `SELECT ${names} FROM ${table.name}`, values: {} }, 99_999);
      const cellOf = (row: Document, { name, isReference }: Column) => {
        const value = (Object.hasOwn(row, name) ? row[name] : null) ?? null;
        // SQL has the slug of a reference, 1 and 0, and integers beyond the precision of a number as text.
        if (isReference) return slugOf(value);
        if (typeof value === 'boolean') return Number(value);
        const isLong = Number.isInteger(value) && !Number.isSafeInteger(value);
        return isLong || typeof value === 'object' ? value && JSON.stringify(value) : value;
      };
      const cells = (row: Document) => JSON.stringify(simple.map((each) => cellOf(row, each)));
      const tableCells = [...table.rows()].map(cells);
      expect(rows, table.name).to.have.length(tableCells.length);
      for (const each of rows.map(cells)) expect(tableCells.includes(each), `${table.name}: ${each}`).to.equal(true);
    }
  });

  for (const areKeysWhole of [true, false])
    for (const format of ['csv', 'ndjson'] as const)
      it(`is a package in ${format} that its own description fits${areKeysWhole ? '' : ', also without some keys'}`, async () => {
        const other = oddMirror({ areKeysWhole });
        const { out, resources } = await writePackage(
          format,
          tablesOf(other.mirror),
          join(folder, `${format}-${areKeysWhole}`),
        );
        other.remove();
        for (const resource of resources)
          expect(packageFaults(resource, { out, resources }), resource.name).to.deep.equal([]);
        const keyed = resources.filter(({ schema }) => schema.primaryKey).map(({ name }) => name);
        expect(keyed.includes('politicians')).to.equal(true);
        if (areKeysWhole) expect(keyed).to.have.length(tables.length);
      });
});
