import { ask, openMirror, readValues, search } from '../../../src/index.ts';
import { analyseLexeme, lexemes } from '../../../src/language/prose.ts';
import { termsOf } from '../../../src/store/word-index/terms.ts';
import { createRandom } from '../../helpers/random.ts';
import { report } from '../child.ts';

// Prints processor time in ms and number of SQL statements of searches in one warm process, by kind of query, and the
// processor time of FTS5 alone with the same words.
const [path] = process.argv.slice(2) as [string];
const roundCount = 5;
const warmUpRounds = 3;
const queriesPerKind = 5;

const mirror = openMirror(path);
const statements = countStatements();
const random = createRandom(11);
const column = (sql: string) => mirror.column<string>(sql).all();
const pick = <Value>(values: readonly Value[]): Value[] =>
  Array.from({ length: queriesPerKind }, () => random.pick(values));
const titles = column(`SELECT row ->> 'title' FROM record WHERE kind IN ('content', 'ballot') ORDER BY id LIMIT 20000`);
const terms = termsOf(mirror);
const words = [...new Set(titles.flatMap((title) => lexemes(title ?? '')))].filter((word) =>
  /^\p{Ll}{6,12}$/u.test(word),
);
/** Words of titles that occur in `min` to `max` records. */
const wordsOfCount = (min: number, max: number) =>
  words.filter((word) => {
    const count = terms.countRecords(analyseLexeme(word));
    return count >= min && count <= max;
  });
const rareWords = wordsOfCount(2, 20);
const mediumWords = wordsOfCount(30, 400);
const commonWords = wordsOfCount(600, 20_000);
const people = column(`SELECT name FROM record WHERE kind = 'politician' AND name LIKE '% %' ORDER BY id LIMIT 2000`);
const parties = column(`SELECT row ->> 'short_name' FROM record WHERE kind = 'party' AND row ->> 'short_name' <> ''`);
const numbers = column(`SELECT json_extract(row, '$.number') FROM record WHERE kind = 'ballot' LIMIT 500`);
const queriesByKind: Record<string, string[]> = {
  'rare word': pick(rareWords),
  'common word': pick(commonWords),
  'two words': pick(mediumWords).map((word) => `${random.pick(commonWords)} ${word}`),
  name: pick(people),
  'first name': pick(people).map((name) => name.split(' ')[0]!),
  'misspelt word': pick(mediumWords).map(misspelt),
  'misspelt name': pick(people).map((name) => misspelt(name.split(' ').at(-1)!)),
  question: pick(mediumWords).map(
    (word) => `qui propose de réformer les ${random.pick(commonWords)} pour ${word} en France ?`,
  ),
  'group and word': pick(parties).map((party) => `${party} ${random.pick(commonWords)}`),
  phrase: pick(titles).map((title) => `"${(title ?? '').split(' ').slice(0, 3).join(' ')}"`),
  id: pick(column(`SELECT key FROM record WHERE kind IN ('content', 'ballot') LIMIT 500`)),
  number: pick(numbers).map((number) => `scrutin n° ${number}`),
};

const fts5 = mirror.sql('SELECT rowid, bm25(search) AS score FROM search WHERE search MATCH ? ORDER BY score LIMIT 20');
const fts5Expression = (query: string) =>
  lexemes(query)
    .map((word) => `"${analyseLexeme(word)}"`)
    .join(' OR ');
const answer = (query: string) => ask(mirror, search, readValues(search.parameters, { q: query }).values as never);

const kindQueries = Object.entries(queriesByKind).flatMap(([kind, queries]) =>
  queries.map((query) => ({ kind, query })),
);
for (let round = 0; round < warmUpRounds; round += 1) for (const { query } of kindQueries) await answer(query);

const costs: { kind: string; searchMs: number; fts5Ms: number; statementCount: number }[] = [];
for (const { kind, query } of kindQueries) {
  const countBefore = statements.count;
  await answer(query);
  costs.push({
    kind,
    statementCount: statements.count - countBefore,
    searchMs: await leastCpuMs(() => answer(query)),
    fts5Ms: await leastCpuMs(() => fts5.all(fts5Expression(query))),
  });
}
const figures: Record<string, number> = {};
for (const kind of [...Object.keys(queriesByKind), 'all kinds']) {
  const kindCosts = costs.filter((cost) => kind === 'all kinds' || cost.kind === kind);
  const searchMs = kindCosts.map((cost) => cost.searchMs);
  const fts5Ms = kindCosts.map((cost) => cost.fts5Ms);
  const statementCounts = kindCosts.map((cost) => cost.statementCount);
  figures[`${kind}, p50`] = percentile(searchMs, 0.5);
  figures[`${kind}, p95`] = percentile(searchMs, 0.95);
  figures[`${kind}, fts5 p50`] = percentile(fts5Ms, 0.5);
  figures[`${kind}, statements`] = percentile(statementCounts, 0.5);
}
mirror.close();
report(figures);

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
}

/** The lowest processor time of some runs: the one that other programs disturbed least. */
async function leastCpuMs(work: () => unknown): Promise<number> {
  const timesMs: number[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    timesMs.push((user + system) / 1000);
  }
  return Math.min(...timesMs);
}

/** The word with two letters in its middle swapped. */
function misspelt(word: string): string {
  const at = word.length >> 1;
  return `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at]}${word.slice(at + 2)}`;
}

/** Counts the statements that the mirror runs from now on. */
function countStatements() {
  const counter = { count: 0 };
  const { database } = mirror;
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    const statement = prepare(sql) as never as Record<string, (...values: unknown[]) => unknown>;
    for (const name of ['get', 'all', 'run', 'iterate']) {
      const method = statement[name]!.bind(statement);
      statement[name] = (...values) => {
        counter.count += 1;
        return method(...values);
      };
    }
    return statement;
  }) as never;
  return counter;
}
