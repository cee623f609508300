import type { Interpretation, Query } from '../../language/query.ts';
import type { Document } from '../../model/document.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { ScopeFilter } from './filters.ts';
import type { SearchHit } from './hit.ts';
import type { QueryVector } from './meaning.ts';
import type { Relaxation } from './relaxation.ts';
import type { Scope } from './scope.ts';
import type { Correction } from './spelling.ts';

/** A search request: query, scope and page. */
export type SearchFilter = ScopeFilter & {
  query: string;
  limit: number;
  cursor?: string | undefined;
  /** Vector of the query for a semantic search; without one, words and subjects are ranked. */
  vector?: QueryVector | null | undefined;
  /** True to list every copy of a text; else one hit with the number of its copies. */
  allCopies?: boolean | undefined;
  /** True for a remark on each step of a search by words, with its number of results. */
  explain?: boolean | undefined;
};

/** One page of a search; `total` and `counts` (by kind) are null above the counting limit. */
export type SearchAnswer = {
  items: SearchHit[];
  total: number | null;
  nextCursor: string | null;
  counts: Record<string, number | null>;
  /** Near matches if no or few records match all words; else null. */
  near: NearMatches<SearchHit> | null;
  corrected: Correction[]; // applied to the query of `near`
  suggestions: ({ slug: string; full_name: string } | { word: string })[]; // similar names and words, not applied
  interpretations: Interpretation[]; // how words were read, such as an author or a date
  remarks: Phrase[];
};

/** Near matches: one page of items, their total (null if not counted), and the loosest relaxation used. */
export type NearMatches<Item = Document> = { relaxed: Relaxation; total: number | null; items: Item[] };

/** The mode and method that were run; `fallback` if full text replaced the requested mode. */
export type SearchMethod = {
  mode: 'fulltext' | 'semantic';
  method: 'words' | 'lexical-expansion' | 'embeddings';
  fallback: boolean;
  /** Warning for the operator: why the model was not used. */
  trouble?: string | null;
};

/** Remarks for the last page: one if a kind has too many matches to count, so that older ones are omitted; or none. */
export function endRemark(counts: SearchAnswer['counts']): Phrase[] {
  const remark = say`the list stops here, but there are more results, and only the newest are listed; add a word or until: to find others`;
  return Object.values(counts).includes(null) ? [remark] : [];
}

/** Remarks of the query, and one if no kind is left to search or no word to search for. */
export function queryRemarks({ terms, filters, excluded, remarks }: Query, { kinds }: Pick<Scope, 'kinds'>): Phrase[] {
  if (kinds.length === 0) return [...remarks, say`no kind is left to search`];
  if (terms.length > 0) return remarks;
  if (filters.length + excluded.length > 0)
    return [...remarks, say`there is no word to search for: exclusions and filters need at least one word`];
  return remarks.length > 0 ? remarks : [say`there is no word to search for`];
}
