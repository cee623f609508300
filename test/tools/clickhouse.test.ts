import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTable } from '../../src/export/lake/delta-log.ts';
import { createFileReader } from '../../src/export/lake/storage.ts';
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
    let answerText = '';
    for (const each of ${JSON.stringify(statements)}) answerText = session.query(each, 'JSONCompactEachRow');
    process.stdout.write(answerText);`,
  );
  const output = execFileSync(process.execPath, [program], { cwd: folder, maxBuffer: 2 ** 26 }).toString();
  return output
    .trim()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

describe('a lake, in ClickHouse', () => {
  it('is read by its tables and partitions: rows, sums, joins, and every moment', async function () {
    const chdb = chdbIn(process.env.CHDB ?? '.');
    if (chdb === null) {
      console.log('    skipped: chdb is not installed (CHDB=FOLDER says where)');
      this.skip();
    }
    const demo = await createDemoMirror();
    const lake = join(demo.folder, 'lake');
    const exported = async (...argv: string[]) => {
      const { exit, stdout, stderr } = await runProgram(['export', ...argv, '--db', demo.db]);
      expect(exit, stderr).to.equal(0);
      return stdout;
    };
    await exported('--all', '--lake', lake);
    // What moves is a lake still: its paths are relative.
    const moved = join(demo.folder, 'moved');
    renameSync(lake, moved);
    const { tables } = JSON.parse(readFileSync(join(moved, 'versions.json'), 'utf8'));
    const files = createFileReader(moved);
    const paths = [...(await files.list()).keys()];
    const from = (name: string) => `deltaLakeLocal('${moved}/${name}')`;
    const names = Object.keys(tables);
    const counts = ask(chdb, demo.folder, [
      names.map((name) => `SELECT '${name}' AS name, toInt32(count()) AS n FROM ${from(name)}`).join(' UNION ALL '),
    ]);
    const rows = await Promise.all(
      names.map(async (name) => {
        const state = await readTable(files, name, paths);
        return [name, [...state.files.values()].reduce((sum, file) => sum + file.rows, 0)];
      }),
    );
    expect(Object.fromEntries(counts)).to.deep.equal(Object.fromEntries(rows));
    const one = (sql: string) => Number(ask(chdb, demo.folder, [sql])[0]![0]);
    const lines = (await exported('votes', '--json')).trim().split('\n');
    const votesFor = lines.reduce((sum, line) => sum + Number(JSON.parse(line).votes_for), 0);
    expect(one(`SELECT toInt32(sum(votes_for)) FROM ${from('votes')}`)).to.equal(votesFor);
    expect(
      one(`SELECT toInt32(count()) FROM ${from('votes')} v JOIN ${from('ballots')} b USING (chamber, scrutin_id)`),
    ).to.equal(lines.length);
    expect(one(`SELECT toInt32(count()) FROM ${from('ballots')} WHERE chamber = 'AN'`)).to.be.greaterThan(0);
    expect(
      one(`SELECT toInt32(count()) FROM ${from('ballots')} WHERE year = 2026 AND toYear(date) = 2026`),
    ).to.be.greaterThan(0);
    expect(
      one(`SELECT toInt32(count()) FROM ${from('votes_history')} WHERE toYear(valid_from) = 2026 AND valid_to IS NULL`),
    ).to.equal(lines.length);
    demo.remove();
  });
});
