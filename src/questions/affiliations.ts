import { affiliationEvents } from '../model/affiliation.ts';
import { column, present, stated } from '../model/columns.ts';
import { listAffiliations } from '../store/records/affiliations.ts';
import { choice, count, cursor, filter, partyFilter } from './parameter-kinds.ts';
import { listQuestion, toldOf } from './question.ts';
import { dayBound } from './time-bounds.ts';

const { text, date } = column;

/** Who joined or left which party or group. */
export const affiliations = listQuestion({
  ...toldOf('affiliations'),
  parameters: {
    since: dayBound('start', 'that day or later'),
    until: dayBound('end', 'that day or earlier'),
    politician: filter('slug of a politician', { example: 'oceane-bruyevre', names: 'politician' }),
    party: partyFilter,
    event: choice(affiliationEvents, 'only what began, or only what ended', { fallback: undefined }),
    cursor,
    limit: count(100, 'number of days'),
  },
  reads: () => ['politician', 'party'],
  fields: [
    date('date', 'The day, ISO 8601.', stated),
    text('event', 'What happened to the affiliation on that day.', { ...stated, words: affiliationEvents }),
    text('politician', 'Slug of the politician.', stated),
    text('full_name', 'Name of the politician.', present),
    text('party', 'Slug of the party or group.', present),
    text('party_name', 'Its name, where the mirror holds it.', present),
    text('role', 'Role in it, as the source words it.', present),
    date('start', 'First day of the affiliation; null where it is not stated.', present),
    date('end', 'Last day of it; null while it lasts, and where it is not stated.', present),
  ],
  columns: ['date', 'event', 'full_name', 'party_name', 'role', 'politician', 'party'],
  read(mirror, values) {
    const { items, ...page } = listAffiliations(mirror, values);
    return { ...page, items: items.map((each) => JSON.stringify(each)) };
  },
});
