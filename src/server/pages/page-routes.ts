import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { limitCallers } from '../limits.ts';
import type { Serving } from '../serving.ts';
import type { FrontDoor } from './home.ts';
import { pagePolicy } from './html.ts';
import type { AskedPage } from './making.ts';
import { readAddress, wantsHtml } from './page-reader.ts';
import { formsOf, pageText } from './page-text.ts';
import { answerWithPage } from './refusal.ts';
import { views } from './table.ts';
import type { View } from './view.ts';

const htmlType = 'text/html; charset=utf-8';

/** Serves every page, and its other forms at the same address with their endings. */
export function pageRoutes(app: App, serving: Serving, front: FrontDoor): void {
  app.register(async (people: App) => {
    limitCallers(
      people,
      serving,
      ({ routeOptions, headers }) => routeOptions.url !== '/' || wantsHtml(headers),
    );
    people.setErrorHandler((error, request, reply) => answerWithPage(error, request, reply, serving));
    for (const view of views) {
      const path = view.path.replaceAll(/\{(\w+)\}/g, ':$1');
      const isFront = path === '/';
      people.get(path, { schema: isFront ? front.schema : { hide: true } }, (request, reply) => {
        const isPage = wantsHtml(request.headers);
        if (isFront)
          reply.header('vary', `Accept, ${isPage ? 'Accept-Language, ' : ''}Accept-Encoding, Authorization`);
        if (isFront && !isPage) return serving.answers.fixed(request, reply, front.describe());
        return answer(view, request, reply, serving);
      });
      // What ends with a part that names a record has its endings in that part.
      if (isFront || path.includes('/:')) continue;
      for (const ending of Object.keys(formsOf(view)))
        people.get(`${path}.${ending}`, { schema: { hide: true } }, (request, reply) =>
          answer(view, request, reply, serving, ending),
        );
    }
  });
}

function answer(
  view: View,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving,
  ending: string | null = null,
): FastifyReply | Promise<FastifyReply> {
  const { mirror, answers, reader } = serving;
  const { asked, form, isRelative } = readAddress(view, request, serving, ending);
  const { asOf } = asked.reading;
  request.values = { ...asked.values, form, given: asked.given, language: asked.language, path: asked.path };
  const contentType = form === null ? htmlType : formsOf(view)[form]!.mediaType;
  headersOf(view, request, reply, asked);
  if (asOf !== null) reply.header('memento-datetime', new Date(asOf).toUTCString());
  const manner = { isMoving: asOf !== null || isRelative, contentType };
  if (asOf !== null || view.isLong) return answers.made(request, reply, () => reader.read(asked), manner);
  const make = () => pageText({ mirror: mirror.current(), now: mirror.current() }, asked);
  return answers.json(request, reply, make, manner);
}

function headersOf(
  view: View,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, path, language }: AskedPage,
): void {
  if (form !== null) return;
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  const forms = Object.entries(formsOf(view)).map(
    ([ending, { mediaType }]) =>
      `<${path}.${ending}${query}>; rel="alternate"; type="${mediaType.split(';')[0]}"`,
  );
  const links = [reply.getHeader('link'), ...forms].filter(Boolean).join(', ');
  if (links !== '') reply.header('link', links);
  if (path !== '/') reply.header('vary', 'Accept-Language, Accept-Encoding, Authorization');
  reply.header('content-security-policy', pagePolicy()).header('content-language', language);
}
