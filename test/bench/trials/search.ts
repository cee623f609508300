import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { proseTokens } from '../../../src/language/prose.ts';
import { runChild } from '../child.ts';
import { generateNames } from '../generate.ts';
import { importedMirror } from '../imported-mirror.ts';
import { limitOf } from '../limit.ts';
import type { Row, Trial } from '../trial.ts';

/** Words by how many of the million records hold them, and the ms within which 95 of 100 searches answer. */
const classes: { name: string; count: number; most: number | null }[] = [
  { name: 'rare', count: 50, most: 1 },
  { name: 'middling', count: 2000, most: null },
  { name: 'common', count: 40_000, most: 25 },
  { name: 'huge', count: 400_000, most: 25 },
];

/** What else people type, and its ms. */
const otherQueries = [
  { name: 'name', what: 'a full name', most: 5 },
  { name: 'given name', what: 'a given name', most: 5 },
  { name: 'typo', what: 'a word with a slip', most: 60 },
  { name: 'copied', what: 'a word of the most copied text', most: 25 },
];

/**
 * Search over a million records, with 20 snippets, by a program that has answered 400 others, against its limits and bare bm25
 * over the same index.
 */
export const searchMillion: Trial = {
  name: 'search-million',
  async run({ million, folder }) {
    const { mirror } = await million();
    const words = wordsIn(mirror);
    const queries = words.map(({ word }) => word);
    const names = join(folder, 'names.json');
    writeFileSync(names, JSON.stringify(generateNames(2000)));
    const { figures, rssMb } = await runChild('search-latency', [mirror, names, ...queries]);
    const row = (name: string, key: string, most: number | null, peer: string): Row => {
      const limit = most === null ? null : limitOf(most);
      const p50 = figures[`${key} p50`]!;
      const p95 = figures[`${key} p95`]!;
      return {
        name: `search, ${name}`,
        ours: `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
        peer: [limit?.peer, peer].filter(Boolean).join('; '),
        ratio: limit?.ratioOf(p95) ?? null,
        must: limit && { most: 1 },
        rssMb,
      };
    };
    return [
      ...words.map(({ name, word, most }) =>
        row(
          `${name} word (${figures[`${word} hits`]} hits)`,
          word,
          most,
          `bm25 alone ${figures[`${word} raw`]!.toFixed(2)} ms`,
        ),
      ),
      ...otherQueries.map(({ name, what, most }) => row(what, name, most, '')),
    ];
  },
};

/** Most times the processor time of bare FTS5 with the same words, in the middle of 60 queries of twelve kinds. */
const mostTimesBare = 6;

/** Searches of twelve kinds in one warm process: processor time and statements, beside bare FTS5 with the same words. */
export const searchCost: Trial = {
  name: 'search-cost',
  isOfReal: true,
  async run(place) {
    const { figures, rssMb } = await runChild('search-cost', [await importedMirror(place)]);
    const kinds = Object.keys(figures).flatMap((key) => (key.endsWith(', p50') ? [key.replace(', p50', '')] : []));
    return kinds.map((kind): Row => {
      const [p50, p95, bare, count] = ['p50', 'p95', 'bare p50', 'statements'].map(
        (each) => figures[`${kind}, ${each}`]!,
      );
      return {
        name: `processor time of a search, ${kind}`,
        ours: `p50 ${p50!.toFixed(2)} ms, p95 ${p95!.toFixed(2)} ms, ${count} statements`,
        peer: `bare FTS5 ${bare!.toFixed(2)} ms`,
        ratio: p50! / bare!,
        must: kind === 'all' ? { most: mostTimesBare } : null,
        rssMb,
      };
    });
  },
};

/** For each class the word whose count comes nearest, as the index counts them in texts, of those that are their own tokens. */
function wordsIn(path: string): { name: string; word: string; most: number | null }[] {
  const database = new Database(path);
  database.exec("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, 'search', 'col')");
  const nearest = database
    .prepare("SELECT term FROM temp.vocabulary WHERE col = 'body' ORDER BY abs(doc - ?) LIMIT 50")
    .pluck();
  const words = classes.map(({ name, count, most }) => {
    const near = nearest.all(count) as string[];
    return { name, word: near.find((word) => proseTokens(word).join() === word)!, most };
  });
  database.close();
  return words;
}
