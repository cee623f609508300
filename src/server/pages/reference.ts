import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance as App } from 'fastify';
import { answerUnknownPath } from '../problem.ts';
import { type FixedResponse, fixedResponse } from '../responses.ts';
import type { Serving } from '../serving.ts';
import { headOfPages, html, pagePolicy } from './html.ts';

const mediaTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files that pages load; no other name is looked for. */
const assets = [
  'icon.svg',
  'colours.css',
  'pages.css',
  'pages.js',
  'docs.js',
  'redoc.js',
  'reference.css',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'redoc.standalone.js',
];

const htmlType = 'text/html; charset=utf-8';

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
    head: html`<link rel="stylesheet" href="/assets/swagger-ui.css">\n`,
    scripts: ['swagger-ui-bundle.js', 'docs.js'],
  },
  {
    path: '/redoc',
    policy: pagePolicy(icons, `style-src 'self' ${redocStyles.join(' ')}`),
    head: html``,
    scripts: ['redoc.standalone.js', 'redoc.js'],
  },
];

/** A page of the reference: the way back, and what its scripts make of the description. */
function referencePage(name: string, { head, scripts }: (typeof pages)[number]): string {
  const loaded = scripts.map((file) => html`<script src="/assets/${file}"></script>\n`);
  return html`<!doctype html>
<html lang="en">
<head>
${headOfPages}
<title>Interface of ${name}</title>
${head}<link rel="stylesheet" href="/assets/reference.css">
</head>
<body>
<nav class="places">
<a href="/"><img src="/assets/icon.svg" alt=""> ${name}</a>
<a href="/docs">Try the interface</a>
<a href="/redoc">Read the interface</a>
</nav>
<div id="docs"></div>
${loaded}
</body>
</html>
`.text;
}

/** Serves the reference for people, `/docs` and `/redoc`, with every file they load from `assetsFolder`. */
export function referenceRoutes(app: App, { answers, mirror }: Serving, assetsFolder: string): void {
  for (const each of pages) {
    const { path, policy } = each;
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const page = referencePage(mirror.citation().name, each);
      return answers.fixed(
        request,
        reply.header('content-security-policy', policy),
        fixedResponse(page, htmlType),
      );
    });
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
