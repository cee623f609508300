import { type Document, textOf } from './document.ts';
import { facetsOf } from './facets.ts';
import type { Kind } from './kinds.ts';
import { canonicalForm, uniformDocument } from './normal-form.ts';

/** What identifies a record without an id: words of its text, each with politician or party and day; all fields. */
export type Likeness = { words: ReadonlySet<string>; fields: ReadonlySet<string> };

/** Minimum share of common words, relative to the longer text, for two texts to be one record. */
const minShare = 0.6;

/** Most candidates compared with one record, those with the rarest common words first. */
const maxCandidates = 100;

/** The words and fields that identify a record; without a text, the words of all its fields count. */
export function likenessOf(kind: Kind, received: Document): Likeness {
  const document = uniformDocument(received);
  const fields = Object.entries(canonicalForm(kind, document)).map((field) => JSON.stringify(field));
  const { body, title } = kind.search;
  const texts = [body, title].map((names) => names.map((name) => textOf(document, name) ?? '').join(' '));
  const text = texts.find((each) => each.trim() !== '') ?? fields.join(' ');
  const { politician, party, date } = facetsOf(kind, document);
  const counts = new Map<string, number>();
  // Repeated words are numbered, so that sets compare as multisets.
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']).map((word) => {
    const nth = (counts.get(word) ?? 0) + 1;
    counts.set(word, nth);
    return [word, nth, politician ?? `of ${party}`, date.slice(0, 10)].join(' ');
  });
  return { words: new Set(words), fields: new Set(fields) };
}

/** Returns for each received record the index of the stored one that it continues, or null for a new record. */
export function matchRecords(stored: readonly Likeness[], received: readonly Likeness[]): (number | null)[] {
  // Equal records come first: they share all words and all fields.
  const pairs = similarPairs(stored, received).sort(
    (a, b) =>
      b.wordShare - a.wordShare || b.fieldShare - a.fieldShare || a.oldIndex - b.oldIndex || a.newIndex - b.newIndex,
  );
  const matches: (number | null)[] = received.map(() => null);
  const continuedIndexes = new Set<number>();
  for (const { oldIndex, newIndex } of pairs) {
    if (matches[newIndex] !== null || continuedIndexes.has(oldIndex)) continue;
    matches[newIndex] = oldIndex;
    continuedIndexes.add(oldIndex);
  }
  return matches;
}

/** All pairs with enough common words, with the shares of common words and of common fields. */
function similarPairs(stored: readonly Likeness[], received: readonly Likeness[]) {
  const frequency = new Map<string, number>();
  for (const { words } of [...stored, ...received])
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  // Two texts with at least `minShare` share one of their rarest words (prefix filtering of set similarity joins).
  const rarest = ({ words }: Likeness) =>
    [...words]
      .sort((a, b) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1))
      .slice(0, words.size - Math.ceil(words.size * minShare) + 1);
  const entries = stored.flatMap((each, oldIndex) => rarest(each).map((word) => ({ word, oldIndex })));
  const byWord = Map.groupBy(entries, ({ word }) => word);
  return received.flatMap((each, newIndex) => {
    const candidates = rarest(each).flatMap((word) => byWord.get(word)?.map(({ oldIndex }) => oldIndex) ?? []);
    return [...new Set(candidates)].slice(0, maxCandidates).flatMap((oldIndex) => {
      const wordShare = shareOf(stored[oldIndex]!.words, each.words);
      const fieldShare = shareOf(stored[oldIndex]!.fields, each.fields);
      return wordShare < minShare ? [] : [{ oldIndex, newIndex, wordShare, fieldShare }];
    });
  });
}

const shareOf = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((each) => other.has(each)).length / Math.max(one.size, other.size);
