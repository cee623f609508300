import type { Mirror } from '../store/mirror.ts';
import { beyondInterface, filter, groupFilter, listParameter } from './parameter-kinds.ts';
import { findPlaces, placeRemarks } from './places.ts';
import type { ReadOptions } from './question.ts';

/** A filter by subjects, by name; see `UserSubject`. */
export const subjectFilter = listParameter(
  'only records in a subject, your own or built-in, by its name; of several, in any of them',
  { pattern: '\\S', flag: { helpValue: 'NAME' }, isBeyondInterface: true, read: (name) => name },
);

/** Filters by the seat that the politician of a record has now, and by groups. */
export const seatFilters = beyondInterface({
  chamber: filter('only records of this chamber, or of people who sit there', { example: 'AN', names: 'chamber' }),
  department: filter('only records of people elected there', { example: 'Haute-Ombre', names: 'department' }),
  place: filter('only records of the deputies of this commune or postcode'),
  group: groupFilter,
});

export type PlaceOptions = Pick<ReadOptions, 'places'>;
type SeatValues = { place?: string | undefined; party?: string | undefined; group?: string | undefined };

/** The filter of the store for values: with seats for a commune, and groups alone in place of parties. */
export function recordFilter<Some extends SeatValues>(mirror: Mirror, values: Some, options: PlaceOptions) {
  const { place, party, group, ...otherValues } = values;
  return { ...otherValues, seats: seatsOfPlace(mirror, place, options), party: party ?? group, group: party && group };
}

/** What an answer covers by the place in its values; nothing without one. */
export function remarksOfPlace(mirror: Mirror, { place }: SeatValues, options: PlaceOptions) {
  const seats = seatsOfPlace(mirror, place, options);
  return seats === undefined ? [] : placeRemarks(seats, options.places ?? null);
}

/** The seats of a commune or postcode; undefined without one. */
export const seatsOfPlace = (mirror: Mirror, commune: string | undefined, { places: table = null }: PlaceOptions) =>
  commune === undefined ? undefined : findPlaces(mirror, commune, table);
