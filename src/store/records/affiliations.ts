import { byCodeUnit } from '../../language/fold.ts';
import { type Affiliation, type AffiliationEvent, affiliationDays, affiliationsIn } from '../../model/affiliation.ts';
import { slugOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { slugsIn } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { badCursor, decodeCursor, encodeCursor } from '../page.ts';
import { rows } from '../rows.ts';
import { type BegunStay, begunStays, type StayReason, stayReasons } from './moves.ts';
import { groupFacts } from './parties.ts';

export type AffiliationFilter = {
  since?: string | undefined;
  until?: string | undefined;
  politician?: string | undefined;
  /** Comma-separated slugs of parties and groups; any of them matches. */
  party?: string | undefined;
  event?: AffiliationEvent | undefined;
  /** Only the first days of stays that are moves from another party or group (see `begunStays`). */
  moved?: boolean | undefined;
  limit: number;
  cursor?: string | undefined;
};

const order = 'affiliations';

/** Days on which affiliations began or ended, newest first. */
export function listAffiliations(
  mirror: Mirror,
  { limit, cursor, moved = false, ...filter }: AffiliationFilter,
): { items: Affiliation[]; total: number; nextCursor: string | null } {
  const all = [...(moved ? movesIn : daysIn)(mirror, filter)].sort((one, other) => compare(one, other));
  const after = cursor === undefined ? null : positionIn(cursor);
  const from = after === null ? 0 : all.findIndex((each) => compare(each, after) > 0);
  const page = from < 0 ? [] : all.slice(from, from + limit);
  const hasMore = from >= 0 && all.length > from + limit;
  const slugs = new Set(page.flatMap(({ party, from }) => [party ?? [], from ?? []].flat()));
  const facts = groupFacts(mirror, [...slugs]);
  return {
    items: page.map(({ at: _at, ...each }) => ({
      ...each,
      party_name: facts.get(each.party ?? '')?.name ?? null,
      ...(each.from === undefined ? {} : { from_name: facts.get(each.from)?.name ?? null }),
    })),
    total: all.length,
    nextCursor: hasMore ? cursorFor(page.at(-1)!) : null,
  };
}

/** A day of an affiliation; `at` is the index of the affiliation in the politician's list. */
type Day = Affiliation & { at: number };
type DayFilter = Omit<AffiliationFilter, 'limit' | 'cursor'>;
type AffiliationCursor = Pick<Day, 'date' | 'politician' | 'at' | 'event'>;

function* daysIn(mirror: Mirror, { politician, party, since, until, event }: DayFilter): Generator<Day> {
  const parties = party === undefined ? null : new Set(slugsIn(party));
  const kind = kindOf('politician');
  for (const document of rows(mirror, kind, politician === undefined ? {} : { politician }))
    for (const [at, each] of affiliationsIn(document).entries()) {
      if (parties !== null && !parties.has(slugOf(each.party) ?? '')) continue;
      for (const day of affiliationDays(document, each)) {
        const isWithin = (since ?? '') <= day.date && (until === undefined || day.date <= until);
        if (isWithin && (event === undefined || day.event === event)) yield { ...day, at };
      }
    }
}

/** First and last day on which any affiliation began or ended; null where none is stated. */
export function affiliationPeriod(mirror: Mirror): { first: string | null; last: string | null } {
  return mirror.readOnce('days of affiliations', () => {
    const days = [...daysIn(mirror, {})].map(({ date }) => date).sort();
    return { first: days[0] ?? null, last: days.at(-1) ?? null };
  });
}

/** Number of stays that begin without being a move, by reason. */
export function countNoMoves(mirror: Mirror, filter: AffiliationFilter): Record<StayReason, number> {
  const startedStays = begunWithin(mirror, filter);
  const count = (reason: StayReason) => startedStays.filter((each) => each.reason === reason).length;
  const counts = stayReasons.map((reason) => [reason, count(reason)]);
  return Object.fromEntries(counts) as Record<StayReason, number>;
}

/** Parties or groups counted as continuations, as `FORMER → NEW (STAYS)`, most stays first. */
export function continuations(mirror: Mirror, filter: AffiliationFilter): string[] {
  const renamed = begunWithin(mirror, filter).filter(({ reason }) => reason === 'renamed');
  const pairs = [...Map.groupBy(renamed, ({ from, party }) => `${from!.party} → ${party}`)];
  const sorted = pairs.sort(([, one], [, other]) => other.length - one.length);
  return sorted.map(([pair, { length }]) => `${pair} (${length})`);
}

function begunWithin(mirror: Mirror, { politician, party, since = '', until = '~' }: DayFilter): BegunStay[] {
  const parties = party === undefined ? null : new Set(slugsIn(party));
  return begunStays(mirror).filter(
    (each) =>
      since <= each.first &&
      each.first <= until &&
      (politician === undefined || each.politician === politician) &&
      (parties === null || parties.has(each.party) || parties.has(each.from?.party ?? '')),
  );
}

function movesIn(mirror: Mirror, filter: DayFilter): Day[] {
  const moves = begunWithin(mirror, filter).filter(({ reason }) => reason === null);
  return moves.map(({ politician, full_name, party, first, last, from }, at) => ({
    ...{ date: first, event: 'began', politician, full_name, party, party_name: null, role: null },
    ...{ start: first, end: last, from: from!.party, from_end: from!.last, at },
  }));
}

function compare(one: AffiliationCursor, other: AffiliationCursor): number {
  return (
    byCodeUnit(other.date, one.date) ||
    byCodeUnit(one.politician, other.politician) ||
    one.at - other.at ||
    byCodeUnit(one.event, other.event)
  );
}

function cursorFor({ date, politician, at, event }: AffiliationCursor): string {
  return encodeCursor(order, [`${date} ${event} ${politician}`, at]);
}

function positionIn(cursor: string): AffiliationCursor {
  const [text, at] = decodeCursor(order, cursor);
  const [, date, event, politician] = /^(\S+) (began|ended) (.*)$/.exec(text) ?? [];
  if (date === undefined) throw badCursor();
  return { date, event: event as AffiliationEvent, politician: politician!, at };
}
