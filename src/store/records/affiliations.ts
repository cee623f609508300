import { byCodeUnit } from '../../language/fold.ts';
import { type AffiliationDay, affiliationDays, affiliationsIn } from '../../model/affiliation.ts';
import { kindOf } from '../../model/kinds.ts';
import { slugsIn } from '../../names/lookup.ts';
import { partyFacts } from '../../names/party-groups.ts';
import { attachmentOf, attachmentOfStay } from '../../parliament/membership.ts';
import type { Mirror } from '../mirror.ts';
import { badCursorError, decodeCursor, encodeCursor, trimPage } from '../page.ts';
import { readRecord } from '../record.ts';
import { rows } from '../rows.ts';
import { readStartedStays, type StayReason, stayReasons } from './moves.ts';
import { groupFacts } from './parties.ts';
import { type RecordFilter, seatSql } from './seats.ts';
import { createRuleLookup } from './subject-records.ts';

/** Selects affiliation days and a page of them; `since` and `until` are inclusive days, ISO 8601. */
export type AffiliationFilter = RecordFilter & {
  since?: string | undefined;
  until?: string | undefined;
  politician?: string | undefined;
  party?: string | undefined; // comma-separated slugs of parties and groups; any of them matches
  event?: AffiliationDay['event'] | undefined;
  /** True to list only moves from another party or group, on their first day (see `readStartedStays`). */
  moved?: boolean | undefined;
  limit: number;
  cursor?: string | undefined;
};

const cursorName = 'affiliations';

/** A page of days on which affiliations began or ended, newest first; `total` is the number of all matches. */
export function listAffiliations(mirror: Mirror, { limit, cursor, moved = false, ...filter }: AffiliationFilter) {
  const allDays: RankedDay[] = moved ? findMoves(mirror, filter).sort(compareDays) : findDays(mirror, filter);
  const cursorDay = cursor === undefined ? null : parseCursor(cursor);
  const remainingDays = cursorDay === null ? allDays : allDays.filter((each) => compareDays(each, cursorDay) > 0);
  const { rows: page, last } = trimPage(remainingDays, limit);
  const facts = groupFacts(mirror);
  return {
    items: page.map(({ at: _at, ...each }) => ({
      ...each,
      party_name: facts.get(each.party ?? '')?.name ?? null,
      ...(each.from === undefined ? {} : { from_name: facts.get(each.from)?.name ?? null }),
      party_link: partyLinkOf(mirror, each),
    })),
    total: allDays.length,
    nextCursor: last && encodeCursor(cursorName, [`${last.date} ${last.event} ${last.politician}`, last.at]),
  };
}

/** The nature of an affiliation, or of the stay that a move begins, if it is a financial attachment; else null. */
function partyLinkOf(mirror: Mirror, day: AffiliationDay): string | null {
  const { politician: slug, party, role, start, end, from } = day;
  const politician = readRecord(mirror, kindOf('politician'), slug) ?? {};
  return from === undefined
    ? attachmentOf(politician, { party, role, start }, partyFacts(mirror))
    : attachmentOfStay(politician, { party: party!, first: start!, last: end }, partyFacts(mirror));
}

/** A day of an affiliation; `at`, a tie-breaker: its index in the politician's list, or a move's in that of moves. */
type RankedDay = AffiliationDay & { at: number };
type DayFilter = Omit<AffiliationFilter, 'limit' | 'cursor'>;
type AffiliationCursor = Pick<RankedDay, 'date' | 'politician' | 'at' | 'event'>;

function findDays(mirror: Mirror, { politician, event, ...filter }: DayFilter): RankedDay[] {
  const isSelected = createDayTest(mirror, filter);
  const days = politician === undefined ? allAffiliationDays(mirror) : readDays(mirror, { politician });
  return days.filter((day) => isSelected(day, [day.party]) && (event === undefined || day.event === event));
}

/** All days of all affiliations, newest first; cached until the next write, as each page of a list needs them. */
const allAffiliationDays = (mirror: Mirror): RankedDay[] =>
  mirror.readOnce('days of affiliations', () => readDays(mirror, {}));

function readDays(mirror: Mirror, filter: { politician?: string }): RankedDay[] {
  const days = Array.from(rows(mirror, kindOf('politician'), filter), (document) =>
    affiliationsIn(document).flatMap((each, at) => affiliationDays(document, each).map((day) => ({ ...day, at }))),
  );
  return days.flat().sort(compareDays);
}

/** Creates a test whether a politician's day in any of `parties` matches the filter by period, party, subject, seat. */
function createDayTest(mirror: Mirror, { party, since, until, subject, ...seatFilter }: DayFilter) {
  const selectedParties = party === undefined ? null : new Set(slugsIn(party));
  const ruleOf = createRuleLookup(mirror, subject); // undefined for a record outside the subjects
  const [seatCondition] = seatSql(mirror, seatFilter); // undefined without a filter by seat
  const sql = `SELECT key FROM record WHERE kind = 'politician' AND (${seatCondition?.sql})`;
  const seatedPoliticians = seatCondition && new Set(mirror.column<string>(sql).all(...seatCondition.parameters));
  return ({ date, politician }: { date: string; politician: string }, parties: (string | null | undefined)[]) =>
    (since ?? '') <= date &&
    (until === undefined || date <= until) &&
    (selectedParties === null || parties.some((each) => selectedParties.has(each ?? ''))) &&
    (seatedPoliticians?.has(politician) ?? true) &&
    ruleOf('politician', politician) !== undefined;
}

/** First and last day on which any affiliation began or ended; null if there is none. */
export function affiliationPeriod(mirror: Mirror): { first: string | null; last: string | null } {
  const days = allAffiliationDays(mirror);
  return { first: days.at(-1)?.date ?? null, last: days[0]?.date ?? null };
}

/** Number of stays (intervals in a party or group) whose start is no move, by reason. */
export function countNonMoves(mirror: Mirror, filter: AffiliationFilter): Record<StayReason, number> {
  const byReason = Map.groupBy(findStartedStays(mirror, filter), ({ reason }) => reason);
  const counts = stayReasons.map((reason) => [reason, byReason.get(reason)?.length ?? 0]);
  return Object.fromEntries(counts) as Record<StayReason, number>;
}

/** Changes of party or group that count as renames, not moves: `FORMER → NEW (STAYS)`, most stays first. */
export function listContinuations(mirror: Mirror, filter: AffiliationFilter): string[] {
  const renamedStays = findStartedStays(mirror, filter).filter(({ reason }) => reason === 'renamed');
  const pairs = [...Map.groupBy(renamedStays, ({ from, party }) => `${from!.party} → ${party}`)];
  const pairsByCount = pairs.sort(([, one], [, other]) => other.length - one.length);
  return pairsByCount.map(([pair, { length }]) => `${pair} (${length})`);
}

function findStartedStays(mirror: Mirror, { politician, ...filter }: DayFilter) {
  const isSelected = createDayTest(mirror, filter);
  return readStartedStays(mirror).filter(
    (each) =>
      (politician === undefined || each.politician === politician) &&
      isSelected({ ...each, date: each.first }, [each.party, each.from?.party]),
  );
}

function findMoves(mirror: Mirror, filter: DayFilter): RankedDay[] {
  const moves = findStartedStays(mirror, filter).filter(({ reason }) => reason === null); // no reason against a move
  return moves.map(({ politician, full_name, party, first, last, from }, at) => ({
    date: first,
    event: 'began',
    politician,
    full_name,
    party,
    party_name: null,
    role: null,
    start: first,
    end: last,
    from: from!.party,
    from_end: from!.last,
    at,
  }));
}

function compareDays(one: AffiliationCursor, other: AffiliationCursor): number {
  return (
    byCodeUnit(other.date, one.date) ||
    byCodeUnit(one.politician, other.politician) ||
    one.at - other.at ||
    byCodeUnit(one.event, other.event)
  );
}

function parseCursor(cursor: string): AffiliationCursor {
  const [text, at] = decodeCursor(cursorName, cursor);
  const [, date, event, politician] = /^(\S+) (began|ended) (.*)$/.exec(text) ?? [];
  if (date === undefined) throw badCursorError();
  return { date, event: event as AffiliationDay['event'], politician: politician!, at };
}
