import type { Mirror } from '../store/mirror.ts';
import { beyondInterface, filter } from './parameter-kinds.ts';
import { findPlaces, placeRemarks } from './places.ts';
import type { ReadOptions } from './question.ts';

/** Filters by the seat that the politician of a record has now. */
export const seatFilters = beyondInterface({
  chamber: filter('only records of this chamber, or of people who sit there', { example: 'AN', names: 'chamber' }),
  department: filter('only records of people elected there', { example: 'Haute-Ombre', names: 'department' }),
});

/** The filters by seat, with the constituencies of a commune or postcode. */
export const placeFilters = {
  ...seatFilters,
  ...beyondInterface({ place: filter('only records of the deputies of this commune or postcode') }),
};

/** The seats of a commune or postcode, and what they cover; undefined without one. */
export function seatsOfPlace(mirror: Mirror, commune: string | undefined, { places: table = null }: ReadOptions) {
  if (commune === undefined) return { seats: undefined, remarks: [] };
  const seats = findPlaces(mirror, commune, table);
  return { seats, remarks: placeRemarks(seats, table) };
}
