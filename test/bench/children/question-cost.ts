import {
  ask,
  feed,
  openMirror,
  politician,
  politicians,
  type questions,
  readValues,
  search,
} from '../../../src/index.ts';
import { changes } from '../../../src/questions/changes.ts';
import { report } from '../child.ts';

// The processor time of questions of one mirror, in milliseconds: p95, of the first also the first time.
const [path] = process.argv.slice(2) as [string];
const mirror = openMirror(path);
const column = (sql: string) => mirror.column<string>(sql).all();
const slugs = column("SELECT key FROM record WHERE kind = 'politician' LIMIT 200");
const parties = column("SELECT key FROM record WHERE kind = 'party' LIMIT 200");
const titles = column("SELECT row ->> 'title' FROM record WHERE kind = 'content' ORDER BY id LIMIT 400");
const words = titles.flatMap((title) => title.split(' ').filter((word) => word.length > 4));
const twoWords = (n: number) => `${words[(n * 7) % words.length]} ${words[(n * 13 + 5) % words.length]}`;
const askedQuestions: Record<string, (n: number) => [(typeof questions)[number], Record<string, string>]> = {
  'two words': (n) => [search, { q: twoWords(n) }],
  'feed page': (n) => [feed, { limit: String(20 + (n % 5)) }],
  changes: (n) => [changes, { since: '2000', limit: String(50 + (n % 5)) }],
  list: (n) => [politicians, { limit: String(50 + (n % 5)) }],
  'list by freshness': (n) => [politicians, { sort: 'freshness', limit: String(50 + (n % 5)) }],
  'feed of a party': (n) => [feed, { party: parties[n % parties.length]! }],
  profile: (n) => [politician, { slug: slugs[n % slugs.length]! }],
};
const figures: Record<string, number> = {};
for (const [name, question] of Object.entries(askedQuestions)) {
  const times: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const [what, parameters] = question(n);
    const begin = process.cpuUsage();
    await ask(mirror, what as never, readValues(what.parameters, parameters).values as never);
    const { user, system } = process.cpuUsage(begin);
    times.push((user + system) / 1000);
  }
  if (name === 'two words') figures['two words, the first'] = times[0]!;
  figures[`${name}, p95`] = times.slice(1).sort((a, b) => a - b)[94]!;
}
mirror.close();
report(figures);
