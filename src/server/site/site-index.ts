import { fold } from '../../language/fold.ts';
import { recordPath } from '../../model/addresses.ts';
import { inBatches, textOf } from '../../model/document.ts';
import { keyOf, titleOf } from '../../model/facets.ts';
import { hasColumn, type KindName, kindsInOrder } from '../../model/kinds.ts';
import type { Mirror } from '../../store/mirror.ts';
import { rows } from '../../store/rows.ts';
import { shorten } from '../pages/parts.ts';
import type { SiteLinks } from './site-links.ts';
import type { SiteFile } from './site-pages.ts';

/** Kinds in the index, the most wanted first. */
const foundKinds = kindsInOrder.filter(
  (kind) => kind.search.name.length > 0 || hasColumn(kind, 'title') || hasColumn(kind, 'text'),
);

/** Records in one file of titles. */
const inChunk = 250;

/** As the script reads it. */
type Entry = [title: string, file: string, kind: KindName, date: string];

/**
 * An index of names and titles as scripts, since pages opened from files may load nothing else. `search/w-AB.js` has
 * the words that begin with AB, each with the delta-encoded numbers of its records; `search/r-N.js` has the titles
 * of 250 records.
 */
export function* indexFiles(mirror: Mirror, links: SiteLinks): Generator<SiteFile> {
  const shards = new Map<string, Map<string, number[]>>();
  let number = 0;
  let chunk = 0;
  for (const entries of inBatches(entriesOf(mirror, links), inChunk)) {
    for (const [title] of entries) {
      for (const word of new Set(wordsOf(title))) {
        const start = word.slice(0, 2);
        const shard = shards.get(start) ?? new Map<string, number[]>();
        shards.set(start, shard);
        const numbers = shard.get(word) ?? [];
        numbers.push(number);
        shard.set(word, numbers);
      }
      number += 1;
    }
    yield { path: `search/r-${chunk}.js`, text: scriptOf('titles', String(chunk), entries) };
    chunk += 1;
  }
  for (const [start, shard] of shards) {
    const words = [...shard].sort(([one], [other]) => (one < other ? -1 : 1));
    const written = Object.fromEntries(
      words.map(([word, numbers]) => [word, numbers.map((each, at) => each - (numbers[at - 1] ?? 0))]),
    );
    yield { path: `search/w-${start}.js`, text: scriptOf('words', start, written) };
  }
  const starts = [...shards.keys()].sort();
  yield { path: 'search/starts.js', text: scriptOf('starts', '', starts) };
}

/** The words of a text; `site-search.js` must fold in the same way. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[a-z0-9]{2,}/g) ?? [];
}

function* entriesOf(mirror: Mirror, links: SiteLinks): Generator<Entry> {
  for (const kind of foundKinds) {
    const entries: Entry[] = [];
    for (const document of rows(mirror, kind)) {
      const file = links.fileOf(recordPath(kind.name, keyOf(kind, document)));
      if (file !== null)
        entries.push([
          shorten(titleOf(kind, document), 160),
          file,
          kind.name,
          textOf(document, 'date')?.slice(0, 10) ?? '',
        ]);
    }
    yield* entries.sort(([, , , one], [, , , other]) => (one < other ? 1 : one > other ? -1 : 0));
  }
}

const scriptOf = (what: string, name: string, value: unknown) =>
  `hemicycleIndex(${JSON.stringify(what)},${JSON.stringify(name)},${JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')});\n`;
