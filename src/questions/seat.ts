import type { Mirror } from '../store/mirror.ts';
import { beyondInterface, filter, groupFilter } from './parameter-kinds.ts';
import { findPlaces, placeRemarks } from './places.ts';
import type { ReadOptions } from './question.ts';

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
export function recordFilter<SomeValues extends SeatValues>(
  mirror: Mirror,
  { place, party, group, ...values }: SomeValues,
  readOptions: PlaceOptions,
) {
  const { seats, remarks } = seatsOfPlace(mirror, place, readOptions);
  return { filter: { ...values, seats, party: party ?? group, group: party && group }, remarks };
}

/** The seats of a commune or postcode, and what they cover; undefined without one. */
export function seatsOfPlace(mirror: Mirror, commune: string | undefined, { places: table = null }: PlaceOptions) {
  if (commune === undefined) return { seats: undefined, remarks: [] };
  const seats = findPlaces(mirror, commune, table);
  return { seats, remarks: placeRemarks(seats, table) };
}
