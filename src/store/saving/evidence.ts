/** Ways to learn whether a record still exists: its list, its own URL, the profile of its politician, citations. */
export type Route = 'list' | 'address' | 'profile' | 'citation';

/** The finding of a route on a record; `undecided` if the route does not show all such records. */
export type RouteFinding = 'absent' | 'present' | 'undecided';

/** One observation of a record; `finding` is a hash where a former state is observed. */
export type Observation = { route: string; finding: string; at: string };

/** The last finding of a route: since when, on how many days, and when it last counted; ISO 8601. */
export type Evidence = Observation & { days: number; since: string };

/** Least interval between observations of different days: a nightly sync may start a little earlier. */
export const anotherDayMs = 20 * 3_600_000;

/** The evidence after an observation: another finding resets it, the same one counts once a day. */
export function observe(previous: Evidence | undefined, observation: Observation): Evidence {
  if (previous?.finding !== observation.finding) return { ...observation, days: 1, since: observation.at };
  const isAnotherDay = Date.parse(observation.at) - Date.parse(previous.at) >= anotherDayMs;
  return isAnotherDay ? { ...previous, days: previous.days + 1, at: observation.at } : previous;
}

/** What evidence decides on a missing record; `contradicted` if something still shows or cites it. */
export type Decision = 'withdrawn' | 'missing' | 'contradicted';

/** `secondRoute` must confirm the list, on `days` days (null: none can); near its end, the list may be truncated. */
export type JudgementRule = { secondRoute: Route | null; days: number; isAtListEnd: boolean };

/** Withdrawn if list and second route lack it on `days` days; the list alone, unless cut there or the record cited. */
export function judge(evidence: readonly Evidence[], { secondRoute, days, isAtListEnd }: JudgementRule): Decision {
  const evidenceBy = (route: Route | null) => evidence.find((each) => each.route === route);
  const isAbsent = (route: Route) => evidenceBy(route)?.finding === 'absent' && evidenceBy(route)!.days >= days;
  if (evidenceBy(secondRoute)?.finding === 'present') return 'contradicted';
  if (secondRoute === null || evidenceBy(secondRoute)?.finding === 'undecided') {
    if (isAtListEnd || evidenceBy('citation')?.finding === 'present') return 'contradicted';
    return isAbsent('list') ? 'withdrawn' : 'missing';
  }
  return isAbsent('list') && isAbsent(secondRoute) ? 'withdrawn' : 'missing';
}
