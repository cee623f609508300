import { column } from '../model/columns.ts';
import type { Document } from '../model/document.ts';
import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { similarNames } from '../names/lookup.ts';
import { memberLists } from '../store/records/members.ts';
import { listPoliticians, politicianSorts } from '../store/records/politicians.ts';
import { figure, say } from '../words/speech.ts';
import { refuseUnsupported, requestList, resolveSlugFilter } from './from-service.ts';
import {
  beyondInterface,
  cursor,
  filter,
  integerParameter,
  itemLimit,
  optionalWords,
  singleChoice,
  truth,
} from './parameter-kinds.ts';
import { findPlaces } from './places.ts';
import { listQuestion } from './question.ts';
import { profileQuestion } from './record.ts';
import { seatFilters, subjectFilter } from './record-filters.ts';

/** Politicians, sorted by name, latest fact or last update. */
export const politicians = listQuestion('politicians', {
  parameters: {
    q: optionalWords('beginnings of words in the name', { example: 'bruy' }),
    party: filter('slug of a party or parliamentary group', { example: 'alliance-des-rivages', names: 'party' }),
    ...beyondInterface({
      in_office: truth('only politicians in office: their record states a current role'),
      chamber: filter('chamber of their current mandate', { example: 'AN', names: 'chamber' }),
      department: filter('department that elected them', { example: 'Haute-Ombre', names: 'department' }),
      constituency: integerParameter('number of the constituency that elected them', { minimum: 1, maximum: 999 }),
      place: filter('commune or postcode: deputies of its constituencies; without `places`, of its department'),
      group: seatFilters.group,
      subject: subjectFilter,
    }),
    sort: singleChoice(politicianSorts, 'sort order: by name, latest fact or last update', { fallback: 'name' }),
    limit: itemLimit(100, 'maximum number of politicians'),
    cursor,
  },
  kindsRead: () => ['politician'],
  schema: schemaNameOf('politician'),
  columns: kindOf('politician').listColumns,
  answerFields: [
    column.json('places', 'Of `place`: rows of the table of communes; without `constituency`, all are listed.'),
  ],
  notes(mirror, { party }) {
    if (party === undefined) return [];
    const { members, financially_attached: attached, no_lasting_affiliation: former } = memberLists(mirror, party);
    const counts = say`${figure(members.length)} today, ${figure(attached.length)} financially attached`;
    const note = say`members of ${party}: ${counts}, ${figure(former.length)} listed without a lasting affiliation`;
    return attached.length + former.length === 0 ? [] : [note];
  },
  read(mirror, { place: commune, ...values }, readOptions) {
    const seats = findPlaces(mirror, commune, readOptions);
    const page = listPoliticians(mirror, { ...values, seats }, readOptions.isInterface);
    if (seats) return { ...page, extra: { places: seats } as Document };
    const near = page.total === 0 && values.q ? similarNames(mirror, values.q, 5) : [];
    if (near.length === 0) return page;
    return { ...page, extra: { suggestions: near.map(({ key, name }) => ({ slug: key, full_name: name })) } };
  },
  async requestFromService(service, { q, party, sort, limit, cursor, ...mirrorOnlyFilters }) {
    refuseUnsupported(mirrorOnlyFilters);
    const slug = await resolveSlugFilter(service, 'party', party);
    const query = { q, party: slug, sort, limit: Math.min(limit, 100), cursor };
    return requestList(service, kindOf('politician'), { query });
  },
});

/** One politician. */
export const politician = profileQuestion('politician', 'oceane-bruyevre');
