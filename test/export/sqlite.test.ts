import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { createSqliteFile, exportSqlite } from '../../src/export/sqlite.ts';
import { allTables, exportTable, nameOfTable } from '../../src/export/tables.ts';
import { attributionOf } from '../../src/model/attribution.ts';
import type { Document } from '../../src/model/document.ts';
import type { Column } from '../../src/model/kinds.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

const column = (name: string, type: Column['type'], more: Partial<Column> = {}): Column => ({
  name,
  type,
  description: `The ${name} of it.`,
  ...more,
});

describe('an SQLite file of tables', () => {
  let folder: string;
  let database: Database.Database | null = null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-sqlite-'));
  });
  afterEach(() => {
    database?.close();
    database = null;
    rmSync(folder, { recursive: true });
  });
  const writeThings = async (columns: Column[], rows: Document[]) => {
    const path = join(folder, 'plain.db');
    const tables = [
      {
        ...{ name: 'things', description: 'A thing;\n--a "thing".', columns, key: ['id'], references: [] },
        ...{ rows: () => rows, count: () => rows.length, freshAt: null, state: () => null },
        attribution: attributionOf({ name: 'Test', siteUrl: null }),
      },
    ];
    const written = await createSqliteFile(path, { tables, about: {}, target: path });
    database = new Database(path, { readonly: true });
    return written;
  };
  const all = (sql: string) => database!.prepare(sql).all() as Record<string, unknown>[];

  it('has no primary key for a table whose records all lack the field of the key', async () => {
    const [things] = await writeThings([column('title', 'text')], [{ title: 'Une promesse' }, { title: 'Une autre' }]);
    expect(things!.rows).to.equal(2);
    expect(all('SELECT title FROM things')).to.deep.equal([{ title: 'Une promesse' }, { title: 'Une autre' }]);
    expect(all('PRAGMA table_info(things)').map(({ pk }) => pk)).to.deep.equal([0]);
  });

  it('holds what does not fit a column in one behind all others, and counts it', async () => {
    const columns = [
      column('id', 'text'),
      column('date', 'date'),
      column('Count', 'integer'),
      column('seen', 'datetime'),
      column('party', 'text', { isReference: true }),
      column('ids', 'json', { inside: { list: 'ids' } }),
    ];
    const odd = {
      id: 'b',
      date: 'au printemps',
      Count: 2.5,
      seen: 'soon',
      party: { slug: 'mer', name: 'Mer' },
    };
    const [written] = await writeThings(columns, [
      {
        id: 'a',
        date: '2031-01-02',
        Count: '7',
        seen: '2031-01-02T03:04:05+02:00',
        party: 'rive',
        ids: ['x'],
      },
      { ...odd, ids: 'x' },
      { id: 'c', date: { from: 1 }, Count: null, seen: null, party: null, ids: null },
    ]);
    expect(all('SELECT * FROM things')).to.deep.equal([
      {
        ...{ id: 'a', date: '2031-01-02', Count: 7, seen: '2031-01-02T03:04:05+02:00', party: 'rive' },
        ...{ ids: '["x"]', date_raw: null, Count_raw: null, seen_raw: null, party_raw: null },
      },
      {
        ...{ id: 'b', date: null, Count: null, seen: null, party: 'mer', ids: 'x' },
        ...{ date_raw: 'au printemps', Count_raw: '2.5', seen_raw: 'soon' },
        party_raw: '{"slug":"mer","name":"Mer"}',
      },
      {
        ...{ id: 'c', date: null, Count: null, seen: null, party: null, ids: null },
        ...{ date_raw: '{"from":1}', Count_raw: null, seen_raw: null, party_raw: null },
      },
    ]);
    const types = all("SELECT name, type FROM pragma_table_info('things')").map(({ type }) => type);
    expect(types.join(' ')).to.equal('TEXT TEXT INTEGER TEXT TEXT TEXT TEXT TEXT TEXT TEXT');
    expect(written!.columns.map(({ name, rawOf }) => rawOf ?? name)).to.deep.equal([
      ...columns.map(({ name }) => name),
      ...['date', 'Count', 'seen', 'party'],
    ]);
    const [date] = all(`SELECT filled, "values" FROM dictionary WHERE "column" = 'date'`);
    expect(date).to.deep.equal({ filled: '100 %', values: '2031-01-02; 2 of another type' });
  });

  it('gives a column of what does not fit a name that no other has, whatever its case', async () => {
    await writeThings(
      [column('id', 'text'), column('n', 'integer'), column('N_RAW', 'text')],
      [{ id: 'a', n: 'few', N_RAW: 'mine' }],
    );
    const [row] = all('SELECT * FROM things');
    expect(Object.values(row!)).to.deep.equal(['a', null, 'mine', 'few']);
    expect(new Set(Object.keys(row!).map((name) => name.toLowerCase())).size).to.equal(4);
  });

  it('says in its schema what each table and column means', async () => {
    await writeThings([column('id', 'text')], [{ id: 'a' }]);
    const [{ sql }] = all("SELECT sql FROM sqlite_schema WHERE name = 'things'") as [{ sql: string }];
    expect(sql).to.equal(
      'CREATE TABLE "things" (\n  -- A thing; --a "thing".\n  -- The id of it.\n  "id" TEXT,\n  PRIMARY KEY ("id")\n)',
    );
  });
});

describe('an SQLite file of everything', () => {
  const demo = readDemoMirror();
  const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
  const exported = async (name: string) => {
    const tables = allTables.map((table) => exportTable(demo.mirror, table, { citation, filter: {} }));
    const path = join(demo.folder, name);
    const gates = { ifChanged: false, maxShrink: 1, created: '2026-03-01T06:00:00Z' };
    const options = { ...gates, watch: undefined, signal: new AbortController().signal };
    await exportSqlite(tables, path, options);
    return path;
  };
  const asking = <Answer>(path: string, ask: (database: Database.Database) => Answer): Answer => {
    const database = new Database(path, { readonly: true });
    try {
      return ask(database);
    } finally {
      database.close();
    }
  };

  it('has keys that name each row, references that hold, and every column described with what it holds', async () => {
    asking(await exported('plain.db'), (database) => {
      expect(database.pragma('foreign_key_check')).to.deep.equal([]);
      expect(database.pragma('integrity_check')).to.deep.equal([{ integrity_check: 'ok' }]);
      for (const name of allTables.map(nameOfTable)) {
        const keys = database.prepare('SELECT count(*) FROM pragma_table_info(?) WHERE pk > 0').pluck();
        expect(keys.get(name), name).to.be.greaterThan(0);
      }
      const bare = `SELECT * FROM dictionary WHERE "column" IS NOT NULL AND (filled IS NULL OR description = '')`;
      expect(database.prepare(bare).all()).to.deep.equal([]);
      const described = 'SELECT "values" FROM dictionary WHERE "table" = ? AND "column" = ?';
      expect(database.prepare(described).pluck().get('ballots', 'chamber')).to.equal('AN, Senat');
    });
  });
});
