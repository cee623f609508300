import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { expect } from 'chai';
import { RefusedRequestError } from '../../src/server/problem.ts';
import { ReaderPool } from '../../src/server/reader-pool.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { createRandom, isLong, type Random, seedOf } from '../helpers/random.ts';
import { startDemoServer } from '../server/demo-server.ts';

/** The built one, which starts soon: each statement without end costs a process. */
const program = new URL('../../dist/server/run/reader.js', import.meta.url).pathname;

/** Parts of hostile statements; % is a number by chance, and @ another part. */
const parts = [
  'SELECT * FROM record',
  "SELECT * FROM json_tree('[[%]]')",
  "SELECT load_extension('/lib/x%.so')",
  "SELECT writefile('/tmp/hostile-%', 'x')",
  "SELECT readfile('/etc/passwd')",
  "ATTACH '/tmp/hostile-%' AS x",
  "VACUUM INTO '/tmp/hostile-%'",
  'PRAGMA journal_mode = DELETE',
  'PRAGMA query_only = OFF',
  'DELETE FROM record WHERE id > %',
  'DROP VIEW politicians',
  'CREATE TEMP TABLE x AS SELECT 1',
  'SELECT randomblob(%000)',
  "SELECT printf('%.*c', %00000, 'x')",
  "SELECT count(*) FROM politicians WHERE full_name LIKE '%a%e%i%o%u%_%'",
  'SELECT (@)',
  'SELECT * FROM (@)',
  'WITH x AS (@) SELECT * FROM x',
  '@ UNION ALL @',
  '@; @',
  '/* @ */ @',
  '-- %\n@',
  "SELECT '@",
  'SELECT "\u0000@"',
  'SELECT * FROM sqlite_schema',
  'SELECT * FROM pragma_function_list LIMIT %',
  `SELECT json('${'['.repeat(300)}')`,
  'VALUES (%, :a, @a, ?%)',
];

/** Statements without end, or of much memory, which cost a process each. */
const endless = [
  'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + % FROM c) SELECT count(*) FROM c',
  'SELECT count(*) FROM politicians a, politicians b, politicians c, politicians d, politicians e, politicians f',
  'SELECT zeroblob(%00000000)',
  "SELECT hex(zeroblob(%000000)) || printf('%.*c', %000000, 'x')",
];

function hostile(random: Random, depth = 0): string {
  return random
    .pick(depth === 0 && random.isOneIn(400) ? endless : parts)
    .replace(/@/g, () => (depth < 3 ? hostile(random, depth + 1) : 'SELECT 1'))
    .replace(/%/g, () => String(random.integer(1000)));
}

/** What a statement could have written. */
const stateOf = (file: string, folder: string) => [
  createHash('sha256').update(readFileSync(file)).digest('hex'),
  readdirSync(folder).join(),
  readdirSync('/tmp').filter((name) => name.startsWith('hostile-')),
];

/** A line of a file that no statement may show. */
const [outside = ''] = readFileSync('/etc/passwd', 'utf8').split('\n');

describe('hostile statements', () => {
  it('write nothing, and each ends with rows or with one sentence', async function () {
    this.timeout(isLong ? 0 : 300_000);
    const demo = await createDemoMirror();
    const random = createRandom(seedOf('STATEMENT_SEED'));
    const pool = new ReaderPool({
      ...{ program, mirrorPath: demo.db, edition: () => 0, readers: 2, readersPerCaller: 2 },
      readMs: 5000,
      readWallMs: 60_000,
    });
    const state = () => stateOf(demo.db, demo.folder);
    const before = state();
    let cut = 0;
    const count = isLong ? 10_000 : 300;
    try {
      for (let at = 0; at < count; at += 1) {
        const statement = hostile(random);
        const readRequest = {
          question: 'sql',
          values: { statement, param: {}, limit: 1000 },
          reading: { searchesByMeaning: false, asOf: null },
        };
        const isWithinLimits = await pool.read(readRequest, { key: 'a' }).then(
          ({ text }) => JSON.parse(text).items.length <= 1000 && !text.includes(outside),
          (error) => {
            cut += Number(error.status === 503);
            return error instanceof RefusedRequestError && error.status !== 500 && error.message.length > 10;
          },
        );
        expect(isWithinLimits, `seed ${random.seed}, statement ${at}: ${statement}`).to.equal(true);
      }
    } finally {
      await pool.close();
    }
    console.log(`      ${count} statements, ${cut} of them cut for time or memory`);
    // The others came to SQLite.
    expect(cut).to.be.below(count / 50);
    expect(state()).to.deep.equal(before);
    demo.remove();
  });

  it('of the page for free SQL hold up no other caller', async function () {
    this.timeout(isLong ? 0 : 300_000);
    const demo = await createDemoMirror();
    const file = join(demo.folder, 'facts.db');
    const env = { HOME: demo.folder, HEMICYCLE_DB: demo.db };
    const exported = await runProgram(['export', 'politicians', 'votes', '--sqlite', file], { env });
    expect(exported.exit, exported.stderr).to.equal(0);
    const server = await startDemoServer({
      db: demo.db,
      readerProgram: program,
      bounds: { readMs: 3000 },
      settings: { sqlFile: file, trustedProxies: ['127.0.0.1'] },
    });
    const random = createRandom(seedOf('STATEMENT_SEED'));
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const before = stateOf(file, demo.folder);
    let remaining = isLong ? 2000 : 100;
    const statusCounts = new Map<number, number>();
    const attack = async () => {
      while (remaining-- > 0) {
        const large = 'SELECT a.*, b.* FROM votes a, votes b, votes c';
        const sql = random.isOneIn(50) ? random.pick([endless[0]!.replace('%', '1'), large]) : hostile(random);
        const path = `/sql.json?sql=${encodeURIComponent(sql)}`;
        const response = await server.get(path, from('203.0.113.9'));
        const text = await response.text();
        expect(response.status, sql).to.be.oneOf([200, 414, 422, 503]);
        statusCounts.set(response.status, (statusCounts.get(response.status) ?? 0) + 1);
        expect(text.includes(outside), sql).to.equal(false);
      }
    };
    let tookMs: number[] = [];
    const ask = async () => {
      const startedAtMs = performance.now();
      const path = `/api/v1/politicians?limit=5&q=${'abcdefghij'[tookMs.length % 10]}`;
      const response = await server.get(path, from('198.51.100.7'));
      expect(response.status).to.equal(200);
      await response.text();
      tookMs.push(performance.now() - startedAtMs);
    };
    // One comes every ten milliseconds, whether those before are answered or not.
    const comeAndGo = async (name: string, isOver: () => boolean) => {
      tookMs = [];
      const pendingRequests: Promise<void>[] = [];
      for await (const _ of setInterval(10)) {
        pendingRequests.push(ask());
        if (isOver()) break;
      }
      await Promise.all(pendingRequests);
      tookMs.sort((one, other) => one - other);
      const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => tookMs[Math.floor(tookMs.length * share)]);
      console.log(
        `      another caller, ${name}: ${tookMs.length} answers, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      );
    };
    await comeAndGo('alone', () => tookMs.length >= 200);
    await Promise.all([attack(), attack(), attack(), attack(), comeAndGo('beside', () => remaining <= 0)]);
    console.log(`      statuses of statements: ${[...statusCounts].map((each) => each.join(' × ')).join(', ')}`);
    expect(stateOf(file, demo.folder)).to.deep.equal(before);
    expect(server.failures).to.deep.equal([]);
    await server.close();
    demo.remove();
  });
});
