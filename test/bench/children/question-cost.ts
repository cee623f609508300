import {
  ask,
  feed,
  openMirror,
  politician,
  politicians,
  questions,
  readValues,
  search,
} from '../../../src/index.ts';
import { changes } from '../../../src/questions/changes.ts';
import { report } from '../child.ts';

// The processor time of questions of one mirror, in milliseconds: the first time, and p95 of further ones.
const [path] = process.argv.slice(2) as [string];
const mirror = openMirror(path);
const column = (sql: string) => mirror.column<string>(sql).all();
const slugs = column("SELECT key FROM record WHERE kind = 'politician' LIMIT 200");
const titles = column("SELECT row ->> 'title' FROM record WHERE kind = 'content' ORDER BY id LIMIT 400");
const words = titles.flatMap((title) => title.split(' ').filter((word) => word.length > 4));
const twoWords = (n: number) => `${words[(n * 7) % words.length]} ${words[(n * 13 + 5) % words.length]}`;
const list = questions.find(({ name }) => name === 'records')!;
const asked: Record<string, (n: number) => [typeof list, Record<string, string>]> = {
  'two words': (n) => [search, { q: twoWords(n) }],
  'feed page': (n) => [feed, { limit: String(20 + (n % 5)) }],
  changes: (n) => [changes, { since: '2000', limit: String(50 + (n % 5)) }],
  list: (n) =>
    slugs.length > 0
      ? [politicians, { limit: String(50 + (n % 5)) }]
      : [list, { kind: 'content', limit: '50' }],
  profile: (n) => [politician, { slug: slugs[n % slugs.length]! }],
};
const figures: Record<string, number> = {};
for (const [name, question] of Object.entries(asked)) {
  if (name === 'profile' && slugs.length === 0) continue;
  const times: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const [what, given] = question(n);
    const begin = process.cpuUsage();
    await ask(mirror, what as never, readValues(what.parameters, given).values as never);
    const { user, system } = process.cpuUsage(begin);
    times.push((user + system) / 1000);
  }
  figures[`${name} first`] = times[0]!;
  figures[`${name} p95`] = times.slice(1).sort((a, b) => a - b)[94]!;
}
mirror.close();
report(figures);
