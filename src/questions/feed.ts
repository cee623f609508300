import { UsageError } from '../errors.ts';
import type { Document } from '../model/document.ts';
import { hasColumn, kinds } from '../model/kinds.ts';
import { slugsIn } from '../names/lookup.ts';
import { getPage } from '../service/pages.ts';
import { feedTypes, listFeed } from '../store/records/feed.ts';
import { partyRemarks } from '../store/search/groups-instead.ts';
import { say } from '../words/speech.ts';
import { keepFeed, listingOf, refuseBeyond, resolveSlugFilter } from './from-service.ts';
import type { Values } from './parameter.ts';
import { beyondInterface, choices, count, cursor, filter, ofKinds, partyFilter, words } from './parameter-kinds.ts';
import { descriptionOf, listQuestion, type Service } from './question.ts';
import { dayBound } from './time-bounds.ts';

const spelled = { ...ofKinds, flag: { helpValue: 'TYPE,…', aliases: ['kind'] } };

/** Filters of records by words and days. */
export const recordFilters = {
  q: words('words in the record', { example: 'logement' }),
  since: dayBound('start', 'on this day or later'),
  until: dayBound('end', 'on this day or earlier'),
};

const parameters = {
  types: choices(feedTypes, 'types of facts, comma-separated; all by default', spelled),
  topic: filter('topic', { example: 'retraites', names: 'topic' }),
  politician: filter('slug of a politician', { example: 'oceane-bruyevre', names: 'politician' }),
  party: partyFilter,
  ...beyondInterface(recordFilters),
  cursor,
  limit: count(50, 'maximum number of facts'),
};

/** The feed of sourced facts. */
export const feed = listQuestion({
  ...descriptionOf('feed'),
  parameters,
  reads: ({ types }) => types ?? feedTypes,
  notes: (mirror, { party, types }) =>
    party === undefined ? [] : partyRemarks(mirror, slugsIn(party), types ?? feedTypes),
  read: (mirror, values) => listFeed(mirror, values),
  ask: askFeed,
});

const peopleFeedTypes = [
  ...feedTypes,
  ...kinds.filter((kind) => hasColumn(kind, 'politician') && !feedTypes.includes(kind.name)).map(({ name }) => name),
];

/** The feed of commands: also with quotes and speeches if requested. */
export const feedOfPeople: typeof feed = {
  ...feed,
  parameters: {
    ...parameters,
    types: choices(
      peopleFeedTypes,
      `types of facts, comma-separated; by default ${feedTypes.join(', ')}; the mirror has more`,
      spelled,
    ),
  },
};

async function askFeed(service: Service, { types, since, ...filters }: Values<typeof parameters>) {
  refuseBeyond({ query: filters.q, until: filters.until });
  const unknown = types?.filter((type) => !feedTypes.includes(type)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(
      say`the service’s feed does not contain ${unknown.join(', ')}`,
      say`remove --source service, or request ${feedTypes.join(', ')}`,
    );
  const query = {
    types: types?.join(','),
    topic: filters.topic,
    politician: await resolveSlugFilter(service, 'politician', filters.politician),
    party: await resolveSlugFilter(service, 'party', filters.party),
    cursor: filters.cursor,
    limit: Math.min(filters.limit, 50),
  };
  const page = await getPage(service.client, { path: '/feed', query, names: ['feed'] });
  keepFeed(service, page);
  const listing = listingOf(page);
  if (since === undefined) return listing;
  // The service has no such filter, but sends the newest first.
  const items = [...(listing.items as Iterable<Document>)];
  const recent = items.filter(({ date }) => typeof date === 'string' && date >= since);
  return {
    ...listing,
    items: recent,
    total: null,
    nextCursor: recent.length < items.length ? null : listing.nextCursor,
  };
}
