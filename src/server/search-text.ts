import { type Edition, readEdition } from '../store/contents.ts';
import type { Mirror } from '../store/mirror.ts';
import { type SearchFilter, type SearchWay, searchBy } from '../store/search.ts';
import { inOneView } from '../store/transaction.ts';

/** What is to be searched, as plain data. */
export type SearchQuestion = SearchFilter & { by: SearchWay };

/** The text of an answer, and the edition of the mirror that it was made from. */
export type MadeText = { edition: Edition; text: string };

/** Answers searches: in this process, or in another one. */
export type Searcher = {
  /** Throws a RefusedRequestError (503) for a search that takes too long. */
  search(question: SearchQuestion): Promise<MadeText>;
  close(): Promise<void>;
};

/** The JSON text that answers a search, from one view of the mirror. */
export function searchText(mirror: Mirror, { by, ...filter }: SearchQuestion): MadeText {
  return inOneView(mirror, () => {
    const found = { query: filter.query, ...searchBy(mirror, by, filter) };
    return { edition: readEdition(mirror), text: JSON.stringify(found) };
  });
}

/** Searches in this process, which does nothing else meanwhile and cannot cut a search that takes long. */
export function searchHere(mirror: Mirror): Searcher {
  return { search: async (question) => searchText(mirror, question), close: async () => {} };
}
