import { attributionOf } from '../../model/attribution.ts';
import { lastFilled } from '../../store/contents.ts';
import { objectSchema } from '../answer-schemas.ts';
import type { App, Serving } from '../serving.ts';

/** Serves the front page: what this is, whose data, how old, and where to go. */
export function homeRoutes(app: App, { mirror, settings, answers }: Serving): void {
  const schema = {
    tags: ['server'],
    operationId: 'getHome',
    summary: 'What this is and where to go.',
    response: { 200: objectSchema('Name, source and age of the data, and links.') },
  };
  app.get('/', { schema }, (request, reply) =>
    answers.json(request, reply, () => {
      const retrievedAt = lastFilled(mirror);
      return JSON.stringify({
        name: 'Hemicycle',
        description: `A local copy of ${settings.citation.name}, a public information service about politicians and parties.`,
        attribution: attributionOf(settings.citation, { retrievedAt }),
        last_synced: retrievedAt,
        links: {
          description: '/openapi.json',
          politicians: '/api/v1/politicians',
          parties: '/api/v1/parties',
          feed: '/api/v1/feed',
          status: '/statusz',
        },
      });
    }),
  );
}
