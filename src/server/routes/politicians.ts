import { Type } from 'typebox';
import { listPoliticians, type PoliticianSort } from '../../store/politicians.ts';
import { politicianProfile } from '../../store/profile.ts';
import { pageSchema, responsesOf } from '../answer-schemas.ts';
import type { App } from '../framework.ts';
import { nearSlugs } from '../near-slugs.ts';
import { pageText } from '../page-text.ts';
import {
  choiceParameter,
  countParameter,
  cursorParameter,
  filterParameter,
  nameParameter,
  querySchema,
} from '../parameter-schemas.ts';
import { RefusedRequestError } from '../problem.ts';
import { named } from '../record-schemas.ts';
import type { Serving } from '../serving.ts';

const sorts = ['name', 'freshness', 'updated_at'] as const satisfies PoliticianSort[];

const listSchema = {
  tags: ['service'],
  operationId: 'listPoliticians',
  summary: 'Politicians; filters combine.',
  querystring: querySchema({
    q: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'Words of the name, each from its beginning.',
        examples: ['bruy'],
      }),
    ),
    party: filterParameter('Slug of a party or parliamentary group.', 'alliance-des-rivages'),
    sort: Type.Optional({
      ...choiceParameter(sorts, 'Order: by name, by newest fact, or by last change.'),
      default: 'name',
    }),
    limit: countParameter(100, 'Number of politicians.'),
    cursor: cursorParameter,
  }),
  response: responsesOf(pageSchema('Politician'), 422),
};

const profileSchema = {
  tags: ['service'],
  operationId: 'getPolitician',
  summary: 'The full profile of a politician: bio, positions, quotes, affiliations, sources.',
  params: Type.Object({ slug: nameParameter('Slug of the politician.', 'oceane-bruyevre') }),
  response: responsesOf(named('PoliticianProfile'), 404),
};

/** Serves the list of politicians and their profiles. */
export function politicianRoutes(api: App, { mirror, answers }: Serving): void {
  api.get('/politicians', { schema: listSchema }, (request, reply) =>
    answers.json(request, reply, () =>
      pageText(() => listPoliticians(mirror, { ...request.query, limit: request.query.limit! })),
    ),
  );
  api.get('/politicians/:slug', { schema: profileSchema }, (request, reply) =>
    answers.json(request, reply, () => {
      const { slug } = request.params;
      const profile = politicianProfile(mirror, slug);
      if (profile) return JSON.stringify(profile);
      const near = nearSlugs(mirror, 'politician', slug);
      throw new RefusedRequestError(404, 'No politician has that slug.', {
        suggestions: near.map(({ key, name }) => ({ slug: key, full_name: name })),
      });
    }),
  );
}
