import { performance } from 'node:perf_hooks';
import { openMirror } from '../../../src/store/open.ts';
import { search } from '../../../src/store/search.ts';
import { report } from '../child.ts';

const [path, ...queries] = process.argv.slice(2) as [string, ...string[]];
const mirror = openMirror(path);
const raw = mirror.database.prepare(
  `SELECT rowid, bm25(search) AS relevance FROM search WHERE search MATCH ? ORDER BY relevance LIMIT 20`,
);
const figures: Record<string, number> = {};
for (const query of queries) {
  const ours: number[] = [];
  const peer: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    ours.push(timed(() => search(mirror, { query, limit: 20, types: ['content'] })));
    peer.push(timed(() => raw.all(`"${query}"`)));
  }
  const at = (list: number[], share: number) => list.sort((a, b) => a - b)[Math.floor(list.length * share)]!;
  figures[`${query} p50`] = at(ours, 0.5);
  figures[`${query} p95`] = at(ours, 0.95);
  figures[`${query} raw`] = at(peer, 0.5);
  figures[`${query} hits`] = mirror.database
    .prepare('SELECT count(*) FROM search WHERE search MATCH ?')
    .pluck()
    .get(`"${query}"`) as number;
}
mirror.close();
report(figures);

function timed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}
