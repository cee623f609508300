import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { HemicycleError } from '../../src/errors.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';

// Makes and fills a mirror with a fault at one write after the other, until none is left, and says what each time came of
// it. The disk fails as `preloaded-disk.c` is told by the environment, which is this process's own.
const folder = process.argv[2]!;
const at = '2026-11-01T00:00:00.000Z';
const input = join(folder, 'in');
mkdirSync(input);
writeFileSync(join(input, 'parties.ndjson'), '{"slug":"les-phares","name":"Les Phares"}\n');
const path = join(folder, 'disk/mirror.db');
const outcomes = new Set<string>();
let round = 0;

async function fill(): Promise<void> {
  const mirror = openWritableMirror(path);
  try {
    const [result] = await importFiles(mirror, findImportFiles(input), { at });
    if (result?.error) throw result.error;
  } finally {
    mirror.close();
  }
}

/** What the file is: `none`, or what SQLite says of it and how many records it holds. */
function state(): string {
  try {
    const database = new Database(path, { fileMustExist: true });
    const checked = database.pragma('integrity_check', { simple: true });
    const records = database.prepare('SELECT count(*) FROM record').pluck().get();
    database.close();
    return `${checked}, ${records}`;
  } catch (error) {
    return (error as { code: string }).code === 'SQLITE_CANTOPEN' ? 'none' : (error as Error).message;
  }
}

// Making it is some hundred writes, each of which is tried; of those that fill it one in five.
const manners = [
  ['ENOSPC', '1'],
  ['EIO', '0'],
] as const;
for (const [errno, lasts] of manners)
  for (let fault = 1; ; fault += fault < 150 ? 1 : 5) {
    rmSync(join(folder, 'disk'), { recursive: true, force: true });
    mkdirSync(join(folder, 'disk'));
    Object.assign(process.env, {
      FAULT_ROUND: String(++round),
      FAULT_ERRNO: errno,
      FAULT_LASTS: lasts,
      FAULT_AT: String(fault),
      FAULT_CALLS: '0',
    });
    let outcome = 'well';
    try {
      await fill();
    } catch (error) {
      const isTold = error instanceof HemicycleError && error.exit === 10 && error.message.includes(path);
      outcome = isTold ? 'told' : `not told: ${(error as Error).stack}`;
    }
    const isOver = Number(process.env.FAULT_CALLS) < fault;
    process.env.FAULT_AT = '';
    const before = state();
    let after: string;
    try {
      await fill();
      after = state();
    } catch (error) {
      after = (error as Error).message;
    }
    outcomes.add(`${outcome}; left ${before}; then ${after}`);
    if (isOver) break;
  }
process.stdout.write(`${JSON.stringify({ rounds: round, outcomes: [...outcomes].sort() })}\n`);
