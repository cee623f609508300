import Database from 'better-sqlite3';
import { runChild } from '../child.ts';
import type { Row, Trial } from '../trial.ts';

/** Words by how many of the million records hold them. */
const classes: [string, number][] = [
  ['rare', 50],
  ['middling', 2000],
  ['common', 40_000],
  ['huge', 400_000],
];

/** Search over a million records, with 20 snippets, against bare bm25 over the same index. */
export const searchMillion: Trial = {
  name: 'search-million',
  async run({ million }) {
    const { mirror } = await million();
    const words = wordsIn(mirror);
    const { figures, rssMb } = await runChild('search-latency', [mirror, ...words.map(({ word }) => word)]);
    return words.map(({ name, word }): Row => {
      const [p50, p95, raw, hits] = ['p50', 'p95', 'raw', 'hits'].map(
        (figure) => figures[`${word} ${figure}`]!,
      );
      return {
        name: `search, ${name} word (${hits} hits)`,
        ours: `p50 ${p50!.toFixed(2)} ms, p95 ${p95!.toFixed(2)} ms`,
        peer: `bm25 alone ${raw!.toFixed(2)} ms`,
        ratio: p50! / raw!,
        must: null,
        rssMb,
      };
    });
  },
};

/** For each class the word whose count comes nearest, as the index counts them. */
function wordsIn(path: string): { name: string; word: string }[] {
  const database = new Database(path);
  database.exec("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, 'search', 'row')");
  const nearest = database.prepare('SELECT term FROM temp.vocabulary ORDER BY abs(doc - ?) LIMIT 1').pluck();
  const words = classes.map(([name, count]) => ({ name, word: nearest.get(count) as string }));
  database.close();
  return words;
}
