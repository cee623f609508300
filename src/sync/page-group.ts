import type { ServicePage } from '../service/pages.ts';

/** A page of a list, and how much there is to save of it. */
export type WaitingPage = { page: ServicePage; characters: number };

/** As many records and characters wait at most, where pages come so soon one behind the other. */
const [mostRecords, mostCharacters, soonMs] = [2000, 4 << 20, 100];
/** What was brought is not left unsaved any longer than that. */
const longestMs = 1000;

/** Pages of a list that wait to be saved. */
export type PageGroup<Waiting, Standing> = {
  /** Adds a page; what saving it and those before it told, or null while they wait. */
  add(waiting: Waiting, options: { mayWait: boolean }): Promise<Standing | null>;
  /** Saves what waits, if anything does. */
  save(): Promise<Standing | null>;
};

/**
 * Saves pages as they come: several in one transaction where they come faster than the disk takes transactions, each by
 * itself where a budget paces them. What waits is lost with a crash, and asked for again: the cursor is saved with it.
 * `prepare` may work on those that wait meanwhile, and no page is saved before it is done with that; of those that wait the
 * older half is saved at a time, so that it has something to work on while that is written.
 */
export function createPageGroup<Waiting extends WaitingPage, Standing>(
  now: () => number,
  {
    prepare = async () => {},
    save: savePages,
  }: { prepare?: (waiting: Waiting) => Promise<void>; save: (pages: readonly Waiting[]) => Standing },
): PageGroup<Waiting, Standing> {
  const waiting: { page: Waiting; since: number; prepared: Promise<void> | null }[] = [];
  let cameAt = Number.NEGATIVE_INFINITY;
  const sum = (count: (page: Waiting) => number) =>
    waiting.reduce((total, { page }) => total + count(page), 0);

  async function save(count: number): Promise<Standing | null> {
    const oldest = waiting.slice(0, count);
    await Promise.all(oldest.map(({ prepared }) => prepared));
    waiting.splice(0, count);
    return oldest.length === 0 ? null : savePages(oldest.map(({ page }) => page));
  }

  return {
    save: () => save(waiting.length),
    async add(page, { mayWait }) {
      const at = now();
      const isSoon = at - cameAt < soonMs;
      cameAt = at;
      waiting.push({ page, since: at, prepared: mayWait && isSoon ? prepare(page) : null });
      if (!mayWait || !isSoon || page.page.next === null) return save(waiting.length);
      const isFull =
        sum(({ page: { items } }) => items.length) >= mostRecords ||
        sum(({ characters }) => characters) >= mostCharacters ||
        at - waiting[0]!.since >= longestMs;
      return isFull ? save(Math.ceil(waiting.length / 2)) : null;
    },
  };
}
