import { getPage } from '../service/pages.ts';
import { feedTypes, listFeed } from '../store/feed.ts';
import { findFilterSlugs, slugsIn } from '../store/name-lookup.ts';
import { keepFeed, listingOf, slugOf } from './from-service.ts';
import { choices, count, cursor, filter, kindWord } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';

/** The feed of sourced facts. */
export const feed = listQuestion({
  name: 'feed',
  operationId: 'listFeed',
  summary: 'sourced facts, newest first',
  path: '/feed',
  isInterface: true,
  examples: [
    { description: 'The newest promises', command: 'feed --types promise' },
    {
      description: 'Everything of one politician, one JSON record a line',
      command: 'feed --politician oceane-bruyevre --all --format ndjson',
    },
    { description: 'One topic', command: 'feed --topic logement --limit 50' },
  ],
  parameters: {
    types: choices(feedTypes, 'types of facts, separated by commas; all of these by default', {
      meant: kindWord,
      flag: { helpValue: 'TYPE,…' },
    }),
    topic: filter('topic', { example: 'retraites', names: 'topic' }),
    politician: filter('slug of a politician', { example: 'oceane-bruyevre', names: 'politician' }),
    party: filter('slug of a party or group, or several with commas between', {
      example: 'alliance-des-rivages',
      names: 'party',
      isEveryBearer: true,
    }),
    cursor,
    limit: count(50, 'number of facts'),
  },
  reads: ({ types }) => types ?? feedTypes,
  schema: 'FeedItem',
  columns: ['type', 'date', 'politician', 'party', 'topic', 'title'],
  notes(mirror, { party }) {
    if (party === undefined) return [];
    const slugs = slugsIn(party).flatMap((each) => findFilterSlugs(mirror, 'party', each));
    return slugs.length > 1 ? [`of ${slugs.join(', ')}`] : [];
  },
  read: (mirror, values) => listFeed(mirror, values),
  async ask(service, { types, topic, politician, party, cursor, limit }) {
    const query = {
      types: types?.join(','),
      topic,
      politician: await slugOf(service, 'politician', politician),
      party: await slugOf(service, 'party', party),
      cursor,
      limit: Math.min(limit, 50),
    };
    const page = await getPage(service.client, { path: '/feed', query, names: ['feed'] });
    keepFeed(service, page);
    return listingOf(page);
  },
});
