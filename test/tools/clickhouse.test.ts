import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { documentsIn } from '../../src/model/document.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

/** ClickHouse in process, which is too large to be installed for this alone: `npm install --prefix FOLDER chdb@3.4.0`, CHDB=FOLDER. */
function chdbIn(folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve('chdb');
  } catch {
    return null;
  }
}

/** Runs statements of SQL in a ClickHouse of its own, in a process of its own; rows of the last, each as a list. */
function ask(chdb: string, folder: string, statements: string[]): unknown[][] {
  const program = join(folder, 'ask.cjs');
  writeFileSync(
    program,
    `const { Session } = require(${JSON.stringify(chdb)});
    const session = new Session(${JSON.stringify(join(folder, 'clickhouse'))});
    let said = '';
    for (const each of ${JSON.stringify(statements)}) said = session.query(each, 'JSONCompactEachRow');
    process.stdout.write(said);`,
  );
  const said = execFileSync(process.execPath, [program], { maxBuffer: 2 ** 26 }).toString();
  return said
    .trim()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

describe('an export in parts, in ClickHouse', () => {
  it('is read by the views of the guide: rows, sums, joins, and every moment', async function () {
    const chdb = chdbIn(process.env.CHDB ?? '.');
    if (chdb === null) {
      console.log('    skipped: chdb is not installed (CHDB=FOLDER says where)');
      this.skip();
    }
    this.timeout(120_000);
    const demo = await createDemoMirror();
    const parts = join(demo.folder, 'parts');
    const exported = async (...argv: string[]) => {
      const { exit, stdout, stderr } = await runProgram(['export', '--all', '--db', demo.db, ...argv]);
      expect(exit, stderr).to.equal(0);
      return stdout;
    };
    await exported('--partition', '-o', parts);
    const tables = documentsIn(JSON.parse(readFileSync(join(parts, 'partitions.json'), 'utf8')).resources);
    const views = tables.map(
      ({ name }) =>
        `CREATE VIEW desk.${name} AS SELECT * FROM file('${parts}/${name}/**/*.parquet', Parquet)`,
    );
    const counted = tables.map(
      ({ name }) => `SELECT '${name}' AS name, toInt32(count()) AS n FROM desk.${name}`,
    );
    const counts = ask(chdb, demo.folder, ['CREATE DATABASE desk', ...views, counted.join(' UNION ALL ')]);
    expect(Object.fromEntries(counts)).to.deep.equal(
      Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    );
    const one = (sql: string) => Number(ask(chdb, demo.folder, [sql])[0]![0]);
    const lines = (await runProgram(['export', 'votes', '--json', '--db', demo.db])).stdout
      .trim()
      .split('\n');
    const votesFor = lines.reduce((sum, line) => sum + Number(JSON.parse(line).votes_for), 0);
    expect(one('SELECT toInt32(sum(votes_for)) FROM desk.votes')).to.equal(votesFor);
    expect(
      one('SELECT toInt32(count()) FROM desk.votes JOIN desk.ballots USING (chamber, scrutin_id)'),
    ).to.equal(lines.length);
    expect(one('SELECT toInt32(count()) FROM desk.ballots WHERE toYear(date) = 2026')).to.be.greaterThan(0);
    expect(
      one('SELECT toInt32(count()) FROM desk.votes_history WHERE valid_from <= now() AND valid_to IS NULL'),
    ).to.equal(lines.length);
    demo.remove();
  });
});
