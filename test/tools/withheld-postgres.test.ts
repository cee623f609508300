import { expect } from 'chai';
import type pg from 'pg';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../helpers/postgres-server.ts';
import { runProgram } from '../helpers/program.ts';

const person = 'oceane-bruyevre';

(hasPostgres() ? describe : describe.skip)('withheld records in PostgreSQL', function () {
  this.timeout(300_000);
  const demo = demoMirrorForEach();
  let server: RunningPostgres;
  let client: pg.Client;
  before(async () => {
    server = await startPostgres();
    client = await server.connect();
  });
  after(async () => {
    await client.end();
    await server.stop();
  });

  const run = (...argv: string[]) => runProgram(argv, { env: { ...demo.env, PGPASSWORD: server.password } });
  const write = () => run('export', '--all', '--postgres', server.url, '--schema', 'vitrine');
  const check = async () => {
    const { stdout, exit } = await run('withhold', '--check', '--json');
    return { exit, copies: JSON.parse(stdout).copies };
  };
  /** Rows of all tables and statistics that hold the text. */
  async function holding(text: string): Promise<string[]> {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'vitrine'::regnamespace AND relkind = 'r'",
    );
    const held: string[] = [];
    for (const { name } of tables) {
      const sql = `SELECT 1 FROM vitrine.${name} AS each WHERE strpos(each::text, $1) > 0`;
      if ((await client.query(sql, [text])).rowCount! > 0) held.push(name);
    }
    const stats = await client.query(
      "SELECT tablename AS name FROM pg_stats WHERE schemaname = 'vitrine' AND strpos(pg_stats::text, $1) > 0",
      [text],
    );
    return [...held, ...stats.rows.map(({ name }) => `statistics of ${name}`)];
  }

  it('are deleted first, also by a run that then fails, and named by the check until then', async () => {
    expect(await write()).to.include({ exit: 0 });
    await run('withhold', 'politician', person, '--reason', 'objection');
    const { exit, copies } = await check();
    expect([exit, copies[0].state, copies[0].kind]).to.deep.equal([12, 'holds', 'postgres']);
    expect(copies[0].copy).not.to.include(server.password);
    expect(await holding(person)).not.to.deep.equal([]);
    // A table of somebody else stands where one of ours would.
    await client.query('DROP TABLE vitrine.audit CASCADE; CREATE TABLE vitrine.audit (mine text)');
    const failed = await write();
    expect([failed.exit, failed.stderr]).to.satisfy(([code]: [number]) => code === 10);
    expect(await holding(person)).to.deep.equal([]);
    expect(await check()).to.deep.include({ exit: 0 });
    await client.query('DROP TABLE vitrine.audit');
    const again = await write();
    expect([again.exit, again.stderr]).to.satisfy(([code]: [number]) => code === 0);
    expect(await holding(person)).to.deep.equal([]);
    const { rows } = await client.query('SELECT count(*)::int AS count FROM vitrine.politicians');
    expect(rows[0].count).to.be.greaterThan(5);
  });
});
