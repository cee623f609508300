import { fold } from '../../language/fold.ts';
import { recordPath } from '../../model/addresses.ts';
import { type Document, inBatches, slugOf, textOf } from '../../model/document.ts';
import { keyOf, titleOf } from '../../model/facets.ts';
import { hasColumn, type Kind, type KindName, kindsInOrder } from '../../model/kinds.ts';
import { rows } from '../../store/rows.ts';
import { shorten } from '../pages/parts.ts';
import { attempt } from './site-failures.ts';
import type { SiteFile, SiteParts } from './site-pages.ts';

const searchableKinds = kindsInOrder.filter(
  (kind) => kind.search.name.length > 0 || hasColumn(kind, 'title') || hasColumn(kind, 'text'),
);

/** Records in one file of titles; `site-search.js` has the same number. */
const inChunk = 50;

/** Byte limit of a file of words; a longer word has its own file. */
const maxShard = 20_000;

/** A word is ignored if more than this share of the records contain it, once there are many records. */
const oftenShare = 0.2;
const manyRecords = 200;

type Title = [title: string, file: string, kind: KindName, date: string];

type Entry = { title: Title; inTitle: Set<string>; words: Set<string> };

/**
 * Yields a full-text index as scripts, since pages opened from files can load nothing else. `search/w-N.js`: sorted
 * words with posting lists in base 36 differences, of twice the record number, plus 1 if the title lacks the word.
 * `search/r-N.js`: titles of 50 records. `search/starts.js`: the first word of each file, and too frequent words.
 */
export function* indexFiles(parts: SiteParts): Generator<SiteFile> {
  const postings = new Map<string, number[]>();
  let records = 0;
  let chunk = 0;
  for (const entries of inBatches(entriesOf(parts), inChunk)) {
    for (const { inTitle, words } of entries) {
      for (const word of words) {
        const numbers = postings.get(word) ?? [];
        postings.set(word, numbers);
        numbers.push(records * 2 + (inTitle.has(word) ? 0 : 1));
      }
      records += 1;
    }
    const titles = entries.map(({ title }) => title);
    yield { path: `search/r-${chunk}.js`, text: scriptOf('titles', String(chunk), titles) };
    chunk += 1;
  }
  const isOften = (numbers: number[]) => records > manyRecords && numbers.length > records * oftenShare;
  const often = [...postings].filter(([, numbers]) => isOften(numbers)).map(([word]) => word);
  for (const word of often) postings.delete(word);
  const starts: string[] = [];
  for (const shard of shardsOf([...postings.keys()].sort(), postings)) {
    yield { path: `search/w-${starts.length}.js`, text: scriptOf('words', String(starts.length), shard) };
    starts.push(Object.keys(shard)[0]!);
  }
  yield { path: 'search/starts.js', text: scriptOf('starts', '', { starts, often: often.sort() }) };
}

function* shardsOf(words: string[], postings: Map<string, number[]>): Generator<Record<string, string>> {
  let shard: Record<string, string> = {};
  let bytes = 0;
  for (const word of words) {
    const numbers = postings.get(word)!;
    const written = numbers.map((each, at) => (each - (numbers[at - 1] ?? 0)).toString(36)).join(' ');
    if (bytes > 0 && bytes + written.length > maxShard) {
      yield shard;
      shard = {};
      bytes = 0;
    }
    // Objects sort keys of digits alone first, which would break the order of words.
    shard[`_${word}`] = written;
    bytes += word.length + written.length + 7;
  }
  if (bytes > 0) yield shard;
}

/** Returns the words of a text; `site-search.js` must fold in the same way. */
export const wordsOf = (text: string): string[] => fold(text).match(/[a-z0-9]{2,}/g) ?? [];

function* entriesOf(parts: SiteParts): Generator<Entry> {
  for (const kind of searchableKinds) {
    const entries: Entry[] = [];
    for (const document of rows(parts.mirror, kind)) {
      const address = recordPath(kind.name, keyOf(kind, document));
      const file = parts.links.fileOf(address);
      const entry = file && attempt(parts, address, () => entryOf(kind, document, file));
      if (entry) entries.push(entry);
    }
    yield* entries.sort(({ title: [, , , one] }, { title: [, , , other] }) => (one < other ? 1 : one > other ? -1 : 0));
  }
}

function entryOf(kind: Kind, document: Document, file: string): Entry {
  const { name, title, body, about } = kind.search;
  const titled = titleOf(kind, document);
  const texts = [...name, ...title, ...body].map((field) => textOf(document, field) ?? '');
  const slugs = about.map((field) => slugOf(document[field] ?? null) ?? '');
  const inTitle = new Set(wordsOf(titled));
  return {
    title: [shorten(titled, 120), file, kind.name, textOf(document, 'date')?.slice(0, 10) ?? ''],
    inTitle,
    words: new Set([...inTitle, ...[...texts, ...slugs].flatMap(wordsOf)]),
  };
}

const scriptOf = (what: string, name: string, value: unknown) =>
  `hemicycleIndex(${JSON.stringify(what)},${JSON.stringify(name)},${JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')});\n`;
