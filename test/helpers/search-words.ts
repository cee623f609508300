import type { Mirror } from '../../src/store/mirror.ts';
import type { SearchFilter } from '../../src/store/search/answer.ts';
import { searchInMode } from '../../src/store/search/search.ts';

/** A page of a full-text search. */
export const searchWords = (mirror: Mirror, filter: SearchFilter) => searchInMode(mirror, 'fulltext', filter);
