import type { Mirror } from '../store/mirror.ts';
import { countMessages, pruneChanges } from '../store/outbox.ts';
import { type CitationSettings, citationOf } from '../store/records/citation.ts';
import { lastFilled } from '../store/records/contents.ts';
import { forgetContents, inOneStep, readWatch, type WatchBook, watchIds } from '../store/watches.ts';
import { type DeliverOptions, deliver } from './deliver.ts';
import { look } from './look.ts';
import { shareAnswers } from './rows.ts';

/** Result of a run of all watches. */
export type WatchReport = {
  /** Watches that looked. */
  watches: number;
  /** Changes that were noticed. */
  changes: number;
  /** Messages and files delivered, failed in this run, and still waiting. */
  told: number;
  failed: number;
  waiting: number;
  /** Messages given up in this run, and in all. */
  dead: number;
  dead_in_all: number;
  /** Watches that could not look, and why. */
  troubles: { watch: string; trouble: string }[];
};

export type RunOptions = Omit<DeliverOptions, 'cited' | 'unanswered'> & {
  citation: CitationSettings;
  /** Ids of the watches to run; all by default. */
  only?: number[];
};

/** Runs every watch on the mirror and delivers what is due. */
export async function runWatches(
  book: WatchBook,
  mirror: Mirror,
  { citation, only, ...options }: RunOptions,
): Promise<WatchReport> {
  const { signal, now } = options;
  const cited = { citation: citationOf(citation, mirror), retrievedAt: lastFilled(mirror) };
  const unanswered = new Set<string>();
  const shared = shareAnswers();
  const report: WatchReport = {
    ...{ watches: 0, changes: 0, told: 0, failed: 0, waiting: 0, dead: 0, dead_in_all: 0 },
    troubles: [],
  };
  for (const id of only ?? watchIds(book)) {
    if (signal.aborted) break;
    const watch = readWatch(book, id);
    if (!watch) continue;
    const changes = await look(book, mirror, watch, { nowMs: now(), shared, kinds: options.kinds });
    const looked = readWatch(book, id);
    if (!looked) continue;
    const { told, failed, dead } = await deliver(book, looked, { ...options, cited, unanswered });
    report.watches += 1;
    report.changes += changes;
    report.told += told;
    report.failed += failed;
    report.dead += dead;
    if (looked.trouble !== null) report.troubles.push({ watch: looked.name, trouble: looked.trouble });
    if (changes > 0) pruneChanges(book, id, now());
  }
  if (report.changes > 0) inOneStep(book, () => forgetContents(book));
  report.waiting = countMessages(book, 'waiting');
  report.dead_in_all = countMessages(book, 'dead');
  return report;
}
