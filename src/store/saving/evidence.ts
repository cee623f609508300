/** Ways to learn whether a record still exists: its list, its own URL, the profile of its politician, citations. */
export type Route = 'list' | 'address' | 'profile' | 'citation';

/** What a route says of a record; `undecided` if it does not show all such records. */
export type RouteFinding = 'absent' | 'present' | 'undecided';

/** One observation of a record; `finding` is a hash where a former state is observed. */
export type Observation = { route: string; finding: string; at: string };

/** The last finding of a route: since when, on how many days, and when it last counted; ISO 8601. */
export type Evidence = Observation & { days: number; since: string };

/** Least interval between observations of different days: a nightly sync may start a little earlier. */
export const anotherDayMs = 20 * 3_600_000;

/** The evidence after an observation: another finding starts anew, the same one counts once a day. */
export function observe(previous: Evidence | undefined, observation: Observation): Evidence {
  if (previous?.finding !== observation.finding) return { ...observation, days: 1, since: observation.at };
  const isAnotherDay = Date.parse(observation.at) - Date.parse(previous.at) >= anotherDayMs;
  return isAnotherDay ? { ...previous, days: previous.days + 1, at: observation.at } : previous;
}

/** What evidence decides on a missing record; `contradicted` if something still shows or cites it. */
export type Decision = 'withdrawn' | 'missing' | 'contradicted';

/** What a record is judged by: the route beside its list, on how many days, and whether the list may be cut there. */
export type Judging = { secondRoute: Route | null; days: number; isAtCut: boolean };

/** Decides on a missing record: its list and its second route must lack it for days, and lists alone prove less. */
export function judge(evidence: readonly Evidence[], { secondRoute, days, isAtCut }: Judging): Decision {
  const of = (route: Route | null) => evidence.find((each) => each.route === route);
  const isAbsent = (route: Route) => of(route)?.finding === 'absent' && of(route)!.days >= days;
  if (of(secondRoute)?.finding === 'present') return 'contradicted';
  if (secondRoute === null || of(secondRoute)?.finding === 'undecided') {
    if (isAtCut || of('citation')?.finding === 'present') return 'contradicted';
    return isAbsent('list') ? 'withdrawn' : 'missing';
  }
  return isAbsent('list') && isAbsent(secondRoute) ? 'withdrawn' : 'missing';
}
