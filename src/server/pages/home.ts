import type { FastifyInstance as App } from 'fastify';
import { escapeHtml } from '../../format/markup.ts';
import { attributionOf, webAddress } from '../../model/attribution.ts';
import { contents, lastFilled } from '../../store/contents.ts';
import { objectSchema, unchanged } from '../answer-schemas.ts';
import { fixedResponse } from '../responses.ts';
import { onceAnEdition } from '../served-mirror.ts';
import type { Serving } from '../serving.ts';
import { htmlPage, pagePolicy } from './html.ts';

const links: [href: string, text: string][] = [
  ['/docs', 'Try the interface'],
  ['/redoc', 'Read the interface'],
  ['/openapi.json', 'OpenAPI 3.1'],
  ['/api/v1/politicians', 'Politicians'],
  ['/api/v1/parties', 'Parties'],
  ['/api/v1/feed', 'Feed'],
  ['/api/v1/audit', 'Moderation log'],
  ['/statusz', 'State of this server'],
];

/** The start page for people: what this is, whose data, how old, a search box, and where to go. */
export function startPage({ mirror: served }: Serving): string {
  const [mirror, citation] = [served.current(), served.citation()];
  const filledAt = lastFilled(mirror);
  const age = filledAt === null ? 'It has never been filled.' : `Its data is of ${dateText(filledAt)}.`;
  const rows = contents(mirror).map(
    ({ kind, records }) => `<tr><th>${kind}</th><td>${records.toLocaleString('en')}</td></tr>`,
  );
  const name = escapeHtml(citation.name);
  const address = webAddress(citation.siteUrl ?? '');
  const source = address === null ? name : `<a href="${escapeHtml(address)}">${name}</a>`;
  return htmlPage({
    title: `${citation.name}, served by Hemicycle`,
    head: '<link rel="stylesheet" href="/assets/pages.css">\n<script src="/assets/search.js" defer></script>',
    body: `<header><img src="/assets/icon.svg" alt=""><h1>${name}</h1></header>
<p>A local copy of ${source}, a public information service about politicians and parties. ${age}</p>
<form action="/api/v1/search" role="search">
<input name="q" type="search" aria-label="Search" placeholder="A name, a word, a “phrase”" required maxlength="2000">
<button>Search</button>
</form>
<p id="note" class="soft" role="status"></p>
<ol id="results"></ol>
<h2>Where to go</h2>
<p>${links.map(([href, text]) => `<a href="${href}">${text}</a>`).join(' · ')}</p>
<h2>What it holds</h2>
<table>${rows.join('')}</table>
<p class="soft">${escapeHtml(attributionOf(citation, { retrievedAt: filledAt }).text)}. Whole-dataset exports are under
the <a href="https://opendatacommons.org/licenses/odbl/1-0/">Open Database License 1.0</a>.</p>`,
  });
}

function dateText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return escapeHtml(iso);
  const text = date.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `<time datetime="${date.toISOString()}">${text} UTC</time>`;
}

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
  const describe = onceAnEdition(serving.mirror, () => fixedResponse(description(serving)));
  const page = onceAnEdition(serving.mirror, () =>
    fixedResponse(startPage(serving), 'text/html; charset=utf-8'),
  );
  app.get('/', { schema }, (request, reply) => {
    reply.header('vary', 'Accept, Accept-Encoding, Authorization');
    const isBrowser = withPage && /\btext\/html\b/.test(request.headers.accept ?? '');
    if (!isBrowser) return answers.fixed(request, reply, describe());
    return answers.fixed(request, reply.header('content-security-policy', pagePolicy()), page());
  });
}

function description({ mirror }: Serving): string {
  const [retrievedAt, citation] = [lastFilled(mirror.current()), mirror.citation()];
  return JSON.stringify({
    name: 'Hemicycle',
    description: `A local copy of ${citation.name}, a public information service about politicians and parties.`,
    attribution: attributionOf(citation, { retrievedAt }),
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
