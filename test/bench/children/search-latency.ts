import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { openMirror } from '../../../src/store/open.ts';
import { searchWords } from '../../helpers/search-words.ts';
import { report } from '../child.ts';
import { type generateNames, mostCopiedText } from '../generate.ts';

// Prints p50 and p95 wall time of searches in ms: for each word of the arguments, beside bm25 alone, and for names,
// a copied word and misspelt words.
const [path, namesPath, ...words] = process.argv.slice(2) as [string, string, ...string[]];
const roundCount = 100;
const uncountedRounds = 10;
const warmUpRounds = 200;
const maxGivenNameHits = 1000;

const people: ReturnType<typeof generateNames> = JSON.parse(readFileSync(namesPath, 'utf8'));
const personAt = (n: number) => people[(n * 61) % people.length]!;
const mirror = openMirror(path);
const figures: Record<string, number> = {};

const bm25 = mirror.database.prepare(
  `SELECT rowid, bm25(search) AS relevance FROM search WHERE search MATCH ? ORDER BY relevance LIMIT 20`,
);
const hitCount = mirror.database.prepare('SELECT count(*) FROM search WHERE search MATCH ?').pluck();
const boundedHitCount = mirror.database
  .prepare(`SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ${maxGivenNameHits + 1})`)
  .pluck();

// A generated name that is also a word of many texts would cost as much as that word.
const peopleWithRareNames = people.filter(
  ({ first_name }) => Number(boundedHitCount.get(`"${first_name.toLowerCase()}"`)) <= maxGivenNameHits,
);
const givenNameAt = (n: number) => peopleWithRareNames[(n * 61) % peopleWithRareNames.length]!.first_name;

// As in a running service: code is compiled, and pages of the file are cached.
for (let n = 0; n < warmUpRounds; n += 1) {
  for (const query of [words[n % words.length]!, personAt(n).first_name]) searchWords(mirror, { query, limit: 20 });
}

for (const word of words) {
  measure(word, () => searchWords(mirror, { query: word, limit: 20, types: ['content'] }));
  const bm25Ms: number[] = [];
  for (let n = 0; n < roundCount; n += 1) bm25Ms.push(wallMs(() => bm25.all(`"${word}"`)));
  figures[`${word} bm25 p50`] = percentile(bm25Ms, 0.5);
  figures[`${word} hits`] = hitCount.get(`"${word}"`) as number;
}
measure('full name', (n) => searchWords(mirror, { query: personAt(n).full_name, limit: 20 }));
measure('given name', (n) => searchWords(mirror, { query: givenNameAt(n), limit: 20 }));
const copiedWord = mostCopiedText.split(' ').at(-1)!;
measure('copied word', () => searchWords(mirror, { query: copiedWord, limit: 20, types: ['content'] }));
const titles = mirror.database
  .prepare("SELECT row ->> 'title' FROM record WHERE kind = 'content' ORDER BY id LIMIT 2000")
  .pluck()
  .all() as string[];
const misspeltWords = titles
  .flatMap((title) => title.split(' '))
  .filter((word) => word.length > 7)
  .map(misspelt);
measure('misspelt word', (n) =>
  searchWords(mirror, { query: misspeltWords[(n * 7) % misspeltWords.length]!, limit: 20 }),
);
mirror.close();
report(figures);

/** Adds p50 and p95 of a search to the figures; the first rounds are not counted. */
function measure(name: string, runSearch: (n: number) => unknown): void {
  const timesMs: number[] = [];
  for (let n = 0; n < uncountedRounds + roundCount; n += 1) {
    const ms = wallMs(() => runSearch(n));
    if (n >= uncountedRounds) timesMs.push(ms);
  }
  figures[`${name} p50`] = percentile(timesMs, 0.5);
  figures[`${name} p95`] = percentile(timesMs, 0.95);
}

/** The word with two letters in its middle swapped. */
function misspelt(word: string): string {
  const middle = word.length >> 1;
  return `${word.slice(0, middle)}${word[middle + 1]}${word[middle]}${word.slice(middle + 2)}`;
}

function percentile(timesMs: number[], share: number): number {
  return timesMs.toSorted((a, b) => a - b)[Math.floor(timesMs.length * share)]!;
}

function wallMs(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
