import { performance } from 'node:perf_hooks';
import { kindOf } from '../../../src/model/kinds.ts';
import { readChangePage } from '../../../src/store/history/changes.ts';
import { openMirror, openWritableMirror } from '../../../src/store/open.ts';
import { report } from '../child.ts';

// Adds versions to a mirror, then prints the p95 wall time of each query of changes, in ms.
const [path, versionCount] = process.argv.slice(2) as [string, string];

// Each record gets one version per day; the current one was first seen on the last day.
const writable = openWritableMirror(path);
const recordCount = writable.column<number>('SELECT count(*) FROM record').get()!;
const dayCount = Math.ceil(Number(versionCount) / recordCount);
const dateOf = (day: number) => new Date(Date.UTC(2024, 0, 1) + day * 86_400_000).toISOString();
const addVersions = writable.database.prepare(
  `INSERT INTO version SELECT id, 'row', json_set(row, '$.title', ?), hash || ?, ?, ?, 'edited' FROM record`,
);
writable.database.transaction(() => {
  for (let day = 0; day < dayCount; day += 1) addVersions.run(`Edition ${day}`, day, dateOf(day), dateOf(day + 1));
  writable.database.prepare('UPDATE record SET first_seen = ?, last_changed = ?').run(dateOf(0), dateOf(dayCount));
})();
writable.close();

const filters = {
  'of all days': { since: dateOf(0) },
  'of all days, one kind': { since: dateOf(0), kinds: [kindOf('content')] },
  'of the last day': { since: dateOf(dayCount) },
};
const mirror = openMirror(path);
const figures: Record<string, number> = {
  versions: mirror.column<number>('SELECT count(*) FROM version').get()!,
};
for (const [name, filter] of Object.entries(filters)) {
  const timesMs = Array.from({ length: 20 }, () => {
    const startedAt = performance.now();
    readChangePage(mirror, { ...filter, limit: 100 });
    return performance.now() - startedAt;
  });
  figures[name] = timesMs.sort((a, b) => a - b)[Math.floor(timesMs.length * 0.95)]!;
}
mirror.close();
report(figures);
