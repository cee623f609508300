import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { isSlug } from '../names/lookup.ts';
import { listParties } from '../store/records/parties.ts';
import { wholeRecord } from '../store/records/profile.ts';
import { askList, profileOf } from './from-service.ts';
import { noProfile } from './names.ts';
import { place } from './parameter-kinds.ts';
import { listQuestion, recordQuestion, toldOf } from './question.ts';

/** All parties and groups. */
export const parties = listQuestion({
  ...toldOf('parties'),
  parameters: {},
  reads: () => ['party'],
  schema: schemaNameOf('party'),
  columns: kindOf('party').listColumns,
  read: (mirror) => listParties(mirror),
  ask: (service) => askList(service, kindOf('party'), { query: {} }),
});

/** One party or group. */
export const party = recordQuestion({
  ...toldOf('party'),
  parameters: {
    slug: place('slug of the party', { example: 'alliance-des-rivages', names: 'party' }),
  },
  reads: () => ['party'],
  kind: () => 'party',
  read: (mirror, { slug }) => wholeRecord(mirror, kindOf('party'), slug),
  ask: (service, { slug }) => profileOf(service, 'party', slug),
  absent: (mirror, { slug }) => noProfile(mirror, 'party', slug),
  unknown: ({ slug }) => (isSlug(slug) ? slug : null),
});
