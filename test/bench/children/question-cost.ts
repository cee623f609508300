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

// Prints the processor time of each question in ms: p95 of 99 answers, and the first answer of the process.
const [path] = process.argv.slice(2) as [string];
const mirror = openMirror(path);
const column = (sql: string) => mirror.column<string>(sql).all();
const slugs = column("SELECT key FROM record WHERE kind = 'politician' LIMIT 200");
const parties = column("SELECT key FROM record WHERE kind = 'party' LIMIT 200");
const titles = column("SELECT row ->> 'title' FROM record WHERE kind = 'content' ORDER BY id LIMIT 400");
const words = titles.flatMap((title) => title.split(' ').filter((word) => word.length > 4));
const twoWords = (n: number) => `${words[(n * 7) % words.length]} ${words[(n * 13 + 5) % words.length]}`;

type Request = { question: (typeof questions)[number]; parameters: Record<string, string> };

/** The nth request of each question; parameters vary, so that no request equals the one before. */
const requests: Record<string, (n: number) => Request> = {
  'search of two words': (n) => ({ question: search, parameters: { q: twoWords(n) } }),
  'page of the feed': (n) => ({ question: feed, parameters: { limit: String(20 + (n % 5)) } }),
  'page of changes': (n) => ({ question: changes, parameters: { since: '2000', limit: String(50 + (n % 5)) } }),
  'list of politicians': (n) => ({ question: politicians, parameters: { limit: String(50 + (n % 5)) } }),
  'list of politicians by freshness': (n) => ({
    question: politicians,
    parameters: { sort: 'freshness', limit: String(50 + (n % 5)) },
  }),
  'feed of a party': (n) => ({ question: feed, parameters: { party: parties[n % parties.length]! } }),
  'profile of a politician': (n) => ({ question: politician, parameters: { slug: slugs[n % slugs.length]! } }),
};

const figures: Record<string, number> = {};
for (const [name, requestOf] of Object.entries(requests)) {
  const timesMs: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const { question, parameters } = requestOf(n);
    const before = process.cpuUsage();
    await ask(mirror, question as never, readValues(question.parameters, parameters).values as never);
    const { user, system } = process.cpuUsage(before);
    timesMs.push((user + system) / 1000);
  }
  if (name === 'search of two words') figures['search of two words, first query'] = timesMs[0]!;
  figures[`${name}, p95`] = timesMs.slice(1).sort((a, b) => a - b)[94]!;
}
mirror.close();
report(figures);
