import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { proseTokens } from '../../../src/language/prose.ts';
import { runChild } from '../child.ts';
import { generateNames } from '../generate.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import type { Row, Trial } from '../trial.ts';

/** Words by the number of records that contain them, with the limit of p95; null where there is no limit. */
const wordClasses: { name: string; recordCount: number; limitMs: number | null }[] = [
  { name: 'rare word', recordCount: 50, limitMs: 1 },
  { name: 'medium word', recordCount: 2000, limitMs: null },
  { name: 'common word', recordCount: 40_000, limitMs: 25 },
  { name: 'very common word', recordCount: 400_000, limitMs: 25 },
];

/** Other queries, by their name in the figures of `search-latency`, with the limit of p95. */
const otherQueries = [
  { figure: 'full name', name: 'full name', limitMs: 5 },
  { figure: 'given name', name: 'given name', limitMs: 5 },
  { figure: 'misspelt word', name: 'misspelt word', limitMs: 60 },
  { figure: 'copied word', name: 'word of the most frequent text', limitMs: 25 },
];

/**
 * Wall time of searches with 20 snippets over a million generated records, in a process that has answered 400 searches,
 * against limits and beside bm25 alone over the same index.
 */
export const searchMillion: Trial = {
  name: 'search-million',
  async run({ millionRecords, folder }) {
    const { mirror } = await millionRecords();
    const words = representativeWords(mirror);
    const namesPath = join(folder, 'names.json');
    writeFileSync(namesPath, JSON.stringify(generateNames(2000)));
    const childArguments = [mirror, namesPath, ...words.map(({ word }) => word)];
    const { figures, rssMb } = await runChild('search-latency', childArguments);
    const row = (query: string, figure: string, limitMs: number | null, peer: string | null): Row => {
      const limit = limitMs === null ? null : limitOf(limitMs);
      const p50 = figures[`${figure} p50`]!;
      const p95 = figures[`${figure} p95`]!;
      return {
        name: `search, ${query}, a million records`,
        result: `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
        reference: [limit && `p95 ${limit.reference}`, peer].filter(Boolean).join('; '),
        ratio: limit?.ratioOf(p95) ?? null,
        requiredRatio: limit && { atMost: 1 },
        rssMb,
      };
    };
    const wordRows = words.map(({ name, word, limitMs }) => {
      const hits = figures[`${word} hits`];
      const bm25Ms = figures[`${word} bm25 p50`]!;
      return row(`${name} (${hits} hits)`, word, limitMs, `bm25 alone p50 ${bm25Ms.toFixed(2)} ms`);
    });
    const otherRows = otherQueries.map(({ figure, name, limitMs }) => row(name, figure, limitMs, null));
    return [...wordRows, ...otherRows];
  },
};

/** The most that the median search may take: that many times the processor time of FTS5 alone with the same words. */
const maxTimesFts5 = 6;

/** Processor time and SQL statements of 60 searches of twelve kinds in a warm process, beside FTS5 alone. */
export const searchCost: Trial = {
  name: 'search-cost',
  needsRealRecords: true,
  async run(workspace) {
    const { figures, rssMb } = await runChild('search-cost', [await importedMirror(workspace)]);
    const suffix = ', p50';
    const kinds = Object.keys(figures)
      .filter((figure) => figure.endsWith(suffix))
      .map((figure) => figure.slice(0, -suffix.length));
    return kinds.map((kind): Row => {
      const p50 = figures[`${kind}, p50`]!;
      const p95 = figures[`${kind}, p95`]!;
      const fts5P50 = figures[`${kind}, fts5 p50`]!;
      const statementCount = figures[`${kind}, statements`];
      return {
        name: `search, ${kind}, warm process`,
        result: `p50 ${p50.toFixed(2)} ms CPU, p95 ${p95.toFixed(2)} ms CPU, ${statementCount} SQL statements`,
        reference: `FTS5 alone p50 ${fts5P50.toFixed(2)} ms CPU`,
        ratio: p50 / fts5P50,
        requiredRatio: kind === 'all kinds' ? { atMost: maxTimesFts5 } : null,
        rssMb,
      };
    });
  },
};

/** For each class the word of texts whose number of records is closest, among words that analysis leaves unchanged. */
function representativeWords(mirrorPath: string): { name: string; word: string; limitMs: number | null }[] {
  const database = new Database(mirrorPath);
  database.exec("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, 'search', 'col')");
  const closestTerms = database
    .prepare("SELECT term FROM temp.vocabulary WHERE col = 'body' ORDER BY abs(doc - ?) LIMIT 50")
    .pluck();
  const words = wordClasses.map(({ name, recordCount, limitMs }) => {
    const candidates = closestTerms.all(recordCount) as string[];
    const word = candidates.find((candidate) => proseTokens(candidate).join() === candidate)!;
    return { name, word, limitMs };
  });
  database.close();
  return words;
}
