import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { isSlug } from '../names/lookup.ts';
import { listParties } from '../store/records/parties.ts';
import { wholeRecord } from '../store/records/profile.ts';
import { askList, profileOf } from './from-service.ts';
import { noProfile } from './names.ts';
import { place } from './parameter-kinds.ts';
import { listQuestion, recordQuestion } from './question.ts';

/** All parties and groups. */
export const parties = listQuestion({
  name: 'parties',
  operationId: 'listParties',
  summary: 'all parties and parliamentary groups, by name',
  path: '/parties',
  isInterface: true,
  examples: [{ description: 'All parties and groups', command: 'parties' }],
  parameters: {},
  reads: () => ['party'],
  schema: schemaNameOf('party'),
  columns: kindOf('party').listColumns,
  leftOutFirst: ['chamber', 'kind', 'member_count'],
  read: (mirror) => listParties(mirror),
  ask: (service) => askList(service, kindOf('party'), { query: {} }),
});

/** One party or group. */
export const party = recordQuestion({
  name: 'party',
  operationId: 'getParty',
  summary: 'a party or group: description, members, sources',
  path: '/parties/{slug}',
  isInterface: true,
  examples: [
    {
      description: 'One party with its members, as JSON',
      command: 'parties alliance-des-rivages --json',
    },
  ],
  parameters: {
    slug: place('slug of the party', { example: 'alliance-des-rivages', names: 'party' }),
  },
  reads: () => ['party'],
  schema: 'PartyProfile',
  kind: () => 'party',
  read: (mirror, { slug }) => wholeRecord(mirror, kindOf('party'), slug),
  ask: (service, { slug }) => profileOf(service, 'party', slug),
  absent: (mirror, { slug }) => noProfile(mirror, 'party', slug),
  unknown: ({ slug }) => (isSlug(slug) ? slug : null),
});
