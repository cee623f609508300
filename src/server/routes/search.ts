import { kinds } from '../../model/kinds.ts';
import { isIndexed } from '../../store/search-index.ts';
import { responsesOf } from '../answer-schemas.ts';
import type { App } from '../framework.ts';
import {
  countParameter,
  filterParameter,
  listParameter,
  queryParameter,
  querySchema,
} from '../parameter-schemas.ts';
import { named } from '../record-schemas.ts';
import type { Serving } from '../serving.ts';

const types = [...kinds]
  .reverse()
  .filter(isIndexed)
  .map(({ name }) => name);

const searchSchema = {
  tags: ['service'],
  operationId: 'search',
  summary: 'Full-text search across politicians, parties, content and speeches.',
  querystring: querySchema({
    q: queryParameter(
      'Words, all of which must be found; "a phrase" in quotes; a beginning*.',
      '"gardiens de phare" retrait*',
    ),
    type: listParameter(types, 'Kinds to search, separated by commas; those of the service by default.'),
    limit: countParameter(100, 'Number of hits.'),
  }),
  response: responsesOf(named('SearchAnswer'), 422),
};

const semanticSchema = {
  tags: ['service'],
  operationId: 'searchSemantic',
  summary: 'Search by meaning, or by full text where that is not enabled (`fallback` is true then).',
  querystring: querySchema({
    q: queryParameter('A question or statement in natural language.', 'Qui veut des trains de nuit ?'),
    topic: filterParameter('Topic.', 'retraites'),
    k: countParameter(50, 'Number of hits.'),
  }),
  response: responsesOf(named('SearchAnswer'), 422),
};

/** Serves both searches. */
export function searchRoutes(api: App, { searcher, settings, answers }: Serving): void {
  api.get('/search', { schema: searchSchema }, (request, reply) => {
    const { q: query, type: types, limit } = request.query;
    return answers.made(request, reply, () =>
      searcher.search({ by: 'fulltext', query, types, limit: limit! }),
    );
  });
  api.get('/search/semantic', { schema: semanticSchema }, (request, reply) => {
    const { q: query, topic, k } = request.query;
    const by = settings.semantic ? 'semantic' : 'fallback';
    return answers.made(request, reply, () => searcher.search({ by, query, topic, limit: k! }));
  });
}
