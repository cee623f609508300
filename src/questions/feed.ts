import { UsageError } from '../errors.ts';
import { hasColumn, kindOf, kinds } from '../model/kinds.ts';
import { slugsIn } from '../names/lookup.ts';
import { getPage } from '../service/pages.ts';
import { feedTypes, listFeed } from '../store/records/feed.ts';
import { partyRemarks } from '../store/search/party-remarks.ts';
import { say } from '../words/speech.ts';
import { createListing, refuseUnsupported, resolveSlugFilter, saveFeed } from './from-service.ts';
import type { Values } from './parameter.ts';
import { beyondInterface, choices, cursor, filter, itemLimit, ofKinds, partyFilter } from './parameter-kinds.ts';
import { listQuestion, type Service } from './question.ts';
import { createRecordFilter, recordFilters, seatFilters } from './record-filters.ts';

const typeOptions = { ...ofKinds, flag: { helpValue: 'TYPE,…', aliases: ['kind'] } };

const parameters = {
  types: choices(feedTypes, 'types of facts, comma-separated; all by default', typeOptions),
  topic: filter('topic', { example: 'retraites', names: 'topic' }),
  politician: filter('slug of a politician', { example: 'oceane-bruyevre', names: 'politician' }),
  party: partyFilter,
  ...seatFilters,
  ...beyondInterface(recordFilters),
  cursor,
  limit: itemLimit(50, 'maximum number of facts'),
};

/** The feed of sourced facts. */
export const feed = listQuestion('feed', {
  parameters,
  kindsRead: ({ types }) => types ?? feedTypes,
  recordOfItem: ({ type }) => ({ kind: String(type) }),
  notes: (mirror, { group, party = group ?? '', types = feedTypes }) =>
    partyRemarks(mirror, { parties: slugsIn(party), kinds: types.map(kindOf) }),
  read: (mirror, values, readOptions) => listFeed(mirror, createRecordFilter(mirror, values, readOptions)),
  requestFromService: requestFeed,
});

const kindsAboutPeople = kinds.filter((kind) => hasColumn(kind, 'politician')).map(({ name }) => name);

/** The question `feed` for commands, which may also request kinds of facts that the service's feed lacks. */
export const commandFeed: typeof feed = {
  ...feed,
  parameters: {
    ...parameters,
    types: choices(
      [...new Set([...feedTypes, ...kindsAboutPeople])],
      `types of facts, comma-separated; by default ${feedTypes.join(', ')}; the mirror has more`,
      typeOptions,
    ),
  },
};

async function requestFeed(service: Service, { types, since, ...filters }: Values<typeof parameters>) {
  const { q, until, subject, chamber, department, place, group } = filters;
  refuseUnsupported({ query: q, until, subject, chamber, department, place, group });
  const unsupportedTypes = types?.filter((type) => !feedTypes.includes(type)) ?? [];
  if (unsupportedTypes.length > 0)
    throw new UsageError(
      say`the service’s feed does not contain ${unsupportedTypes.join(', ')}`,
      say`remove --source service, or request ${feedTypes.join(', ')}`,
    );
  const query = {
    types: types?.join(','),
    topic: filters.topic,
    politician: await resolveSlugFilter(service, 'politician', filters.politician),
    party: await resolveSlugFilter(service, 'party', filters.party),
    cursor: filters.cursor,
    limit: Math.min(filters.limit, 50), // the maximum of the service
  };
  const page = await getPage(service.client, { path: '/feed', query, names: ['feed'] });
  saveFeed(service, page);
  const listing = createListing(page);
  if (since === undefined) return listing;
  // The service cannot filter by `since`, but sends the newest first: the first older fact ends the list.
  const recentItems = page.items.filter(({ date }) => typeof date === 'string' && date >= since);
  const nextCursor = recentItems.length < page.items.length ? null : listing.nextCursor;
  return { ...listing, items: recentItems, total: null, nextCursor };
}
