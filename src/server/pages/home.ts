import type { FastifyInstance as App } from 'fastify';
import { attributionOf } from '../../model/attribution.ts';
import { lastFilled } from '../../store/records/contents.ts';
import { objectSchema, unchanged } from '../answer-schemas.ts';
import { type FixedResponse, fixedResponse } from '../responses.ts';
import { onceAnEdition } from '../served-mirror.ts';
import type { Serving } from '../serving.ts';

const schema = {
  tags: ['server'],
  operationId: 'getHome',
  summary: 'What this is and where to go.',
  response: {
    200: {
      description: 'Name, source and age of the data, and links; a page to read for who asks for one.',
      content: {
        'application/json': { schema: objectSchema('Name, source and age of the data, and links.') },
        'text/html': { schema: { type: 'string' } },
      },
    },
    304: unchanged,
  },
};

/** The JSON document at `/`: name, source and age of the data, and links. */
export function frontDoor(serving: Serving): { schema: object; describe: () => FixedResponse } {
  return { schema, describe: onceAnEdition(serving.mirror, () => fixedResponse(description(serving))) };
}

/** Serves only the JSON document at `/`, for a server without pages. */
export function homeRoutes(app: App, serving: Serving): void {
  const { describe } = frontDoor(serving);
  app.get('/', { schema }, (request, reply) => serving.answers.fixed(request, reply, describe()));
}

function description({ mirror, settings }: Serving): string {
  const base = settings.basePath ?? '';
  const [retrievedAt, citation] = [lastFilled(mirror.current()), mirror.citation()];
  return JSON.stringify({
    name: 'Hemicycle',
    description: `A local copy of ${citation.name}, a public information service about politicians and parties.`,
    attribution: attributionOf(citation, { retrievedAt }),
    last_synced: retrievedAt,
    links: {
      description: `${base}/openapi.json`,
      reference: `${base}/docs`,
      politicians: `${base}/api/v1/politicians`,
      parties: `${base}/api/v1/parties`,
      feed: `${base}/api/v1/feed`,
      status: `${base}/statusz`,
    },
  });
}
