import type { Interpretation, Query } from '../../language/query.ts';
import type { Document } from '../../model/document.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { ScopeFilter } from './filters.ts';
import type { SearchHit } from './hit.ts';
import type { QueryVector } from './meaning.ts';
import type { Relaxed } from './relaxation.ts';
import type { Scope } from './scope.ts';
import type { Correction } from './spelling.ts';

/** A search request: query, scope and form of the hits. */
export type SearchFilter = ScopeFilter & {
  query: string;
  limit: number;
  cursor?: string | undefined;
  vector?: QueryVector | null | undefined;
  /** True to list every copy of a text; else one hit with the number of its copies. */
  allCopies?: boolean | undefined;
  /** True for a remark on each step of a search by words, with its number of results. */
  explain?: boolean | undefined;
};

/** The hits of a search; `total` and `counts` are null beyond the counting limit. */
export type SearchAnswer = {
  items: SearchHit[];
  total: number | null;
  nextCursor: string | null;
  counts: Record<string, number | null>;
  /** If nothing matches all words, the best of what resembles the query. */
  near: Near<SearchHit> | null;
  corrected: Correction[];
  suggestions: ({ slug: string; full_name: string } | { word: string })[];
  interpretations: Interpretation[];
  remarks: Phrase[];
};

/** Suggestions beside results: some items of a total (null if not counted), and the loosest resemblance among them. */
export type Near<Item = Document> = { relaxed: Relaxed; total: number | null; items: Item[] };

/** Which kind of search was run. */
export type SearchMethod = {
  mode: 'fulltext' | 'semantic';
  method: 'words' | 'lexical-expansion' | 'embeddings';
  fallback: boolean;
  /** Why another mode was not used, or another warning for the operator. */
  trouble?: string | null;
};

/** The remark on a list that ends before all matches are shown. */
export function endRemark(counts: SearchAnswer['counts']): Phrase[] {
  return Object.values(counts).includes(null)
    ? [
        say`the list stops here, but there are more results, and only the newest are listed; add a word or until: to find others`,
      ]
    : [];
}

/** Remarks on the query itself. */
export function remarksOf({ terms, filters, excluded, remarks }: Query, { kinds }: Pick<Scope, 'kinds'>): Phrase[] {
  if (kinds.length === 0) return [...remarks, say`no kind is left to search`];
  if (terms.length > 0) return remarks;
  if (filters.length + excluded.length > 0)
    return [...remarks, say`there is no word to search for: exclusions and filters need at least one word`];
  return remarks.length > 0 ? remarks : [say`there is no word to search for`];
}
