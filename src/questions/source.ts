import type { Chamber } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import type { KindName } from '../model/kinds.ts';
import type { AuditFilter } from '../store/audit.ts';
import type { FeedFilter } from '../store/feed.ts';
import type { PoliticianFilter } from '../store/politicians.ts';

/** Where an answer came from, and how old it is (ISO 8601). */
export type Origin = { from: 'mirror' | 'service'; as_of: string | null };

/** A list as a source answers it; `extra` holds what only some answers say (mode, fallback, suggestions). */
export type Listing = {
  items: Iterable<Document> | AsyncIterable<Document>;
  total: number | null;
  nextCursor: string | null | (() => string | null);
  origin: Origin;
  extra?: Document;
};

/** One record as a source answers it. */
export type Found = { item: Document; origin: Origin };

export type SearchQuestion = {
  query: string;
  types?: KindName[] | undefined;
  limit: number;
  semantic: boolean;
  topic?: string | undefined;
};

/** Whoever can answer the reading commands: the mirror, or the service itself. */
export type Source = {
  politicians(filter: PoliticianFilter): Promise<Listing>;
  politician(name: string): Promise<Found>;
  parties(): Promise<Listing>;
  party(name: string): Promise<Found>;
  feed(filter: FeedFilter & { all: boolean }): Promise<Listing>;
  search(question: SearchQuestion): Promise<Listing>;
  ballot(chamber: Chamber, scrutinId: string): Promise<Found>;
  audit(filter: AuditFilter): Promise<Listing>;
};
