import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance as App } from 'fastify';
import { answerUnknownPath } from '../problem.ts';
import { type FixedResponse, fixedResponse } from '../responses.ts';
import type { Serving } from '../serving.ts';
import { htmlDocument, masthead } from './frame.ts';
import { html, htmlType, pageHeaders, pagePolicy } from './html.ts';
import type { FrameContext } from './page-context.ts';
import { frameContextOf } from './page-reader.ts';

const mediaTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const mediaTypeOf = (file: string) => mediaTypes[extname(file).slice(1)];

/** Redoc 2.5.4 adds two style elements: one empty and filled by script, one with the second hash. */
const redocStyles = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
];

/** Both have icons as data URLs in their styles. */
const icons = "img-src 'self' data:";

/** The API reference in two forms. */
const pages = [
  {
    path: '/docs',
    policy: pagePolicy(icons),
    head: html`<link rel="stylesheet" href="/assets/swagger-ui.css">\n`,
    scripts: ['swagger-ui-bundle.js', 'docs.js'],
  },
  {
    path: '/redoc',
    policy: pagePolicy(icons, `style-src 'self' ${redocStyles.join(' ')}`),
    head: null,
    scripts: ['redoc.standalone.js', 'redoc.js'],
  },
];

/** A reference page: our header, and an element that its scripts fill. */
function referencePage(page: FrameContext, { path, head, scripts }: (typeof pages)[number]): string {
  const { speech, citation } = page;
  const title = speech.say`Interface of ${citation.name}`;
  const places = [
    ['/docs', speech.say`Try the interface`],
    ['/redoc', speech.say`Read the interface`],
    ['/openapi.json', 'OpenAPI'],
  ] as const;
  const body = html`${masthead(page, null)}
<nav class="places" aria-label="${speech.say`For programs: the interface`}">${places.map(
    ([to, text]) =>
      html`<a href="${to === '/openapi.json' ? to : page.href(to)}"${to === path && html` aria-current="page"`}>${text}</a>`,
  )}</nav>
<main>
<h1 class="unseen">${title}</h1>
<div id="docs" lang="en"></div>
</main>
${scripts.map((file) => html`<script src="/assets/${file}"></script>\n`)}`;
  return htmlDocument(page, {
    title,
    head: html`${head}<link rel="stylesheet" href="/assets/reference.css">\n<script src="/assets/pages.js" defer></script>\n`,
    body,
  });
}

/** Serves `/docs` and `/redoc`, and the assets of all pages from `assetsFolder`. */
export function referenceRoutes(app: App, serving: Serving, assetsFolder: string): void {
  const { answers } = serving;
  for (const each of pages) {
    const { path, policy } = each;
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const page = frameContextOf(request, serving);
      reply.headers(pageHeaders(page.language, policy));
      return answers.fixed(request, reply, fixedResponse(referencePage(page, each), htmlType));
    });
  }
  const files = new Set(readdirSync(assetsFolder).filter((name) => mediaTypeOf(name) !== undefined));
  const read = new Map<string, FixedResponse>();
  app.get<{ Params: { file: string } }>('/assets/:file', { schema: { hide: true } }, (request, reply) => {
    const { file } = request.params;
    if (!files.has(file)) return answerUnknownPath(request, reply);
    const answer =
      read.get(file) ?? fixedResponse(readFileSync(join(assetsFolder, file), 'utf8'), mediaTypeOf(file));
    read.set(file, answer);
    return answers.fixed(request, reply, answer);
  });
}
