import type { Mirror } from '../store/mirror.ts';
import { literalParameter } from './interpretation.ts';
import { beyondInterface, filter, groupFilter, listParameter, optionalWords } from './parameter-kinds.ts';
import { findPlaces, type PlaceOptions } from './places.ts';
import { dayBound } from './time-bounds.ts';

/** A filter by names of subjects, the user's own or built-in. */
export const subjectFilter = listParameter(
  'only records in a subject, your own or built-in, by its name; of several, in any of them',
  { pattern: '\\S', flag: { helpValue: 'NAME' }, isBeyondInterface: true, read: (name) => name },
);

/** Filters of records by words and days. */
export const recordFilters = {
  q: optionalWords('words in the record', { example: 'logement' }),
  since: dayBound('start', 'on this day or later'),
  until: dayBound('end', 'on this day or earlier'),
  subject: subjectFilter,
  literal: literalParameter,
};

/** Filters by the current seat of a record's politician, and by group. */
export const seatFilters = beyondInterface({
  chamber: filter('only records of this chamber, or of people who sit there', { example: 'AN', names: 'chamber' }),
  department: filter('only records of people elected there', { example: 'Haute-Ombre', names: 'department' }),
  place: filter('only records of the deputies of this commune or postcode'),
  group: groupFilter,
});

type SeatValues = { place?: string | undefined; party?: string | undefined; group?: string | undefined };

/** Returns the store's filter for parameter values: `seats` of `place`, and a lone `group` as `party`. */
export function createRecordFilter<Some extends SeatValues>(mirror: Mirror, values: Some, options: PlaceOptions) {
  const { place, party, group, ...otherValues } = values;
  // The store's `party` matches groups, too; its `group` only narrows.
  const slugs = party === undefined ? { party: group, group: undefined } : { party, group };
  return { ...otherValues, seats: findPlaces(mirror, place, options), ...slugs };
}
