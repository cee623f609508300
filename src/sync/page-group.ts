import type { ServicePage } from '../service/pages.ts';

/** A page of a list, and how much there is to save of it. */
export type WaitingPage = { page: ServicePage; characters: number };

/** As many records and characters as are saved at once at most, where pages come so soon one behind the other. */
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
 * `prepare` may work on those that wait meanwhile; nothing is saved before it is done.
 */
export function createPageGroup<Waiting extends WaitingPage, Standing>(
  now: () => number,
  {
    prepare = async () => {},
    save: savePages,
  }: { prepare?: (waiting: Waiting) => Promise<void>; save: (pages: readonly Waiting[]) => Standing },
): PageGroup<Waiting, Standing> {
  let waiting: Waiting[] = [];
  let prepared: Promise<void>[] = [];
  let [records, characters] = [0, 0];
  let [cameAt, since] = [Number.NEGATIVE_INFINITY, 0];
  const save = async () => {
    const pages = waiting;
    await Promise.all(prepared);
    [waiting, prepared, records, characters] = [[], [], 0, 0];
    return pages.length === 0 ? null : savePages(pages);
  };
  return {
    save,
    async add(next, { mayWait }) {
      const at = now();
      const isSoon = at - cameAt < soonMs;
      cameAt = at;
      if (waiting.length === 0) since = at;
      waiting.push(next);
      records += next.page.items.length;
      characters += next.characters;
      if (mayWait && isSoon) prepared.push(prepare(next));
      const isFull = records >= mostRecords || characters >= mostCharacters || at - since >= longestMs;
      return mayWait && isSoon && next.page.next !== null && !isFull ? null : save();
    },
  };
}
