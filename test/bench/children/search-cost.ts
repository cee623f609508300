import { ask, openMirror, readValues, search } from '../../../src/index.ts';
import { analyseLexeme, lexemes } from '../../../src/language/prose.ts';
import { termsOf } from '../../../src/store/word-index/terms.ts';
import { createRandom } from '../../helpers/random.ts';
import { report } from '../child.ts';

// Processor time and statements of searches in one warm process, by what is typed, beside bare FTS5 with the same words.
const [path] = process.argv.slice(2) as [string];
const rounds = 5;
const perKind = 5;

const mirror = openMirror(path);
const statements = countStatements();
const random = createRandom(11);
const column = (sql: string) => mirror.column<string>(sql).all();
const pick = <Value>(values: readonly Value[]): Value[] => Array.from({ length: perKind }, () => random.pick(values));
const titles = column(`SELECT row ->> 'title' FROM record WHERE kind IN ('content', 'ballot') ORDER BY id LIMIT 20000`);
const terms = termsOf(mirror);
const words = [...new Set(titles.flatMap((title) => lexemes(title ?? '')))].filter((word) =>
  /^\p{Ll}{6,12}$/u.test(word),
);
const wordsWithin = (least: number, most: number) =>
  words.filter((word) => {
    const records = terms.countRecords(analyseLexeme(word));
    return records >= least && records <= most;
  });
const [rare, middling, common] = [wordsWithin(2, 20), wordsWithin(30, 400), wordsWithin(600, 20_000)];
const people = column(`SELECT name FROM record WHERE kind = 'politician' AND name LIKE '% %' ORDER BY id LIMIT 2000`);
const parties = column(`SELECT row ->> 'short_name' FROM record WHERE kind = 'party' AND row ->> 'short_name' <> ''`);
const numbers = column(`SELECT json_extract(row, '$.number') FROM record WHERE kind = 'ballot' LIMIT 500`);
const queries: Record<string, string[]> = {
  'rare word': pick(rare),
  'common word': pick(common),
  'two words': pick(middling).map((word) => `${random.pick(common)} ${word}`),
  name: pick(people),
  'first name': pick(people).map((name) => name.split(' ')[0]!),
  'misspelt word': pick(middling).map(misspelt),
  'misspelt name': pick(people).map((name) => misspelt(name.split(' ').at(-1)!)),
  question: pick(middling).map((word) => `qui propose de réformer les ${random.pick(common)} pour ${word} en France ?`),
  'group and word': pick(parties).map((party) => `${party} ${random.pick(common)}`),
  phrase: pick(titles).map((title) => `"${(title ?? '').split(' ').slice(0, 3).join(' ')}"`),
  id: pick(column(`SELECT key FROM record WHERE kind IN ('content', 'ballot') LIMIT 500`)),
  number: pick(numbers).map((number) => `scrutin n° ${number}`),
};

const bare = mirror.sql('SELECT rowid, bm25(search) AS score FROM search WHERE search MATCH ? ORDER BY score LIMIT 20');
const bareExpression = (query: string) =>
  lexemes(query)
    .map((word) => `"${analyseLexeme(word)}"`)
    .join(' OR ');
const answer = (query: string) => ask(mirror, search, readValues(search.parameters, { q: query }).values as never);

const all = Object.entries(queries).flatMap(([kind, list]) => list.map((query) => ({ kind, query })));
for (let round = 0; round < 3; round += 1) for (const { query } of all) await answer(query);
const figures: Record<string, number> = {};
const middle = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
const costs: { kind: string; ms: number; bareMs: number; count: number }[] = [];
for (const { kind, query } of all) {
  const before = statements.count;
  await answer(query);
  const count = statements.count - before;
  const ms = await cpuMs(() => answer(query));
  costs.push({ kind, ms, bareMs: await cpuMs(() => bare.all(bareExpression(query))), count });
}
for (const name of [...Object.keys(queries), 'all']) {
  const own = costs.filter(({ kind }) => name === 'all' || kind === name);
  const ms = own.map((each) => each.ms);
  figures[`${name}, p50`] = middle(ms, 0.5);
  figures[`${name}, p95`] = middle(ms, 0.95);
  figures[`${name}, bare p50`] = middle(
    own.map((each) => each.bareMs),
    0.5,
  );
  figures[`${name}, statements`] = middle(
    own.map(({ count }) => count),
    0.5,
  );
}
mirror.close();
report(figures);

/** The least processor time of some runs, which other programs disturb least. */
async function cpuMs(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begin = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begin);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/** The word with two letters in its middle swapped. */
function misspelt(word: string): string {
  const at = word.length >> 1;
  return `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at]}${word.slice(at + 2)}`;
}

/** Counts the statements that the mirror runs. */
function countStatements() {
  const counter = { count: 0 };
  const { database } = mirror;
  const prepare = database.prepare.bind(database);
  database.prepare = ((text: string) => {
    const statement = prepare(text) as never as Record<string, (...values: unknown[]) => unknown>;
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
