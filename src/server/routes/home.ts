import { attributionOf } from '../../model/attribution.ts';
import { lastFilled } from '../../store/contents.ts';
import { readEdition } from '../../store/edition.ts';
import { inOneView } from '../../store/snapshot.ts';
import { objectSchema, unchanged } from '../answer-schemas.ts';
import { type FixedAnswer, fixedAnswer } from '../answers.ts';
import { pagePolicy } from '../pages/html.ts';
import { startPage } from '../pages/start-page.ts';
import type { App, Serving } from '../serving.ts';

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

/** Serves the front page: what this is, whose data, how old, and where to go. To a browser it is a page to read. */
export function homeRoutes(app: App, serving: Serving, { withPage }: { withPage: boolean }): void {
  const { answers } = serving;
  const describe = onceAnEdition(serving, () => fixedAnswer(description(serving)));
  const page = onceAnEdition(serving, () => fixedAnswer(startPage(serving), 'text/html; charset=utf-8'));
  app.get('/', { schema }, (request, reply) => {
    reply.header('vary', 'Accept, Accept-Encoding, Authorization');
    const isBrowser = withPage && /\btext\/html\b/.test(request.headers.accept ?? '');
    if (!isBrowser) return answers.fixed(request, reply, describe());
    return answers.fixed(request, reply.header('content-security-policy', pagePolicy()), page());
  });
}

/** Makes an answer anew only when the mirror is another: counting all records takes time, and nobody's limit. */
function onceAnEdition({ mirror }: Serving, make: () => FixedAnswer): () => FixedAnswer {
  let made: { edition: string; answer: FixedAnswer } | null = null;
  return () =>
    inOneView(mirror, () => {
      const edition = JSON.stringify(readEdition(mirror));
      if (made?.edition !== edition) made = { edition, answer: make() };
      return made.answer;
    });
}

function description({ mirror, settings }: Serving): string {
  const retrievedAt = lastFilled(mirror);
  return JSON.stringify({
    name: 'Hemicycle',
    description: `A local copy of ${settings.citation.name}, a public information service about politicians and parties.`,
    attribution: attributionOf(settings.citation, { retrievedAt }),
    last_synced: retrievedAt,
    links: {
      description: '/openapi.json',
      reference: '/docs',
      politicians: '/api/v1/politicians',
      parties: '/api/v1/parties',
      feed: '/api/v1/feed',
      status: '/statusz',
    },
  });
}
