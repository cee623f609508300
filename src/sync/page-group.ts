import type { ServicePage } from '../service/pages.ts';

/** A page that waits to be saved, and its size. */
export type WaitingPage = { page: ServicePage; characters: number };

/** Limits of a group, and the interval at which pages count as fast. */
const [maxRecords, maxCharacters, soonMs] = [2000, 4 << 20, 100];
/** Pages wait no longer than this. */
const longestMs = 1000;

/** Coalesces pages into transactions. */
export type PageGroup<Waiting, Standing> = {
  /** Adds a page; returns the result of saving, or null while pages wait. */
  add(waiting: Waiting, options: { mayWait: boolean }): Promise<Standing | null>;
  /** Saves all waiting pages. */
  save(): Promise<Standing | null>;
};

/**
 * Creates a page group: fast pages share transactions, slow ones are saved one by one. A crash loses waiting pages together
 * with their cursor, so they are fetched again. Pages are saved only after `prepare` is done with them; the older half is
 * saved at a time, so that preparing and writing overlap.
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
        sum(({ page: { items } }) => items.length) >= maxRecords ||
        sum(({ characters }) => characters) >= maxCharacters ||
        at - waiting[0]!.since >= longestMs;
      return isFull ? save(Math.ceil(waiting.length / 2)) : null;
    },
  };
}
