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

/** One page of the feed on its way into the mirror: its records by kind, and how long they are as JSON. */
export type ParsedFeedPage = { page: ServicePage; records: Map<Kind, FeedRecord[]>; characters: number };

/** The page with its records. */
export function feedPage(page: ServicePage): ParsedFeedPage {
  const records = feedRecords(page.items);
  let characters = 0;
  for (const ofKind of records.values()) for (const { text } of ofKind) characters += text.length;
  return { page, records, characters };
}

/**
 * Makes a walk whose pages come fast ready to be saved: on another thread, with an index of words that is merged later, and
 * with list indexes that are made at its end where most of the mirror came with it.
 */
export type FeedIntake = {
  /** Works out ahead what saving a page needs, once many that came fast were new; resolves when it is there. */
  prepare(page: ParsedFeedPage): Promise<void>;
  /** To be told what a page brought, in its transaction: of what is held most is the same, and needs none of that. */
  brought(outcomes: FeedOutcomes): void;
  end(): Promise<void>;
};

/** A thread that starts costs as much as some hundred records; so many pages wait for it at most. */
const [startsAfter, mostAsked] = [500, 40];

/** What a sync does for the pages of its feed that come fast. */
export function createFeedIntake(
  { mirror, progress: { note } }: Pick<SyncContext, 'mirror' | 'progress'>,
  preparer: Preparer = createPreparer({ after: startsAfter, asked: mostAsked, note }),
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
