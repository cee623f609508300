import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { exportFolder } from '../../src/export/folder.ts';
import { createPart } from '../../src/export/part.ts';
import { exportSqlite } from '../../src/export/sqlite.ts';
import { allTables, exportTable, nameOfTable } from '../../src/export/tables.ts';
import { openMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

/** What each program is asked: rows of every table, the votes for, and how many promises name a politician. */
type Answer = { rows: Record<string, number>; votesFor: number; joined: number };

const names = allTables.map(nameOfTable);

describe('an export in the programs of others', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let csv: string;
  let facts: string;
  let wanted: Answer;
  before(async () => {
    demo = await createDemoMirror();
    const mirror = openMirror(demo.db);
    const citation = { name: 'Vitrine', siteUrl: 'https://vitrine.example' };
    const tables = allTables.map((table) => exportTable(mirror, table, { citation, filter: {} }));
    [csv, facts] = [join(demo.folder, 'csv'), join(demo.folder, 'facts.db')];
    const options = { ifChanged: false, maxShrink: 1 };
    await exportFolder(
      tables.map((table) => createPart(table, { format: 'csv', header: true })),
      csv,
      { ...options, created: '2026-03-01T06:00:00Z' },
    );
    const watching = { watch: undefined, signal: new AbortController().signal, created: '2026-03-01T06:00:00Z' };
    await exportSqlite(tables, facts, { ...options, ...watching });
    mirror.close();
    const database = new Database(facts, { readonly: true });
    const one = (sql: string) => database.prepare(sql).pluck().get() as number;
    wanted = {
      rows: Object.fromEntries(names.map((name) => [name, one(`SELECT count(*) FROM ${name}`)])),
      votesFor: one('SELECT sum(votes_for) FROM votes'),
      joined: one('SELECT count(*) FROM promises JOIN politicians ON politician = politicians.slug'),
    };
    database.close();
    expect(wanted.joined).to.be.greaterThan(0);
  });
  after(() => demo.remove());

  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: csv,
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    }).toString();
  const skipWithout = (context: Mocha.Context, program: string, ...args: string[]) => {
    if (spawnSync(program, args).status === 0) return;
    console.log(`    skipped: ${program} is not installed`);
    context.skip();
  };

  it('has the same counts, sums and joins in pandas, and days that are days', function () {
    skipWithout(this, '/usr/bin/python3', '-c', 'import pandas');
    const program = `
import json, pandas, sys
tables = {name: pandas.read_csv(name + '.csv', low_memory=False) for name in sys.argv[1:]}
people = tables['politicians']
assert str(pandas.to_datetime(people['birth_date']).dtype).startswith('datetime64')
assert str(tables['ballots']['scrutin_id'].dtype) == 'object'
assert not people['slug'].duplicated().any()
print(json.dumps({
  'rows': {name: len(table) for name, table in tables.items()},
  'votesFor': int(tables['votes']['votes_for'].sum()),
  'joined': len(tables['promises'].merge(people, left_on='politician', right_on='slug')),
}))`;
    expect(JSON.parse(run('/usr/bin/python3', '-c', program, ...names))).to.deep.equal(wanted);
  });

  it('has the same counts, sums and joins in R, with columns that need no quoting', function () {
    skipWithout(this, 'Rscript', '--version');
    const program = `
tables <- commandArgs(trailingOnly = TRUE)
read <- function(name) read.csv(paste0(name, ".csv"), encoding = "UTF-8", stringsAsFactors = FALSE)
all <- setNames(lapply(tables, read), tables)
stopifnot(is.integer(all$votes$votes_for), is.character(all$ballots$scrutin_id))
stopifnot(all(make.names(names(all$votes)) == names(all$votes)))
joined <- merge(all$promises, all$politicians, by.x = "politician", by.y = "slug")
cat(sapply(all, nrow), sum(all$votes$votes_for, na.rm = TRUE), nrow(joined))`;
    const figures = run('Rscript', '--vanilla', '-e', program, ...names)
      .trim()
      .split(/\s+/)
      .map(Number);
    expect(figures).to.deep.equal([...names.map((name) => wanted.rows[name]), wanted.votesFor, wanted.joined]);
  });

  it('has the same counts, sums and joins in Miller', function () {
    skipWithout(this, 'mlr', '--version');
    const rows = names.map((name) => [name, Number(run('mlr', '--icsv', '--onidx', 'count', `${name}.csv`))]);
    const sum = run('mlr', '--icsv', '--onidx', 'stats1', '-a', 'sum', '-f', 'votes_for', 'votes.csv');
    const join = ['join', '-j', 'politician', '-r', 'slug', '-f', 'promises.csv', 'then', 'count'];
    const joined = Number(run('mlr', '--icsv', '--onidx', ...join, 'politicians.csv'));
    expect({ rows: Object.fromEntries(rows), votesFor: Number(sum), joined }).to.deep.equal(wanted);
  });

  it('has in csvkit the same counts, and no fault', function () {
    skipWithout(this, 'csvstat', '--version');
    for (const name of ['politicians', 'votes', 'ballots']) {
      expect(run('csvstat', '--count', `${name}.csv`)).to.match(new RegExp(`\\b${wanted.rows[name]}\\b`));
      expect(run('csvclean', '--dry-run', `${name}.csv`), name).to.match(/No errors/);
    }
    expect(Number(run('csvstat', '--sum', '-c', 'votes_for', 'votes.csv').replaceAll(',', ''))).to.equal(
      wanted.votesFor,
    );
  });

  it('is found by sqlite-utils: tables, foreign keys, and the index of words', function () {
    skipWithout(this, 'sqlite-utils', '--version');
    const tables: { table: string; count: number }[] = JSON.parse(run('sqlite-utils', 'tables', facts, '--counts'));
    const counts = Object.fromEntries(tables.map(({ table, count }) => [table, count]));
    expect(Object.fromEntries(names.map((name) => [name, counts[name]]))).to.deep.equal(wanted.rows);
    const [foreign] = JSON.parse(
      run('sqlite-utils', 'query', facts, 'SELECT count(*) AS n FROM pragma_foreign_key_check'),
    );
    expect(foreign.n).to.equal(0);
  });
});
