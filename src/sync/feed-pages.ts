import { type Kind, kindOf, kinds } from '../model/kinds.ts';
import type { ServicePage } from '../service/pages.ts';
import { countRows } from '../store/rows.ts';
import { preparedAt } from '../store/saving/prepare.ts';
import { type FeedOutcomes, type FeedRecord, feedRecords } from '../store/saving/save-feed-page.ts';
import { createListIndexes, dropListIndexes } from '../store/schema.ts';
import { atOnce } from '../store/transaction.ts';
import { mergeIndexAt } from '../store/word-index/search-index.ts';
import type { SyncContext } from './context.ts';
import { createPreparer, type Preparer } from './prepared-batches.ts';

/** A feed page with its records by kind and their length as JSON. */
export type ParsedFeedPage = { page: ServicePage; records: Map<Kind, FeedRecord[]>; characters: number };

/** Splits a page into records by kind. */
export function feedPage(page: ServicePage): ParsedFeedPage {
  const records = feedRecords(page.items);
  let characters = 0;
  for (const ofKind of records.values()) for (const { text } of ofKind) characters += text.length;
  return { page, records, characters };
}

/**
 * Speeds up fast walks: text analysis on another thread, delayed merges of the word index, and list indexes built at the
 * end if most of the mirror is new.
 */
export type FeedIntake = {
  /** Analyses a page ahead of saving, once many new pages came fast; resolves when done. */
  prepare(page: ParsedFeedPage): Promise<void>;
  /** Receives the outcomes of a page, inside its transaction: unchanged records need no preparation. */
  brought(outcomes: FeedOutcomes): void;
  end(): Promise<void>;
};

/** Starting a thread costs as much as some hundred records; at most this many pages are queued. */
const [startsAfter, maxQueued] = [500, 40];

/** Creates the intake of a feed walk. */
export function createFeedIntake(
  { mirror, progress: { note } }: Pick<SyncContext, 'mirror' | 'progress'>,
  preparer: Preparer = createPreparer({ after: startsAfter, asked: maxQueued, note }),
): FeedIntake {
  const content = kindOf('content');
  let isNew = countRows(mirror, content) === 0;
  const held = isNew ? kinds.reduce((sum, kind) => sum + countRows(mirror, kind), 0) : 0;
  let [brought, isFast, isMergedLater, isListedLater] = [0, false, false, false];
  return {
    async prepare({ page, records }) {
      if (!isNew) return;
      isFast = true;
      const waiting = records.get(content) ?? [];
      const prepared = await preparer.prepare(
        content,
        waiting.map(({ text }) => text),
        page.total ?? 0,
      );
      if (prepared === null) return;
      for (const [at, record] of waiting.entries()) record.prepared = preparedAt(prepared, at);
    },
    brought(outcomes) {
      const { added = 0, same = 0, touched = 0 } = outcomes.get('content') ?? {};
      isNew = added > same + touched;
      brought += added;
      if (!isFast) return;
      if (!isMergedLater) mergeIndexAt(mirror, 16, 4);
      isMergedLater = true;
      if (isListedLater || !isNew || brought < held) return;
      dropListIndexes(mirror);
      isListedLater = true;
    },
    async end() {
      await preparer.end();
      if (isMergedLater) atOnce(mirror, () => mergeIndexAt(mirror, 4));
      if (isListedLater) atOnce(mirror, () => createListIndexes(mirror));
    },
  };
}
