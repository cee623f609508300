import { byCodeUnit } from '../../language/fold.ts';
import { type Affiliation, type AffiliationEvent, affiliationDays } from '../../model/affiliation.ts';
import { documentsIn, slugOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import { slugsIn } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { badCursor, decodeCursor, encodeCursor } from '../page.ts';
import { rows } from '../rows.ts';
import { groupFacts } from './parties.ts';

export type AffiliationFilter = {
  since?: string | undefined;
  until?: string | undefined;
  politician?: string | undefined;
  /** Comma-separated slugs; affiliations with any of these parties and groups. */
  party?: string | undefined;
  event?: AffiliationEvent | undefined;
  limit: number;
  cursor?: string | undefined;
};

const order = 'affiliations';

/** Days on which affiliations began or ended, newest first. */
export function listAffiliations(
  mirror: Mirror,
  { limit, cursor, ...filter }: AffiliationFilter,
): { items: Affiliation[]; total: number; nextCursor: string | null } {
  const all = [...daysIn(mirror, filter)].sort(compare);
  const after = cursor === undefined ? null : positionIn(cursor);
  const from = after === null ? 0 : all.findIndex((each) => compare(each, after) > 0);
  const page = from < 0 ? [] : all.slice(from, from + limit);
  const hasMore = from >= 0 && all.length > from + limit;
  const facts = groupFacts(
    mirror,
    page.map(({ party }) => party),
  );
  return {
    items: page.map(({ at: _at, ...each }) => ({
      ...each,
      party_name: facts.get(each.party ?? '')?.name ?? null,
    })),
    total: all.length,
    nextCursor: hasMore ? cursorFor(page.at(-1)!) : null,
  };
}

/** A day of an affiliation; `at` is its index among those of the politician. */
type Day = Affiliation & { at: number };
type DayFilter = Omit<AffiliationFilter, 'limit' | 'cursor'>;
type AffiliationCursor = Pick<Day, 'date' | 'politician' | 'at' | 'event'>;

function* daysIn(mirror: Mirror, { politician, party, since, until, event }: DayFilter): Generator<Day> {
  const parties = party === undefined ? null : new Set(slugsIn(party));
  const kind = kindOf('politician');
  for (const document of rows(mirror, kind, politician === undefined ? {} : { politician }))
    for (const [at, each] of documentsIn(document.affiliations).entries()) {
      if (parties !== null && !parties.has(slugOf(each.party) ?? '')) continue;
      for (const day of affiliationDays(document, each)) {
        const isWithin = (since ?? '') <= day.date && (until === undefined || day.date <= until);
        if (isWithin && (event === undefined || day.event === event)) yield { ...day, at };
      }
    }
}

/** Newest day first, then by politician and the order of the source. */
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
