import { expect } from 'chai';
import { openPast } from '../../../src/store/history/past.ts';
import { openMirror, openWritableMirror } from '../../../src/store/open.ts';
import { documentedViews } from '../../../src/store/statements/documented-views.ts';
import { parametersIn, runStatement } from '../../../src/store/statements/statement.ts';
import { createDemoMirror, demoMoment, readDemoMirror } from '../../helpers/demo-mirror.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';
import { saveAll } from '../../server/demo-server.ts';

describe('a statement', () => {
  const demo = readDemoMirror();
  const run = (sql: string, values = {}, most = 100) => runStatement(demo.mirror, { sql, values }, most);
  const refused = (sql: string, values = {}) => {
    try {
      run(sql, values);
    } catch (error) {
      return error as Error & { hint: string | null; exit: number };
    }
    throw new Error(`not refused: ${sql}`);
  };

  it('reads every documented view, and every column of each', () => {
    for (const { name, columns } of documentedViews(demo.mirror)) {
      const { columns: columnNames } = run(`SELECT * FROM ${name} LIMIT 1`);
      expect(columnNames, name).to.deep.equal(columns.map((each) => each.name));
    }
  });

  it('joins the votes of groups to their ballots by the one key of a ballot', () => {
    const [row] = run(`SELECT count(*) AS n, count(DISTINCT ballot) AS ballots FROM votes JOIN ballots USING (ballot)`)
      .rows as { n: number; ballots: number }[];
    expect(row!.n).to.be.greaterThan(row!.ballots);
    expect(row!.ballots).to.be.greaterThan(0);
  });

  it('joins politicians to the official codes of their departments, however those are spelt, and knows none for others', () => {
    const { rows } = run('SELECT DISTINCT department, code, name FROM politicians JOIN departments USING (department)');
    expect(rows.length).to.be.greaterThan(1);
    // The departments of the demo are fictional.
    expect(rows.every(({ code, name }) => code === null && name === null)).to.equal(true);
    const own = createTemporaryMirror();
    saveAll(own.mirror, 'politician', [
      { slug: 'a', full_name: 'A', department: 'Alpes de Haute-Provence' },
      { slug: 'b', full_name: 'B', department: 'La Réunion' },
      { slug: 'c', full_name: 'C', department: 'Français établis hors de France' },
    ]);
    expect(
      runStatement(own.mirror, { sql: 'SELECT * FROM departments ORDER BY code', values: {} }, 9).rows,
    ).to.deep.equal([
      { department: 'Français établis hors de France', code: null, name: null },
      { department: 'Alpes de Haute-Provence', code: '04', name: 'Alpes-de-Haute-Provence' },
      { department: 'La Réunion', code: '974', name: 'La Réunion' },
    ]);
    own.remove();
  });

  it('reads whatever politicians state as their department: quotes, U+0000 and SQL are values', () => {
    const own = createTemporaryMirror();
    const stated = ["Val-d'Oise", 'Pays\0de Caux', "x'); DROP TABLE record; --", '\0', 'Ain', '', ' '];
    const people = stated.map((department, at) => ({ slug: `p${at}`, full_name: `P ${at}`, department }));
    saveAll(own.mirror, 'politician', people);
    const { rows } = runStatement(own.mirror, { sql: 'SELECT * FROM departments', values: {} }, 99);
    expect(rows.map(({ department }) => department)).to.have.members(stated);
    expect(rows.find(({ code }) => code === '01')).to.deep.include({ department: 'Ain' });
    const joinSql = 'SELECT slug FROM politicians JOIN departments USING (department)';
    expect(runStatement(own.mirror, { sql: joinSql, values: {} }, 99).rows).to.have.length(stated.length);
    own.remove();
  });

  it('reads a kind to which records add more fields than a view has columns, one called as a mark of the view', () => {
    const own = createTemporaryMirror();
    const fields = Array.from({ length: 2500 }, (_, at) => [`field_${at}`, at]);
    saveAll(own.mirror, 'politician', [
      { slug: 'a', full_name: 'A', _json: 'x', _last_seen: 'x', ...Object.fromEntries(fields) },
      { slug: 'b', full_name: 'B' },
    ]);
    for (const sql of ['SELECT * FROM politicians', 'SELECT * FROM parties'])
      expect(() => runStatement(own.mirror, { sql, values: {} }, 9), sql).to.not.throw();
    const { rows } = runStatement(own.mirror, { sql: 'SELECT slug, field_0 FROM politicians', values: {} }, 9);
    expect(rows).to.deep.equal([
      { slug: 'a', field_0: 0 },
      { slug: 'b', field_0: null },
    ]);
    own.remove();
  });

  it('gives every column a name of its own, and no value another one', () => {
    const { rows } = run(`SELECT 1 AS a, 2 AS a, 9007199254740993 AS b, x'00ff' AS c, 1e999 AS d, NULL AS e`);
    expect(rows).to.deep.equal([{ a: 1, a_2: 2, b: '9007199254740993', c: '00ff', d: 'Infinity', e: null }]);
  });

  it('is truncated after the most rows, and says so', () => {
    expect(run('SELECT slug FROM politicians', {}, 2)).to.deep.include({ isCut: true });
    expect(run('VALUES (1), (2)', {}, 2)).to.deep.include({ isCut: false });
  });

  it('takes named parameters, whole numbers as such', () => {
    expect(parametersIn('SELECT \':no\' -- :nor\n, ":this" /* :one */, :yes, @too, $three')).to.deep.equal([
      ...['yes', 'too', 'three'],
    ]);
    expect(run('SELECT typeof(:n) AS n, :t AS t', { n: 5, t: 'x' }).rows).to.deep.equal([{ n: 'integer', t: 'x' }]);
    expect(refused('SELECT :party').message).to.contain(':party has no value');
    expect(refused('SELECT :party', { party: 'x', patry: 'y' }).hint).to.contain('did you mean: party');
    expect(refused('SELECT ?').message).to.contain('? is not supported');
  });

  it('says what SQLite said, and what was meant', () => {
    const { message, hint, exit } = refused('SELECT * FROM politicans');
    expect(message).to.contain('no such table: politicans');
    expect(hint).to.contain('politicians');
    expect(exit).to.equal(2);
    expect(refused('SELECT full_nam FROM politicians').hint).to.contain('full_name');
    expect(refused('SELECT 1; SELECT 2').message).to.contain('more than one statement');
  });

  const foreign = [
    ...['record', 'version', 'withheld', 'withheld_record', 'journal', 'meta', 'failure', 'search', 'gone'],
    ...['main.record', '"record"', '[record]', 'temp.record', 'main.meta'],
    ...['sqlite_schema', 'main.sqlite_master', '"sqlite_schema"', 'temp.sqlite_temp_schema', 'dbstat'],
    ...["pragma_table_info('record')", 'pragma_database_list', "'pragma_database_list'"],
  ];
  for (const name of foreign)
    it(`reads nothing of ${name}`, () => {
      refused(`SELECT * FROM ${name}`);
      refused(`WITH x AS (SELECT * FROM ${name}) SELECT count(*) FROM x`);
      refused(`SELECT (SELECT count(*) FROM ${name})`);
    });

  for (const sql of [
    "ATTACH '/etc/passwd' AS x",
    'PRAGMA user_version',
    'DELETE FROM record',
    'WITH x AS (SELECT 1) DELETE FROM politicians RETURNING slug',
    'INSERT INTO parties SELECT * FROM parties RETURNING slug',
    "VACUUM INTO '/tmp/x'",
    'EXPLAIN SELECT 1',
    "SELECT load_extension('x')",
    "SELECT writefile('/tmp/x', 'y')",
    "SELECT readfile('/etc/passwd')",
    'BEGIN',
    '',
    '-- nothing',
    ';',
    `${'('.repeat(5000)}SELECT 1`,
    `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`,
  ])
    it(`does not run ${sql.slice(0, 60)}`, () => {
      expect(refused(sql).message).to.match(/^[^\n]+$/);
    });

  it('lets a name of its own stand for a private table', () => {
    expect(run('WITH record AS (SELECT 1 AS a) SELECT * FROM record').rows).to.deep.equal([{ a: 1 }]);
  });

  it('sees what was saved since, and of the past what was held then', async () => {
    const own = await createDemoMirror();
    const reader = openMirror(own.db);
    const writer = openWritableMirror(own.db);
    const count = (mirror: typeof reader) =>
      runStatement(
        mirror,
        {
          sql: 'SELECT (SELECT count(*) FROM politicians) AS p, (SELECT count(*) FROM party_members) AS m',
          values: {},
        },
        1,
      ).rows[0] as { p: number; m: number };
    const before = count(reader);
    writer.database.exec("UPDATE record SET withdrawn = '2026-11-02T00:00:00.000Z' WHERE kind = 'politician'");
    const after = count(reader);
    expect(before.p).to.be.greaterThan(0);
    expect(after).to.deep.include({ p: 0 });
    expect(after.m).to.be.at.most(before.m);
    const past = openPast(own.db, demoMoment);
    expect(count(past)).to.deep.equal(before);
    for (const each of [past, reader, writer]) each.close();
    own.remove();
  });
});
