import { fold } from '../../language/fold.ts';
import { type Document, inBatches, slugOf, textOf } from '../../model/document.ts';
import { keyOf, titleOf } from '../../model/facets.ts';
import { hasColumn, type Kind, type KindName, kindsInOrder, recordPath } from '../../model/kinds.ts';
import { rows } from '../../store/rows.ts';
import { shorten } from '../pages/elements.ts';
import { attempt, type SiteFile, type SiteParts } from './site-pages.ts';

const searchableKinds = kindsInOrder.filter(
  (kind) => kind.search.name.length > 0 || hasColumn(kind, 'title') || hasColumn(kind, 'text'),
);

/** Records in one file of titles; `site-search.js` has the same number. */
const recordsPerChunk = 50;
const maxShardBytes = 20_000; // Of a file of words; a word with a longer posting list has its own file.

/** A word in more than this share of the records is ignored if there are more than `manyRecords`. */
const frequentShare = 0.2;
const manyRecords = 200;

type TitleRow = [title: string, file: string, kind: KindName, date: string];

type IndexEntry = { title: TitleRow; titleWords: Set<string>; words: Set<string> };

/**
 * Yields a full-text index as scripts, since pages opened from files can load nothing else. `search/w-N.js`: sorted
 * words with delta-encoded posting lists in base 36. `search/r-N.js`: titles of 50 records.
 * `search/starts.js`: the first word of each file, and too frequent words.
 */
export function* indexFiles(parts: SiteParts): Generator<SiteFile> {
  const postings = new Map<string, number[]>(); // posting list of each word
  let recordCount = 0;
  let chunkNumber = 0;
  for (const entries of inBatches(entriesOf(parts), recordsPerChunk)) {
    for (const { titleWords, words } of entries) {
      for (const word of words) {
        const numbers = postings.get(word) ?? [];
        postings.set(word, numbers);
        // Twice the record number, plus 1 if the title lacks the word.
        numbers.push(recordCount * 2 + (titleWords.has(word) ? 0 : 1));
      }
      recordCount += 1;
    }
    const titles = entries.map(({ title }) => title);
    yield { path: `search/r-${chunkNumber}.js`, text: scriptOf('titles', String(chunkNumber), titles) };
    chunkNumber += 1;
  }
  const isFrequent = (numbers: number[]) => recordCount > manyRecords && numbers.length > recordCount * frequentShare;
  const frequentWords = [...postings].filter(([, numbers]) => isFrequent(numbers)).map(([word]) => word);
  for (const word of frequentWords) postings.delete(word);
  const firstWords: string[] = [];
  for (const shard of shardsOf([...postings.keys()].sort(), postings)) {
    yield { path: `search/w-${firstWords.length}.js`, text: scriptOf('words', String(firstWords.length), shard) };
    firstWords.push(Object.keys(shard)[0]!);
  }
  yield { path: 'search/starts.js', text: scriptOf('starts', '', { starts: firstWords, often: frequentWords.sort() }) };
}

function* shardsOf(words: string[], postings: Map<string, number[]>): Generator<Record<string, string>> {
  let shard: Record<string, string> = {};
  let bytes = 0;
  for (const word of words) {
    const numbers = postings.get(word)!;
    const postingList = numbers.map((each, at) => (each - (numbers[at - 1] ?? 0)).toString(36)).join(' ');
    if (bytes > 0 && bytes + postingList.length > maxShardBytes) {
      yield shard;
      shard = {};
      bytes = 0;
    }
    // The prefix keeps the order of words: objects put keys of digits alone first.
    shard[`_${word}`] = postingList;
    bytes += word.length + postingList.length + 7; // with quotes, prefix, colon and comma
  }
  if (bytes > 0) yield shard;
}

/** Returns the words of a text; `site-search.js` must fold in the same way. */
export const wordsOf = (text: string): string[] => fold(text).match(/[a-z0-9]{2,}/g) ?? [];

function* entriesOf(parts: SiteParts): Generator<IndexEntry> {
  for (const kind of searchableKinds) {
    const entries: IndexEntry[] = [];
    for (const document of rows(parts.mirror, kind)) {
      const address = recordPath(kind.name, keyOf(kind, document));
      const file = parts.links.fileOf(address);
      const entry = file && attempt(parts, address, () => entryOf(kind, document, file));
      if (entry) entries.push(entry);
    }
    // Newest first.
    yield* entries.sort(({ title: [, , , one] }, { title: [, , , other] }) => (one < other ? 1 : one > other ? -1 : 0));
  }
}

function entryOf(kind: Kind, document: Document, file: string): IndexEntry {
  const { name, title, body, about } = kind.search;
  const titleText = titleOf(kind, document);
  const texts = [...name, ...title, ...body].map((field) => textOf(document, field) ?? '');
  const slugs = about.map((field) => slugOf(document[field] ?? null) ?? '');
  const titleWords = new Set(wordsOf(titleText));
  return {
    title: [shorten(titleText, 120), file, kind.name, textOf(document, 'date')?.slice(0, 10) ?? ''],
    titleWords,
    words: new Set([...titleWords, ...[...texts, ...slugs].flatMap(wordsOf)]),
  };
}

const scriptOf = (callbackKind: string, name: string, value: unknown) =>
  `hemicycleIndex(${JSON.stringify(callbackKind)},${JSON.stringify(name)},${JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')});\n`;
