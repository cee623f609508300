import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { RefusedRequestError } from '../../src/server/problem.ts';
import { ReaderPool } from '../../src/server/reader-pool.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { createRandom, isLong, type Random, seedOf } from '../helpers/random.ts';

const program = new URL('../../src/server/run/reader.ts', import.meta.url).pathname;

/** Parts of hostile statements; % is a number by chance, and @ another part. */
const parts = [
  'SELECT * FROM record',
  "SELECT * FROM json_tree('[[%]]')",
  "SELECT load_extension('/lib/x%.so')",
  "SELECT writefile('/tmp/hostile-%', 'x')",
  "ATTACH '/tmp/hostile-%' AS x",
  "VACUUM INTO '/tmp/hostile-%'",
  'PRAGMA journal_mode = DELETE',
  'PRAGMA query_only = OFF',
  'DELETE FROM record WHERE id > %',
  'DROP VIEW politicians',
  'CREATE TEMP TABLE x AS SELECT 1',
  'SELECT randomblob(%000)',
  'SELECT zeroblob(%00000000)',
  "SELECT printf('%.*c', %00000, 'x')",
  "SELECT count(*) FROM politicians WHERE full_name LIKE '%a%e%i%o%u%_%'",
  'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + % FROM c) SELECT count(*) FROM c',
  'SELECT count(*) FROM history a, history b, history c, history d',
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

function hostile(random: Random, depth = 0): string {
  return random
    .pick(parts)
    .replace(/@/g, () => (depth < 3 ? hostile(random, depth + 1) : 'SELECT 1'))
    .replace(/%/g, () => String(random.integer(1000)));
}

describe('hostile statements', () => {
  it('write nothing, and each ends with rows or with one sentence', async function () {
    this.timeout(0);
    const demo = await createDemoMirror();
    const random = createRandom(seedOf('STATEMENT_SEED'));
    const pool = new ReaderPool({
      ...{ program, mirrorPath: demo.db, edition: () => 0, most: 2, mostOfOne: 2 },
      limitMs: 1000,
    });
    const state = () => [
      createHash('sha256').update(readFileSync(demo.db)).digest('hex'),
      readdirSync(demo.folder).join(),
      readdirSync('/tmp').filter((name) => name.startsWith('hostile-')),
    ];
    const before = state();
    try {
      for (let at = 0; at < (isLong ? 10_000 : 60); at += 1) {
        const statement = hostile(random);
        const asked = {
          question: 'sql',
          values: { statement, param: {}, limit: 1000 },
          reading: { searchesByMeaning: false, asOf: null },
        };
        const told = await pool.read(asked, { key: 'a' }).then(
          ({ text }) => JSON.parse(text).items.length <= 1000,
          (error) =>
            error instanceof RefusedRequestError && error.status !== 500 && error.message.length > 10,
        );
        expect(told, `seed ${random.seed}, statement ${at}: ${statement}`).to.equal(true);
      }
    } finally {
      await pool.close();
    }
    expect(state()).to.deep.equal(before);
    demo.remove();
  });
});
