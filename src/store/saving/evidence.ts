/** Sources of evidence that a record still exists: its list, its own URL, its politician's profile, its citations. */
export type Route = 'list' | 'address' | 'profile' | 'citation';

/** What a route shows of a record; `undecided` if it does not show all records of that kind. */
export type RouteFinding = 'absent' | 'present' | 'undecided';

/**
 * One observation of a record: a `Route` with a `RouteFinding`; `row` or `detail` with the content hash of a reversion;
 * `identity` with the birth day or name of another person; `moved` with the key to which the record's address leads.
 */
export type Observation = { route: string; finding: string; at: string };

/** The last finding of a route: since when, on how many days, and when (`at`) a day was counted last; ISO 8601. */
export type Evidence = Observation & { days: number; since: string };

/** Minimum interval between two counted days: less than 24 hours, as a nightly sync may start a little earlier. */
export const minDayIntervalMs = 20 * 3_600_000;

/** The evidence after an observation: another finding restarts it, the same finding adds a day, at most one a day. */
export function addObservation(previous: Evidence | undefined, observation: Observation): Evidence {
  if (previous?.finding !== observation.finding) return { ...observation, days: 1, since: observation.at };
  const isAnotherDay = Date.parse(observation.at) - Date.parse(previous.at) >= minDayIntervalMs;
  return isAnotherDay ? { ...previous, days: previous.days + 1, at: observation.at } : previous;
}

/** `secondRoute` (null: none exists) and the list must agree, each on `days` days; `isAtListEnd`: it may be cut off. */
type WithdrawalRule = { secondRoute: Route | null; days: number; isAtListEnd: boolean };

/** True if the evidence proves by a rule that a record missing from its list was withdrawn. */
export function isWithdrawalProven(evidence: readonly Evidence[], rule: WithdrawalRule): boolean {
  const { secondRoute, days, isAtListEnd } = rule;
  const evidenceBy = (route: Route | null) => evidence.find((each) => each.route === route);
  const isAbsent = (route: Route) => evidenceBy(route)?.finding === 'absent' && evidenceBy(route)!.days >= days;
  const hasListOnly = secondRoute === null || evidenceBy(secondRoute)?.finding === 'undecided';
  if (!hasListOnly) return isAbsent('list') && isAbsent(secondRoute);
  return isAbsent('list') && !isAtListEnd && evidenceBy('citation')?.finding !== 'present';
}
