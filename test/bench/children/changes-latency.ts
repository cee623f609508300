import { performance } from 'node:perf_hooks';
import { kindOf } from '../../../src/model/kinds.ts';
import { readChangePage } from '../../../src/store/history/changes.ts';
import { openMirror, openWritableMirror } from '../../../src/store/open.ts';
import { report } from '../child.ts';

const [path, wanted] = process.argv.slice(2) as [string, string];

// Every record said something else every day, the newest of which this mirror saw on the last of them.
const writable = openWritableMirror(path);
const records = writable.column<number>('SELECT count(*) FROM record').get()!;
const days = Math.ceil(Number(wanted) / records);
const dayOf = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 86_400_000).toISOString();
const add = writable.database.prepare(
  `INSERT INTO version SELECT id, 'row', json_set(row, '$.title', ?), hash || ?, ?, ?, 'edited' FROM record`,
);
writable.database.transaction(() => {
  for (let n = 0; n < days; n += 1) add.run(`Edition ${n}`, n, dayOf(n), dayOf(n + 1));
  writable.database.prepare('UPDATE record SET first_seen = ?, last_changed = ?').run(dayOf(0), dayOf(days));
})();
writable.close();

const mirror = openMirror(path);
const versions = mirror.column<number>('SELECT count(*) FROM version').get()!;
const figures: Record<string, number> = { versions };
const content = [kindOf('content')];
for (const [name, filter] of Object.entries({
  'the newest': { since: dayOf(0) },
  'the newest of one kind': { since: dayOf(0), kinds: content },
  'of the last day': { since: dayOf(days) },
})) {
  const times = Array.from({ length: 20 }, () => {
    const begin = performance.now();
    readChangePage(mirror, { ...filter, limit: 100 });
    return performance.now() - begin;
  });
  figures[name] = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
}
mirror.close();
report(figures);
