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
import { exportTable } from '../../../src/export/tables.ts';
import type { TextStyle } from '../../../src/format/format.ts';
import type { FormatName } from '../../../src/format/formats.ts';
import type { Document, Json } from '../../../src/model/document.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import type { Mirror } from '../../../src/store/mirror.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { createSaver } from '../../../src/store/saving/save.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { findImportFiles, importFiles } from '../../../src/sync/import.ts';
import { hostileRecords } from '../../format/hostile-records.ts';
import { createRandom, seedOf } from '../../helpers/random.ts';
import { hashesOf } from '../../helpers/sync-run.ts';

const seed = seedOf('CELLS_SEED');
const at = '2026-03-01T06:00:00.000Z';
const kind = kindOf('quote');
const formats = ['csv', 'ndjson', 'parquet'] as const;

/** A mirror of records that are given as documents, or as the JSON text that a source wrote. */
function mirrorOf(folder: string, name: string, records: (Document | string)[]): Mirror {
  const mirror = openWritableMirror(join(folder, `${name}.db`));
  transaction(mirror, () => {
    const saver = createSaver(mirror, kind, { at });
    for (const record of records)
      if (typeof record === 'string') saver.save(JSON.parse(record), record);
      else saver.save(record);
    saver.finish();
  });
  return mirror;
}

async function exported(mirror: Mirror, folder: string, format: FormatName, style: TextStyle = {}) {
  const table = exportTable(mirror, kind, { citation: { name: 'Vitrine', siteUrl: null }, filter: {} });
  const out = join(folder, `${format}${JSON.stringify(style).length}`);
  const part = createPart(table, { format, style, header: true });
  await exportFolder([part], out, { created: at, ifChanged: false, maxShrink: 1 });
  return { table, out, file: join(out, `quotes.${format}`), columns: table.columns.map(({ name }) => name) };
}

/** Cells with null for what is empty and not quoted. */
function readCsv(text: string, delimiter = ','): (string | null)[][] {
  const cast = (cell: string, { quoting }: { quoting: boolean }) => (cell === '' && !quoting ? null : cell);
  return parse(text, { cast, delimiter } as object) as unknown as (string | null)[][];
}

/** The one text that CSV has for a value. */
function cellOf(value: Json): string | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Fails at the first cell that differs, and shows only that one. */
function expectCells(rows: unknown[][], wanted: unknown[][]): void {
  expect(rows).to.have.length(wanted.length);
  for (const [n, cells] of wanted.entries())
    for (const [m, cell] of cells.entries()) expect(rows[n]![m], `row ${n}, column ${m}`).to.deep.equal(cell);
}

const query = async (sql: string) => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const reader = await connection.runAndReadAll(sql);
  connection.closeSync();
  return reader;
};

/** Rows as DuckDB reads them; texts as their bytes, since its client for Node drops a mark at their beginning. */
async function duckRows(source: string, types: string[]): Promise<Json[][]> {
  const isJson = (type: string) => type === 'JSON' || type.endsWith('[]');
  const isText = (type: string) => type === 'VARCHAR' || isJson(type);
  const names = types.map((_, n) => `c${n}`);
  const cells = names.map((name, n) =>
    isText(types[n]!) ? `hex(${isJson(types[n]!) ? `to_json(${name})` : name}::VARCHAR)` : name,
  );
  const reader = await query(`SELECT ${cells.join(', ')} FROM ${source} AS t(${names.join(', ')})`);
  const expectedCell = (cell: Json, type: string): Json => {
    if (cell === null) return null;
    if (type === 'BIGINT') return Number(cell);
    const text = isText(type) ? Buffer.from(cell as string, 'hex').toString() : null;
    return isJson(type) ? JSON.parse(text!) : (text ?? cell);
  };
  const rows = reader.getRowsJson() as Json[][];
  return rows.map((row) => row.map((cell, n) => expectedCell(cell, types[n]!)));
}

describe(`cells that are trouble elsewhere (CELLS_SEED=${seed})`, () => {
  let folder: string;
  let mirror: Mirror;
  /** The records as saved, in the order of an export. */
  let records: Document[];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-cells-'));
    records = hostileRecords(createRandom(seed), 150);
    mirror = mirrorOf(folder, 'hostile', records);
    const byKey = (record: Document) => Buffer.from(record.id as string);
    records.sort((one, other) => Buffer.compare(byKey(one), byKey(other)));
  });
  after(() => {
    mirror.close();
    rmSync(folder, { recursive: true });
  });

  const saved = (columns: string[]) =>
    records.map((record) => columns.map((name) => (Object.hasOwn(record, name) ? record[name]! : null)));

  it('come back from NDJSON as they were saved, with null for what a record lacks', async () => {
    const { file, columns } = await exported(mirror, folder, 'ndjson');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const read: Document[] = lines.map((line) => JSON.parse(line));
    for (const row of read) expect(Object.keys(row).sort()).to.deep.equal([...columns].sort());
    expect(read.map((row) => columns.map((name) => row[name]))).to.deep.equal(saved(columns));
  });

  it('come back from CSV as the text of each value, an empty one told from none', async () => {
    const { file, columns } = await exported(mirror, folder, 'csv');
    const [header, ...rows] = readCsv(readFileSync(file, 'utf8'));
    expect(header).to.deep.equal(columns);
    expectCells(
      rows,
      saved(columns).map((row) => row.map(cellOf)),
    );
  });

  it('come back from CSV through DuckDB likewise', async () => {
    const { file, columns } = await exported(mirror, folder, 'csv');
    const read = `read_csv('${file}', header = true, delim = ',', quote = '"', escape = '"', new_line = '\\n',
      allow_quoted_nulls = false, max_line_size = 16000000, auto_detect = false,
      columns = {${columns.map((_, n) => `c${n}: 'VARCHAR'`).join(', ')}})`;
    const rows = await duckRows(
      read,
      columns.map(() => 'VARCHAR'),
    );
    expectCells(
      rows,
      saved(columns).map((row) => row.map(cellOf)),
    );
  });

  it('come back from Parquet through DuckDB in the type that holds the whole column', async () => {
    const { file, columns } = await exported(mirror, folder, 'parquet');
    const types = (await query(`DESCRIBE SELECT * FROM '${file}'`)).getRows().map((row) => String(row[1]));
    expect(new Set(types)).to.include.all.keys('VARCHAR', 'DOUBLE', 'BOOLEAN', 'DATE', 'JSON');
    expectCells(await duckRows(`'${file}'`, types), saved(columns));
  });

  it('come back from a plain SQLite file as values or as their text, truth values as 1 and 0 in their columns', async () => {
    const { table, columns } = await exported(mirror, folder, 'csv');
    const path = join(folder, 'plain.db');
    await createSqliteFile(path, { tables: [table], about: {}, target: path });
    const database = new Database(path, { readonly: true });
    const rows = database.prepare('SELECT * FROM quotes').raw().all() as Json[][];
    database.close();
    const wanted = saved(columns);
    expect(rows).to.have.length(wanted.length);
    for (const [n, row] of rows.entries())
      for (const [m, cell] of row.entries()) {
        const value = wanted[n]![m]!;
        if (typeof cell === 'number') expect(cell).to.equal(Number(value));
        else expect(cell).to.equal(cellOf(value));
      }
  });

  for (const format of formats) {
    it(`make the same records again when ${format} is imported, hash for hash`, async () => {
      const { out } = await exported(mirror, folder, format);
      const again = openWritableMirror(join(folder, `from-${format}.db`));
      const [result] = await importFiles(again, findImportFiles(out), { at });
      expect(result!.error).to.equal(null);
      expect(hashesOf(again, 'quote')).to.deep.equal(hashesOf(mirror, 'quote'));
      const files = [await exported(mirror, folder, format), await exported(again, join(folder, 'again'), format)];
      if (format !== 'ndjson') expect(files[1]!.columns).to.deep.equal(files[0]!.columns);
      again.close();
    });
  }

  for (const [style, delimiter] of [
    [{ isSafe: true }, ','],
    [{ isFrench: true, isSafe: true }, ';'],
  ] as const) {
    it(`are no formula in a CSV that is made safe (${delimiter}), and else as they were`, async () => {
      const { file, columns } = await exported(mirror, folder, 'csv', style);
      const text = readFileSync(file, 'utf8');
      const [header, ...rows] = readCsv(style === undefined ? text : text.replace(/^\ufeff/, ''), delimiter);
      for (const [n, cells] of [columns, ...saved(columns)].entries())
        for (const [m, value] of cells.entries()) {
          const cell = n === 0 ? header![m]! : rows[n - 1]![m]!;
          // Digits that a French Excel would change are the formula of a text, which shows them as they are.
          if (delimiter === ';' && typeof value === 'string' && /^(0\d+|\d{12,})$/.test(value)) {
            expect(cell).to.equal(`="${value}"`);
            continue;
          }
          if (typeof value === 'string' && cell !== value) expect(cell).to.equal(`'${value}`);
          // What is left of a cell when a program drops what it does not show.
          const shown = (cell ?? '').replace(/[\s\p{Cc}\p{Cf}]/gu, '');
          if (typeof value !== 'number') expect(shown).not.to.match(/^[=+\-@\uff1d\uff0b\uff0d\uff20]/);
          if (/^[\t\r]/.test(cell ?? '')) expect.fail(`begins with a tab or a line end: ${JSON.stringify(cell)}`);
        }
    });
  }
});

describe('what a format cannot hold', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-cells-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The cells of one column in each format, NDJSON as values. */
  async function cellsOf(records: (Document | string)[], column: string) {
    const inner = mkdtempSync(join(folder, 'of-'));
    const mirror = mirrorOf(inner, 'odd', records);
    const csv = await exported(mirror, inner, 'csv');
    const ndjson = await exported(mirror, inner, 'ndjson');
    const parquet = await exported(mirror, inner, 'parquet');
    const path = join(inner, 'odd-plain.db');
    await createSqliteFile(path, { tables: [csv.table], about: {}, target: path });
    const database = new Database(path, { readonly: true });
    const at = csv.columns.indexOf(column);
    const types = (await query(`DESCRIBE SELECT * FROM '${parquet.file}'`)).getRows().map((row) => String(row[1]));
    const cells = {
      csv: readCsv(readFileSync(csv.file, 'utf8'))
        .slice(1)
        .map((row) => row[at]),
      ndjson: readFileSync(ndjson.file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)[column]),
      parquet: (await duckRows(`'${parquet.file}'`, types)).map((row) => row[at]),
      sqlite: database
        .prepare('SELECT * FROM quotes')
        .raw()
        .all()
        .map((row) => (row as Json[])[at]),
    };
    database.close();
    mirror.close();
    return cells;
  }

  it('a lone surrogate is U+FFFD in the texts of CSV, Parquet and SQLite, and itself in NDJSON', async () => {
    const texts = await cellsOf(
      [
        { id: '1', text: 'a\ud800b' },
        { id: '2', text: '\udc00' },
      ],
      'text',
    );
    const replaced = ['a\ufffdb', '\ufffd'];
    expect(texts).to.deep.equal({
      csv: replaced,
      ndjson: ['a\ud800b', '\udc00'],
      parquet: replaced,
      sqlite: replaced,
    });
  });

  it('a lone surrogate in a nested value stays what it is in CSV and NDJSON, as an escape, and comes in as U+FFFD', async () => {
    const mirror = mirrorOf(folder, 'nested', [{ id: '1', source_ids: ['\ud800'] }]);
    const received = mirrorOf(folder, 'nested-received', [{ id: '1', source_ids: ['\ufffd'] }]);
    for (const format of ['csv', 'ndjson'] as const) {
      const { out, file } = await exported(mirror, folder, format);
      expect(readFileSync(file, 'utf8')).to.include('\\ud800');
      const again = openWritableMirror(join(folder, `nested-${format}.db`));
      await importFiles(again, findImportFiles(out), { at });
      expect(hashesOf(again, 'quote'), format).to.deep.equal(hashesOf(received, 'quote'));
      again.close();
    }
    for (const each of [mirror, received]) each.close();
  });

  it('a lone surrogate in a nested value is U+FFFD in Parquet, where DuckDB would read none of its column', async () => {
    const mirror = mirrorOf(folder, 'nested-parquet', [
      { id: '1', extra: ['\ud800', 'a\\ud800', '\ud83d\ude00', { '\udc00': '\\' }], source_ids: ['\udc00'] },
    ]);
    const { file } = await exported(mirror, folder, 'parquet');
    const reader = await query(`SELECT extra::VARCHAR, extra->>0, source_ids[1] FROM '${file}'`);
    const [[text, first, id]] = reader.getRowsJson() as [[string, string, string]];
    expect(JSON.parse(text)).to.deep.equal(['\ufffd', 'a\\ud800', '\ud83d\ude00', { '\ufffd': '\\' }]);
    expect([first, id]).to.deep.equal(['\ufffd', '\ufffd']);
    mirror.close();
  });

  it('a number is the nearest that a double holds, one beyond all of them is null, and -0 is 0', async () => {
    const written = ['9007199254740993', '1e400', '-1e400', '-0', '0.1000000000000000055511151231257827', '7'];
    const lines = written.map((number, n) => `{"id":"${n}","number":${number}}`);
    const { csv, ndjson, parquet, sqlite } = await cellsOf(lines, 'number');
    const numbers = [9007199254740992, null, null, 0, 0.1, 7];
    expect(ndjson).to.deep.equal(numbers);
    expect(csv).to.deep.equal(numbers.map((number) => (number === null ? null : String(number))));
    expect(sqlite.map((cell) => (cell === null ? null : Number(cell)))).to.deep.equal(numbers);
    expect(parquet).to.deep.equal(numbers);
  });

  it('a text that is itself a list or an object in JSON is read as that from CSV, and only from there', async () => {
    const mirror = mirrorOf(folder, 'json', [{ id: '1', text: '[1, 2]' }]);
    for (const format of formats) {
      const { out } = await exported(mirror, folder, format);
      const again = openWritableMirror(join(folder, `json-${format}.db`));
      await importFiles(again, findImportFiles(out), { at });
      const row = JSON.parse(again.sql('SELECT row FROM record').pluck().get() as string);
      expect(row.text, format).to.deep.equal(format === 'csv' ? [1, 2] : '[1, 2]');
      again.close();
    }
    mirror.close();
  });

  it('names that SQLite takes for the same are told apart in a plain file, its dictionary included', async () => {
    const mirror = mirrorOf(folder, 'names', [{ id: '1', Text: 'a', text: 'b', TEXT: 'c', 'n\0': 1, 'N\ufffd': 2 }]);
    const table = exportTable(mirror, kind, { citation: { name: 'Vitrine', siteUrl: null }, filter: {} });
    const path = join(folder, 'names-plain.db');
    await createSqliteFile(path, { tables: [table], about: {}, target: path });
    const database = new Database(path, { readonly: true });
    const names = ['id', 'Text', 'text_2', 'TEXT_3', 'n\ufffd', 'N\ufffd_2'];
    expect(database.prepare("SELECT name FROM pragma_table_info('quotes')").pluck().all()).to.deep.equal(names);
    const described = database.prepare('SELECT "column" FROM dictionary WHERE "column" IS NOT NULL').pluck();
    expect(described.all()).to.deep.equal(names);
    database.close();
    mirror.close();
  });

  it('a mark that would begin a file stands in quotes, so that no reader takes it for the file\u2019s own', async () => {
    const mirror = mirrorOf(folder, 'mark', [{ '\ufefffirst': '\ufeffx', id: '1' }]);
    const { file, out } = await exported(mirror, folder, 'csv');
    expect(readFileSync(file, 'utf8')).to.equal('"\ufefffirst",id\n"\ufeffx",1\n');
    const again = openWritableMirror(join(folder, 'mark-again.db'));
    await importFiles(again, findImportFiles(out), { at });
    expect(hashesOf(again, 'quote')).to.deep.equal(hashesOf(mirror, 'quote'));
    again.close();
    mirror.close();
  });

  it('more fields than a view can show leave the view readable', () => {
    const many = Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`field_${n}`, n]));
    const mirror = mirrorOf(folder, 'many', [{ id: '1', ...many }]);
    const [row] = mirror.sql('SELECT * FROM quotes').all() as Record<string, unknown>[];
    expect(row).to.include({ id: '1', field_0: 0, field_150: 150 });
    expect(JSON.parse(row!._json as string)).to.have.property('field_2499', 2499);
    mirror.close();
  });
});
