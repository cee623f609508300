import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { refreshIndexes } from '../../src/store/saving/indexes.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { beginRun, endRun } from '../../src/store/syncs/runs.ts';
import { transaction } from '../../src/store/transaction.ts';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

type Row = Record<string, string | null>;

describe('an export of what changed', () => {
  const demo = demoMirrorForEach();

  const run = (...argv: string[]) => askProgram(['export', ...argv], { env: demo.env });
  const exported = async (...argv: string[]) => {
    const { exit, stdout, stderr } = await run(...argv);
    expect(exit, stderr).to.equal(0);
    return { stdout, stderr };
  };
  const last = (...argv: string[]) => exported('--changed-since', 'last', '-o', `${demo.out}/`, ...argv);
  const rowsOf = (name: string, folder = demo.out) =>
    parse(readFileSync(join(folder, `${name}.csv`)), { columns: true }) as Row[];
  const opsOf = (name: string) => rowsOf(name).map(({ op, op_key: key, op_former_key: former }) => [op, key, former]);

  /** Edits, adds and withdraws quotes at a moment, as a sync does. */
  const change = (at: string, edit: (documents: Document[]) => Document[]) => {
    const mirror = openWritableMirror(demo.db);
    const texts = mirror
      .column<string>("SELECT row FROM record WHERE kind = 'quote' AND withdrawn IS NULL ORDER BY key")
      .all();
    const documents = edit(texts.map((text) => JSON.parse(text)));
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf('quote'), { at });
      for (const document of documents) saver.save(document);
      withdrawMissing(mirror, kindOf('quote'), { seenNumbers: saver.seenNumbers, at });
      saver.finish();
      refreshIndexes(mirror);
    });
    mirror.close();
  };
  const [first, second, third] = ['2026-11-10', '2026-11-12', '2026-11-14'].map((day) => `${day}T06:00:00.000Z`) as [
    string,
    string,
    string,
  ];

  it('is everything, as added, the first time, and then what is not what it was', async () => {
    const firstExport = await last('quotes', 'parties');
    expect(firstExport.stderr).to.include('all rows, as added');
    expect(new Set(rowsOf('quotes').map(({ op }) => op))).to.deep.equal(new Set(['added']));
    const keys = rowsOf('quotes').map(({ id }) => id!);
    change(first, (quotes) => [
      { ...quotes[0]!, text: 'Un autre texte.' },
      ...quotes.slice(2),
      { ...quotes[1]!, id: 'q-neuf', text: 'Un texte tout neuf.' },
    ]);
    await last('quotes', 'parties');
    expect(opsOf('quotes')).to.deep.equal([
      ['added', 'q-neuf', ''],
      ['edited', keys[0], ''],
      ['withdrawn', keys[1], ''],
    ]);
    expect(rowsOf('quotes')[1]!.text).to.equal('Un autre texte.');
    expect(rowsOf('quotes')[2]!.id, 'what it said last').to.equal(keys[1]);
    expect(rowsOf('parties')).to.deep.equal([]);
    await last('quotes', 'parties');
    expect(rowsOf('quotes')).to.deep.equal([]);
    expect((await run('verify', demo.out)).exit).to.equal(0);
  });

  it('tells what returned, what has another key, and nothing of what went back to what it was', async () => {
    await last('quotes');
    const all = rowsOf('quotes').map(({ id }) => id!);
    change(first, (quotes) => quotes.slice(1));
    await last('quotes');
    expect(opsOf('quotes')).to.deep.equal([['withdrawn', all[0], '']]);
    const mirror = new Database(demo.db, { readonly: true });
    const withdrawnQuotes: Document[] = [
      JSON.parse(
        mirror.prepare("SELECT row FROM record WHERE kind = 'quote' AND key = ?").pluck().get(all[0]) as string,
      ),
    ];
    mirror.close();
    change(second, (quotes) => [
      ...withdrawnQuotes,
      { ...quotes[0]!, text: 'Pour un moment.' },
      ...quotes.slice(1, -1),
      { ...quotes.at(-1)!, id: 'q-autre-cle' },
    ]);
    change(third, (quotes) =>
      quotes.map((quote) =>
        quote.text === 'Pour un moment.' ? { ...quote, text: textBefore(demo.db, quote.id as string) } : quote,
      ),
    );
    await last('quotes');
    expect(opsOf('quotes')).to.deep.equal(
      [
        ['renamed', 'q-autre-cle', all.at(-1)],
        ['returned', all[0], ''],
      ].sort((a, b) => (a[1]! < b[1]! ? -1 : 1)),
    );
  });

  it('put onto the table before gives the table that there is, also for what is nested, in every format', async () => {
    const before = new Map<string, Map<string, string>>();
    const tables = ['quotes', 'record_sources'];
    const apply = async (read: (name: string) => Promise<Row[]>) => {
      for (const name of tables) {
        const rowsByKey = before.get(name) ?? new Map<string, string>();
        before.set(name, rowsByKey);
        for (const { op, op_key, op_former_key, ...row } of await read(name)) {
          if (op_former_key) rowsByKey.delete(op_former_key);
          if (op === 'withdrawn') rowsByKey.delete(op_key!);
          else rowsByKey.set(op_key!, JSON.stringify(Object.values(row).map((value) => `${value ?? ''}`)));
        }
      }
    };
    const csv = async (name: string) => rowsOf(name);
    const parquet = async (name: string) => {
      const instance = await DuckDBInstance.create();
      const connection = await instance.connect();
      const read = await connection.runAndReadAll(
        `SELECT COLUMNS(*)::VARCHAR FROM read_parquet('${join(demo.out, `${name}.parquet`)}')`,
      );
      return read.getRowObjectsJson() as Row[];
    };
    await last(...tables);
    await apply(csv);
    change(first, (quotes) => [
      { ...quotes[0]!, text: 'Un autre texte.', source_ids: [] },
      ...quotes.slice(3),
      { ...quotes[1]!, id: 'q-neuf', text: 'Neuf.' },
    ]);
    await last(...tables, '--format', 'parquet');
    await apply(parquet);
    await exported(...tables, '-o', `${join(demo.folder, 'whole')}/`);
    for (const name of tables) {
      const whole = rowsOf(name, join(demo.folder, 'whole'));
      const rowsByKey = before.get(name)!;
      expect(rowsByKey.size, name).to.equal(whole.length);
    }
    const texts = rowsOf('quotes', join(demo.folder, 'whole')).map((row) => JSON.stringify([row.id, row.text]));
    const quoteRows = [...before.get('quotes')!.values()].map((row) => JSON.parse(row) as string[]);
    for (const text of texts) {
      const [id, quoteText] = JSON.parse(text) as string[];
      expect(
        quoteRows.some((row) => row.includes(id!) && row.includes(quoteText!)),
        id,
      ).to.equal(true);
    }
  });

  it('since a moment goes to stdout, into a file and into SQLite too, and `last` goes on from there', async () => {
    change(first, (quotes) => [{ ...quotes[0]!, text: 'Un autre texte.' }, ...quotes.slice(1)]);
    const { stdout } = await exported('quotes', '--changed-since', '2026-11-05', '--format', 'ndjson');
    expect(JSON.parse(stdout)).to.include({ op: 'edited', text: 'Un autre texte.', op_former_key: null });
    const file = join(demo.folder, 'quotes.csv');
    const db = join(demo.folder, 'changes.db');
    await exported('quotes', '--changed-since', '2026-11-05', '-o', file);
    await exported('quotes', '--changed-since', '2026-11-05', '--sqlite', db);
    const database = new Database(db, { readonly: true });
    expect(database.prepare('SELECT op, text FROM quotes').raw().all()).to.deep.equal([['edited', 'Un autre texte.']]);
    database.close();
    change(second, (quotes) => quotes.slice(0, -1));
    await exported('quotes', '--changed-since', 'last', '-o', file);
    expect((parse(readFileSync(file), { columns: true }) as Row[]).map(({ op }) => op)).to.deep.equal(['withdrawn']);
    const refused = await run('quotes', '--changed-since', 'last');
    expect([refused.exit, refused.stderr]).to.deep.include(2);
    expect(refused.stderr).to.include('has no starting point');
    expect((await run('quotes', '--changed-since', 'soon')).exit).to.equal(2);
    expect((await run('quotes', '--changed-since', '7d', '--as-of', '2d')).exit).to.equal(2);
  });

  it('in the middle of a sync loses nothing of what that still brings', async () => {
    await last('quotes');
    const mirror = openWritableMirror(demo.db);
    const run = beginRun(mirror, 'https://service.example', first);
    const withText = (text: string, at: number) => (quotes: Document[]) =>
      quotes.map((quote, n) => (n === at ? { ...quote, text } : quote));
    change(second, withText('Le premier.', 0));
    await last('quotes');
    expect(rowsOf('quotes').map(({ text }) => text)).to.deep.equal(['Le premier.']);
    change(second, withText('Le second, du même instant.', 1));
    endRun(mirror, run, { at: second, exit: 0, report: '{}' });
    mirror.close();
    await last('quotes');
    expect(rowsOf('quotes').map(({ text }) => text)).to.include('Le second, du même instant.');
    await last('quotes');
    expect(rowsOf('quotes')).to.deep.equal([]);
  });

  it('takes the place of no whole export, nor the other way round', async () => {
    await exported('quotes', '-o', `${demo.out}/`);
    const whole = await run('quotes', '--changed-since', 'last', '-o', `${demo.out}/`);
    expect(whole.exit, whole.stderr).to.equal(10);
    expect(whole.stderr).to.include('it contains a full export');
    rmSync(demo.out, { recursive: true });
    await last('quotes');
    const changes = await run('quotes', '-o', `${demo.out}/`);
    expect(changes.exit).to.equal(10);
    expect(changes.stderr).to.include('it contains exports of changes');
  });

  it('as releases keeps each, and a table that is named later is whole then', async () => {
    demo.env.SOURCE_DATE_EPOCH = String(Date.parse('2026-11-10') / 1000);
    await last('quotes', '--releases');
    change(first, (quotes) => quotes.slice(1));
    demo.env.SOURCE_DATE_EPOCH = String(Date.parse('2026-11-11') / 1000);
    await last('quotes', 'parties', '--releases');
    expect(readdirSync(demo.out)).to.include.members(['2026-11-10', '2026-11-11', 'latest', 'releases.json']);
    expect(rowsOf('quotes', join(demo.out, 'latest')).map(({ op }) => op)).to.deep.equal(['withdrawn']);
    expect(rowsOf('parties', join(demo.out, 'latest')).length).to.be.greaterThan(3);
    expect(existsSync(join(demo.out, '2026-11-10', 'parties.csv'))).to.equal(false);
  });
});

function textBefore(db: string, key: string): string {
  const database = new Database(db, { readonly: true });
  const json = database
    .prepare(
      "SELECT json FROM version WHERE record = (SELECT id FROM record WHERE kind = 'quote' AND key = ?) ORDER BY rowid LIMIT 1",
    )
    .pluck()
    .get(key) as string;
  database.close();
  return JSON.parse(json).text;
}
