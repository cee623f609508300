import { listAudit } from '../../store/audit.ts';
import { pageSchema, responsesOf } from '../answer-schemas.ts';
import type { App } from '../framework.ts';
import { pageText } from '../page-text.ts';
import { countParameter, filterParameter, querySchema } from '../parameter-schemas.ts';
import type { Serving } from '../serving.ts';

const schema = {
  tags: ['service'],
  operationId: 'listAudit',
  summary: 'The newest entries of the public, anonymised log of moderation actions.',
  querystring: querySchema({
    entity_type: filterParameter('Kind of record that was touched.', 'politician'),
    limit: countParameter(200, 'Number of entries.'),
  }),
  response: responsesOf(pageSchema('Audit'), 422),
};

/** Serves the moderation log. */
export function auditRoutes(api: App, { mirror, answers }: Serving): void {
  api.get('/audit', { schema }, (request, reply) =>
    answers.json(request, reply, () => {
      const { entity_type: entityType, limit } = request.query;
      return pageText(() => listAudit(mirror, { entityType, limit: limit! }));
    }),
  );
}
