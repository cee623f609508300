import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { unknownPathError } from '../problem.ts';
import { fixedResponse } from '../responses.ts';
import type { ServerContext } from '../serving.ts';
import { originOf } from './page-request.ts';

const mediaTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const mediaTypeOf = (file: string) => mediaTypes[extname(file).slice(1)];

/** Adds the routes `/assets/…` for the files of a folder, `/favicon.ico` and `/robots.txt`. */
export function addAssetRoutes(app: App, context: ServerContext, assetsFolder: string): void {
  const { basePath = '' } = context.settings;
  // Browsers request this path for responses that are not HTML pages, and accept an SVG.
  app.get('/favicon.ico', (_request, reply) => reply.redirect(`${basePath}/assets/icon.svg`, 308));
  // Keep search engines out of the API and of filtered or paged lists.
  const rules = ['/api/', '/search', '/suggest', '/*?cursor=', '/*?as_of=']
    .map((path) => `Disallow: ${path}\n`)
    .join('');
  app.get('/robots.txt', (request, reply) => {
    const text = `User-agent: *\n${rules}Sitemap: ${originOf(request, context)}/sitemap.xml\n`;
    return reply.type('text/plain; charset=utf-8').send(text);
  });
  const names = readdirSync(assetsFolder).filter((name) => mediaTypeOf(name) !== undefined);
  const assetText = (name: string) => readFileSync(join(assetsFolder, name), 'utf8');
  const files = new Map(names.map((name) => [name, fixedResponse(assetText(name), mediaTypeOf(name))]));
  const sendAsset = (request: FastifyRequest, reply: FastifyReply) => {
    const asset = files.get((request.params as { file: string }).file);
    if (!asset) throw unknownPathError();
    return context.answers.sendFixed(request, reply, asset);
  };
  // The content at an address with the hash of the current files never changes: https://www.rfc-editor.org/rfc/rfc8246
  const onSend = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    const isCurrent = reply.statusCode < 400 && url.startsWith(`${context.assetsPath}/`);
    if (isCurrent) reply.header('cache-control', 'public, max-age=31536000, immutable');
  };
  for (const path of ['/assets/:file', '/assets/:version/:file']) app.get(path, { onSend }, sendAsset);
}

/** Returns the path of assets with a hash of the folder's files; `/assets` without a folder. */
export function assetsPathOf(folder: string | undefined): string {
  if (folder === undefined) return '/assets';
  const names = readdirSync(folder).sort();
  const texts = names.map((name) => readFileSync(join(folder, name)));
  return `/assets/${hash('sha1', Buffer.concat(texts), 'hex').slice(0, 8)}`;
}
