import { NotFoundError, orNull } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import type { Document } from '../model/document.ts';
import { type NamedChange, readNews } from '../questions/brief.ts';
import { type ChangeValues, changeFilter, narrowingParameters } from '../questions/changes.ts';
import { resolveNames } from '../questions/names.ts';
import { flagName } from '../questions/parameter.ts';
import type { PlaceOptions } from '../questions/seat.ts';
import { listChanges } from '../store/history/changes.ts';
import type { Mirror } from '../store/mirror.ts';
import { recordFacts } from '../store/records/record-facts.ts';
import { withholding } from '../store/tombstones.ts';
import type { Watch, WatchMark } from '../store/watches.ts';
import { say } from '../words/speech.ts';
import type { WatchedQuestion } from './watched-question.ts';

/** Maximum stored changes per run; further ones are only counted. */
const maxStoredChanges = 20_000;

const maxCountedChanges = 100_000;

/** Changes in this mirror since a watch's mark, oldest first, with the new mark and a trouble if any. */
export function readChangesSince(
  mirror: Mirror,
  { question, filter: changeValues }: Extract<WatchedQuestion, { asks: 'changes' }>,
  {
    watch,
    mark,
    ...options
  }: PlaceOptions & { watch: Pick<Watch, 'mark' | 'onlySorts'>; mark: WatchMark & { at: string } },
) {
  const { journal, at: since } = watch.mark;
  // The newest records may be missing because they are withheld.
  if (journal === mark.journal && since !== null && since > mark.at && withholding(mirror))
    return { noticed: [], mark: { ...mark, at: since }, trouble: null };
  if (journal !== mark.journal || since === null || since > mark.at) {
    const trouble = say`the mirror was replaced or recreated: earlier changes are unknown, later ones will be reported`;
    return { noticed: [], mark, trouble: since === null ? null : trouble };
  }
  const filter = { since, until: mark.at, ...changeFilter(mirror, resolveSlugs(mirror, changeValues), options) };
  const isBrief = question.name === 'brief';
  const all: Iterable<NamedChange> = isBrief ? readNews(mirror, filter).toReversed() : listChanges(mirror, filter);
  const changes = Iterator.from(all).filter(({ change }) => watch.onlySorts?.includes(change) ?? true);
  const noticed = limitedChanges(changes, mark.at, (change) => {
    const { kind: name, key } = change;
    return { ...change, ...recordFacts(mirror, name, key), show: shellLine(['hemicycle', 'history', name, key]) };
  });
  return { noticed, mark, trouble: null };
}

/** The words of a watch of changes, with the politician as a slug: names of withdrawn records cannot be resolved. */
export function wordsWithSlugs(mirror: Mirror, words: string[], changeValues: ChangeValues): string[] {
  const { politician } = resolveNames(mirror, narrowingParameters, changeValues);
  if (politician === changeValues.politician) return words;
  const definedFilters = Object.entries({ ...changeValues, politician }).filter(([, value]) => `${value ?? ''}` !== '');
  const flag = (name: string) => `--${flagName(name, narrowingParameters[name as keyof ChangeValues])}`;
  return ['changes', ...definedFilters.flatMap(([name, value]) => [flag(name), String(value)])];
}

/** Replaces names by slugs; a withdrawn record keeps the typed text, so that its return is noticed. */
const resolveSlugs = (mirror: Mirror, changeValues: ChangeValues): ChangeValues =>
  orNull(() => resolveNames(mirror, narrowingParameters, changeValues), NotFoundError) ?? changeValues;

/** Describes changes, newest first, to store oldest first, after a count of those beyond `maxStoredChanges`. */
export function limitedChanges<Change>(changes: Iterable<Change>, at: string, describe: (change: Change) => Document) {
  const noticed: { change: Document; count: number }[] = [];
  let otherCount = 0;
  for (const change of changes) {
    if (noticed.length < maxStoredChanges) noticed.push({ change: describe(change), count: 1 });
    else otherCount += 1;
    if (otherCount === maxCountedChanges) break;
  }
  if (otherCount > 0) {
    const more = { seen_at: at, change: 'more', kind: 'change', key: 'more', politician: null, title: '', fields: [] };
    noticed.push({ change: { ...more, at_least: otherCount === maxCountedChanges }, count: otherCount });
  }
  return noticed.reverse();
}
