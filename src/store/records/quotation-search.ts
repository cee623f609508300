import { fold } from '../../language/fold.ts';
import { proseTokens } from '../../language/prose.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { webPageOf } from '../../model/cited-work.ts';
import { type Document, documentOf, type RecordTexts, textOf } from '../../model/document.ts';
import { titleOf } from '../../model/facets.ts';
import { type Kind, kindOf, kinds } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord, recordName, recordRanges } from '../record.ts';
import { readSnapshot } from '../transaction.ts';
import { indexParts, isIndexed, rowidRangeSql } from '../word-index/search-index.ts';
import { sourcesOf } from './profile.ts';
import { nearestPassage, type Quotation, readQuotation } from './quotation.ts';

/** The kinds whose texts are a politician's words: `check` searches these first. */
export const quotableKinds: readonly Kind[] = kinds.filter(
  (kind) => isIndexed(kind) && kind.search.about.length > 0 && kind.search.body.includes('text'),
);

/** Maximum number of texts per kind that are compared with a quotation. */
const maxCandidates = 40;

/** Minimum share of equal words in a passage that counts as near. */
const minAgreement = 0.6;

/**
 * Records with a quotation, best match first, then earliest; `[…]` is an omission, `[word]` an insertion.
 * If nobody said it, ballots whose titles contain it.
 */
export function searchQuotation(mirror: Mirror, text: string) {
  const quotation = readQuotation(text);
  return readSnapshot(mirror, () => {
    const hits = searchKinds(mirror, quotation, quotableKinds);
    if (hits.length > 0) return hits;
    return searchKinds(mirror, quotation, [kindOf('ballot')]).filter(({ result }) => result === 'exact');
  });
}

function searchKinds(mirror: Mirror, quotation: Quotation, searchedKinds: readonly Kind[]) {
  const passages = findCandidates(mirror, quotation, searchedKinds).flatMap((id) => {
    const sql = 'SELECT key, row, detail FROM record WHERE id = ? AND withdrawn IS NULL';
    const stored = mirror.sql<RecordTexts & { key: string }>(sql).get(id);
    if (!stored) return [];
    const kind = kindOfRecord(id);
    const document = documentOf(stored);
    const politician = textOf(document, 'politician');
    const passage = bestPassage(quotation, kind, document);
    if (passage === undefined) return [];
    return {
      ...passage,
      type: kind.name,
      id: stored.key,
      politician,
      politician_name: politician && recordName(mirror, 'politician', politician),
      date: textOf(document, 'date'),
      title: titleOf(kind, document),
      copies: 0,
      url: webPageOf(document, sourcesOf(mirror, document)),
    };
  });
  const copies = Map.groupBy(passages, ({ politician, date, said }) => JSON.stringify([politician, date, said]));
  return [...copies.values()]
    .map(([first, ...duplicates]) => ({ ...first!, copies: duplicates.length }))
    .sort((one, other) => other.agreement - one.agreement || (one.date ?? '9').localeCompare(other.date ?? '9'));
}

/** The passage of a record's fields nearest to the quotation; undefined if none has enough words of it. */
function bestPassage(quotation: Quotation, { search: { body, title } }: Kind, document: Document) {
  const { words } = quotation;
  const contentCount = words.filter(({ original, isWildcard }) => !isWildcard && !isStopWord(fold(original))).length;
  const passages = [...body, ...title].flatMap((field) => {
    const text = textOf(document, field) ?? '';
    const passage = nearestPassage(quotation, text);
    if (passage === null) return [];
    const { cost, differences, start, end } = passage;
    const agreement = Math.max(0, 1 - cost / words.length);
    if (agreement < minAgreement || passage.equalContentWordCount * 2 < contentCount) return [];
    const result = differences.length === 0 ? 'exact' : 'near';
    return { result, agreement: Math.round(agreement * 1000) / 1000, said: text.slice(start, end), differences };
  });
  return passages.sort((one, other) => other.agreement - one.agreement)[0];
}

/** Ids of texts that share three consecutive words with the quotation; if there are none, any content word. */
function findCandidates(mirror: Mirror, { parts }: Quotation, searchedKinds: readonly Kind[]): number[] {
  const tokens = parts.map(proseTokens);
  const trigrams = tokens.flatMap((part) =>
    part.length < 3 ? [part] : part.slice(2).map((_, at) => part.slice(at, at + 3)),
  );
  const hasContentWord = (run: string[]) => run.some((token) => !isStopWord(token));
  const phraseMatches = searchRuns(mirror, trigrams.filter(hasContentWord), searchedKinds);
  if (phraseMatches.length > 0) return phraseMatches;
  const words = tokens.flat().map((token) => [token]);
  return searchRuns(mirror, words.filter(hasContentWord), searchedKinds);
}

/** Ids of texts with any of these runs of consecutive words: per kind those of best bm25, at most `maxCandidates`. */
function searchRuns(mirror: Mirror, runs: string[][], searchedKinds: readonly Kind[]): number[] {
  if (runs.length === 0) return [];
  const phrases = new Set(runs.map((run) => `"${run.join(' ')}"`));
  const match = `{title body} : (${[...phrases].join(' OR ')})`;
  return indexParts(mirror).flatMap(({ table, condition }) => {
    const sql = `SELECT rowid FROM ${table} WHERE search MATCH ? AND ${rowidRangeSql}${condition}
      ORDER BY bm25(search) LIMIT ${maxCandidates}`;
    return recordRanges(searchedKinds).flatMap(({ first, last }) => mirror.column<number>(sql).all(match, first, last));
  });
}
