import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { openMirror } from '../../../src/store/open.ts';
import { searchWords } from '../../helpers/search-words.ts';
import { report } from '../child.ts';
import { type generateNames, mostCopied } from '../generate.ts';

const [path, names, ...words] = process.argv.slice(2) as [string, string, ...string[]];
const rounds = 100;
const first = 10;
const before = 200;

const people: ReturnType<typeof generateNames> = JSON.parse(readFileSync(names, 'utf8'));
const mirror = openMirror(path);
const raw = mirror.database.prepare(
  `SELECT rowid, bm25(search) AS relevance FROM search WHERE search MATCH ? ORDER BY relevance LIMIT 20`,
);
const figures: Record<string, number> = {};
const someone = (n: number) => people[(n * 61) % people.length]!;
const matchCount = mirror.database
  .prepare('SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT 1001)')
  .pluck();
// An invented name may also be a word of many texts, which takes what such a word takes.
const rarely = people.filter(({ first_name }) => Number(matchCount.get(`"${first_name.toLowerCase()}"`)) <= 1000);
const givenName = (n: number) => rarely[(n * 61) % rarely.length]!.first_name;
// A service that answers has answered before: its code is compiled, and what it asks of the file is in memory.
for (let n = 0; n < before; n += 1)
  for (const query of [words[n % words.length]!, someone(n).first_name]) searchWords(mirror, { query, limit: 20 });
for (const query of words) {
  measure(query, () => searchWords(mirror, { query, limit: 20, types: ['content'] }));
  const peer: number[] = [];
  for (let n = 0; n < rounds; n += 1) peer.push(timed(() => raw.all(`"${query}"`)));
  figures[`${query} raw`] = at(peer, 0.5);
  figures[`${query} hits`] = mirror.database
    .prepare('SELECT count(*) FROM search WHERE search MATCH ?')
    .pluck()
    .get(`"${query}"`) as number;
}
measure('name', (n) => searchWords(mirror, { query: someone(n).full_name, limit: 20 }));
measure('given name', (n) => searchWords(mirror, { query: givenName(n), limit: 20 }));
const copied = mostCopied.split(' ').at(-1)!;
measure('copied', () => searchWords(mirror, { query: copied, limit: 20, types: ['content'] }));
const long = mirror.database
  .prepare("SELECT row ->> 'title' FROM record WHERE kind = 'content' ORDER BY id LIMIT 2000")
  .pluck()
  .all() as string[];
const slips = long.flatMap((title) => title.split(' ').filter((word) => word.length > 7)).map(misspelt);
measure('typo', (n) => searchWords(mirror, { query: slips[(n * 7) % slips.length]!, limit: 20 }));
mirror.close();
report(figures);

/** The p50 and p95 of a search, after some that are not counted. */
function measure(name: string, work: (n: number) => unknown): void {
  const times: number[] = [];
  for (let n = -first; n < rounds; n += 1) {
    const ms = timed(() => work(n + first));
    if (n >= 0) times.push(ms);
  }
  figures[`${name} p50`] = at(times, 0.5);
  figures[`${name} p95`] = at(times, 0.95);
}

/** The word with two neighbours in its middle swapped. */
function misspelt(word: string): string {
  const middle = word.length >> 1;
  return `${word.slice(0, middle)}${word[middle + 1]}${word[middle]}${word.slice(middle + 2)}`;
}

function at(times: number[], share: number): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length * share)]!;
}

function timed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}
