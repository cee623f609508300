import { NotFoundError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import type { Document } from '../model/document.ts';
import { type ChangesOf, changeFilter, narrowing } from '../questions/changes.ts';
import { resolveNames } from '../questions/names.ts';
import { flagName } from '../questions/parameter.ts';
import { listChanges } from '../store/history/changes.ts';
import type { Mirror } from '../store/mirror.ts';
import { recordFacts } from '../store/records/record-facts.ts';
import { withholding } from '../store/tombstones.ts';
import type { Watch, WatchMark } from '../store/watches.ts';
import { say } from '../words/speech.ts';

/** A change, or an entry that counts several. */
export type Noticed = { change: Document; count: number };

/** Maximum stored changes per run; further ones are only counted. */
export const mostKept = 20_000;

const mostCounted = 100_000;

/** Changes in this mirror since a watch's mark, oldest first, with the new mark and a trouble if any. */
export function changesSince(
  mirror: Mirror,
  of: ChangesOf,
  { watch, mark }: { watch: Pick<Watch, 'mark' | 'only'>; mark: WatchMark & { at: string } },
) {
  const { journal, at: since } = watch.mark;
  // The newest records may be missing because they are withheld.
  if (journal === mark.journal && since !== null && since > mark.at && withholding(mirror))
    return { noticed: [], mark: { ...mark, at: since }, trouble: null };
  if (journal !== mark.journal || since === null || since > mark.at) {
    const trouble = say`the mirror was replaced or recreated: earlier changes are unknown, later ones will be reported`;
    return { noticed: [], mark, trouble: since === null ? null : trouble };
  }
  const retainedChanges: Noticed[] = [];
  let otherCount = 0;
  const filter = { since, until: mark.at, ...changeFilter(withSlugs(mirror, of)) };
  for (const change of listChanges(mirror, filter)) {
    if (watch.only !== null && !watch.only.includes(change.change)) continue;
    if (retainedChanges.length === mostKept) {
      otherCount += 1;
      if (otherCount === mostCounted) break;
      continue;
    }
    const { kind: name, key } = change;
    const show = shellLine(['hemicycle', 'history', name, key]);
    retainedChanges.push({ change: { ...change, ...recordFacts(mirror, name, key), show }, count: 1 });
  }
  return { noticed: withOtherCount(retainedChanges.reverse(), otherCount, mark.at), mark, trouble: null };
}

/** The words of a watch of changes, with the politician as a slug: names of withdrawn records cannot be resolved. */
export function keptWords(mirror: Mirror, words: string[], of: ChangesOf): string[] {
  const { politician } = resolveNames(mirror, narrowing, of);
  if (politician === of.politician) return words;
  const definedFilters = Object.entries({ ...of, politician }).filter(([, value]) => value !== undefined);
  const flag = (name: string) => `--${flagName(name, narrowing[name as keyof ChangesOf])}`;
  return ['changes', ...definedFilters.flatMap(([name, value]) => [flag(name), String(value)])];
}

/** Replaces names by slugs; a withdrawn record keeps the typed text, so that its return is noticed. */
function withSlugs(mirror: Mirror, of: ChangesOf): ChangesOf {
  try {
    return resolveNames(mirror, narrowing, of);
  } catch (error) {
    if (error instanceof NotFoundError) return of;
    throw error;
  }
}

/** Stored changes, preceded by one entry that counts all others. */
export function withOtherCount(retainedChanges: Noticed[], otherCount: number, at: string): Noticed[] {
  if (otherCount === 0) return retainedChanges;
  const change: Document = {
    seen_at: at,
    change: 'more',
    kind: 'change',
    key: 'more',
    politician: null,
    title: '',
    fields: [],
    at_least: otherCount === mostCounted,
  };
  return [{ change, count: otherCount }, ...retainedChanges];
}
