import { feedTypes, listFeed } from '../../store/feed.ts';
import { pageSchema, responsesOf } from '../answer-schemas.ts';
import type { App } from '../framework.ts';
import { pageText } from '../page-text.ts';
import {
  countParameter,
  cursorParameter,
  filterParameter,
  listParameter,
  querySchema,
} from '../parameter-schemas.ts';
import type { Serving } from '../serving.ts';

const schema = {
  tags: ['service'],
  operationId: 'listFeed',
  summary: 'Sourced facts, newest first.',
  querystring: querySchema({
    types: listParameter(feedTypes, 'Types of facts, separated by commas; all of these by default.'),
    topic: filterParameter('Topic.', 'retraites'),
    politician: filterParameter('Slug of a politician.', 'oceane-bruyevre'),
    party: filterParameter('Slug of a party or group.', 'alliance-des-rivages'),
    cursor: cursorParameter,
    limit: countParameter(50, 'Number of facts.'),
  }),
  response: responsesOf(pageSchema('FeedItem'), 422),
};

/** Serves the feed. */
export function feedRoutes(api: App, { mirror, answers }: Serving): void {
  api.get('/feed', { schema }, (request, reply) =>
    answers.json(request, reply, () =>
      pageText(() => listFeed(mirror, { ...request.query, limit: request.query.limit! })),
    ),
  );
}
