import type { Kind, KindName } from '../model/kinds.ts';
import { kinds as allKinds, kindOf } from '../model/kinds.ts';
import { expandedHits } from './expansion.ts';
import type { Mirror } from './mirror.ts';
import { isIndexed, searchedKinds } from './search-index.ts';
import { openThesaurus } from './thesaurus-file.ts';

/** What a search by meaning goes by beside the mirror; plain, so that it can be handed to another process. */
export type MeaningSettings = {
  /** The thesaurus to use: a file, `off`, or null for one that is found where others put theirs. */
  thesaurus: string | null;
};

export type MeaningFilter = {
  types?: readonly KindName[] | undefined;
  topic?: string | undefined;
  limit: number;
};

/** Records by how near their meaning is, the best first; and what is to be told of how they were found. */
export type MeaningAnswer = {
  method: 'lexical-expansion';
  hits: { id: number; score: number }[];
  trouble: string | null;
};

/** The records that come nearest to what a query means. */
export function searchByMeaning(
  mirror: Mirror,
  query: string,
  { settings, ...filter }: MeaningFilter & { settings: MeaningSettings },
): MeaningAnswer {
  const { thesaurus, trouble } = openThesaurus(settings.thesaurus);
  const { hits } = expandedHits(mirror, query, { ...filter, kinds: askedKinds(filter), thesaurus });
  return { method: 'lexical-expansion', hits, trouble };
}

/**
 * The kinds that a search looks into: those asked for, else those of the service; with a topic also those that bear one,
 * for politicians, parties and most texts bear none and could never be found by it.
 */
export function askedKinds({ types, topic }: Pick<MeaningFilter, 'types' | 'topic'>): readonly Kind[] {
  if (types) return [...new Set(types)].map(kindOf);
  if (topic === undefined) return searchedKinds;
  return allKinds.filter((kind) => isIndexed(kind) && kind.columns.some(({ name }) => name === 'topic'));
}
