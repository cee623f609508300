import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance as App } from 'fastify';
import { answerUnknownPath } from '../problem.ts';
import { type FixedResponse, fixedResponse } from '../responses.ts';
import type { Serving } from '../serving.ts';
import { htmlPage, pagePolicy } from './html.ts';

const mediaTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files that pages load; no other name is looked for. */
const assets = [
  'icon.svg',
  'pages.css',
  'search.js',
  'docs.js',
  'reference.css',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'redoc.standalone.js',
];

const html = 'text/html; charset=utf-8';

/** Redoc 2.5.4 makes two elements of style by itself: an empty one, which it fills by script, and one with that hash. */
const redocStyles = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
];

/** The icons of both are written into their styles. */
const icons = "img-src 'self' data:";

/** The reference in two forms. */
const pages = [
  {
    path: '/docs',
    policy: pagePolicy(icons),
    head: '<link rel="stylesheet" href="/assets/swagger-ui.css">\n<link rel="stylesheet" href="/assets/reference.css">',
    body: '<div id="docs"></div>\n<script src="/assets/swagger-ui-bundle.js"></script>\n<script src="/assets/docs.js"></script>',
  },
  {
    path: '/redoc',
    policy: pagePolicy(icons, `style-src 'self' ${redocStyles.join(' ')}`),
    head: '<link rel="stylesheet" href="/assets/reference.css">',
    // Its search works in a worker made from a blob, which the policy does not allow.
    body: '<redoc spec-url="/openapi.json" disable-search native-scrollbars></redoc>\n<script src="/assets/redoc.standalone.js"></script>',
  },
];

/** Serves the reference for people, `/docs` and `/redoc`, with every file they load from `assetsFolder`. */
export function referenceRoutes(app: App, { answers, settings }: Serving, assetsFolder: string): void {
  for (const { path, policy, head, body } of pages) {
    const page = fixedResponse(
      htmlPage({ title: `Interface of ${settings.citation.name}`, head, body }),
      html,
    );
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      answers.fixed(request, reply.header('content-security-policy', policy), page),
    );
  }
  const read = new Map<string, FixedResponse>();
  app.get<{ Params: { file: string } }>('/assets/:file', { schema: { hide: true } }, (request, reply) => {
    const { file } = request.params;
    if (!assets.includes(file)) return answerUnknownPath(request, reply);
    let answer = read.get(file);
    if (!answer) {
      const text = readFileSync(join(assetsFolder, file), 'utf8');
      answer = fixedResponse(text, mediaTypes[file.split('.').at(-1)!]!);
      read.set(file, answer);
    }
    return answers.fixed(request, reply, answer);
  });
}
