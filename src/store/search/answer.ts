import type { Query } from '../../language/query.ts';
import type { KindName } from '../../model/kinds.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { SearchHit } from './hit.ts';
import type { MeaningSettings } from './meaning.ts';
import type { Scope } from './scope.ts';
import type { Correction } from './spelling.ts';

/** What is searched for, among what, and how the hits are wanted. */
export type SearchFilter = {
  query: string;
  /** Kinds to search; the service's four by default. */
  types?: KindName[] | undefined;
  topic?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  /** True to match any word instead of all of them. */
  anyWord?: boolean | undefined;
  /** What a search by meaning goes by. */
  meaning?: MeaningSettings | undefined;
  /** True where it is a sentence, few of whose words a text needs to hold: those that hold any follow those that hold all. */
  isSentence?: boolean | undefined;
  /** True to tell every copy of a text, not one that stands for all. */
  allCopies?: boolean | undefined;
  /** True to say of each hit why it stands where it does. */
  explain?: boolean | undefined;
};

/** The hits of a search; `total` and `counts` are null where there are more matches than are counted. */
export type SearchAnswer = {
  items: SearchHit[];
  total: number | null;
  nextCursor: string | null;
  counts: Record<string, number | null>;
  relaxed: 'any-word' | null;
  corrected: Correction[];
  suggestions: ({ slug: string; full_name: string } | { word: string })[];
  remarks: Phrase[];
};

/** How was searched. */
export type SearchManner = {
  mode: 'fulltext' | 'semantic';
  method: 'words' | 'lexical-expansion' | 'embeddings';
  fallback: boolean;
  /** Why it was not searched otherwise, or what else whoever runs the program should know. */
  trouble?: string | null;
};

/** What is told where a list ends before all that was found. */
export function endRemark(counts: SearchAnswer['counts']): Phrase[] {
  return Object.values(counts).includes(null)
    ? [
        say`the list ends here, not what was found: of so many only the newest are told; another word or until: finds others`,
      ]
    : [];
}

/** What is told of a query beside its hits. */
export function remarksOf(
  { terms, filters, without, remarks }: Query,
  { kinds }: Pick<Scope, 'kinds'>,
): Phrase[] {
  if (kinds.length === 0) return [...remarks, say`no kind is left to search`];
  if (terms.length > 0) return remarks;
  if (filters.length + without.length > 0)
    return [...remarks, say`there is no word to look for: what is left out and filters find nothing alone`];
  return remarks.length > 0 ? remarks : [say`there is no word to look for`];
}
