import type { ServicePage } from '../service/pages.ts';

/** As many pages as are saved at once at most, where each came so soon behind the one before. */
const [mostPages, soonMs] = [10, 100];

/** Pages of a list that wait to be saved. */
export type PageGroup<Standing> = {
  /** Adds a page; what saving it and those before it told, or null while they wait. */
  add(page: ServicePage, options: { mayWait: boolean }): Standing | null;
  /** Saves what waits, if anything does. */
  save(): Standing | null;
};

/**
 * Saves pages as they come: several in one transaction where they come faster than the disk takes transactions, each by
 * itself where a budget paces them. What waits is lost with a crash, and asked for again: the cursor is saved with it.
 */
export function createPageGroup<Standing>(
  now: () => number,
  savePages: (pages: readonly ServicePage[]) => Standing,
): PageGroup<Standing> {
  let waiting: ServicePage[] = [];
  let cameAt = Number.NEGATIVE_INFINITY;
  const save = () => {
    const pages = waiting;
    waiting = [];
    return pages.length === 0 ? null : savePages(pages);
  };
  return {
    save,
    add(page, { mayWait }) {
      const at = now();
      const isSoon = at - cameAt < soonMs;
      cameAt = at;
      waiting.push(page);
      return mayWait && isSoon && page.next !== null && waiting.length < mostPages ? null : save();
    },
  };
}
