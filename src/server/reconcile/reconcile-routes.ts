import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { recordPath } from '../../model/addresses.ts';
import { inOneView } from '../../store/transaction.ts';
import { limitCallers } from '../limits.ts';
import { embedded } from '../pages/frame.ts';
import { embeddedPolicy } from '../pages/html.ts';
import { framedFor, originOf } from '../pages/page-reader.ts';
import { answerUnknownPath, badParameters, RefusedRequestError } from '../problem.ts';
import type { Serving } from '../serving.ts';
import { batchBounds } from './batch.ts';
import { described } from './described.ts';
import { manifestOf, reconcilePath } from './manifest.ts';
import {
  entityHtml,
  flyoutOf,
  proposedProperties,
  suggestedEntities,
  suggestedWords,
} from './suggestions.ts';
import { entityOf } from './vocabulary.ts';

type ReconcileParameters = Record<string, string | string[] | undefined>;

/**
 * Adds the Reconciliation Service API 0.2, which matches names to records for OpenRefine. A batch counts as
 * one request. https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/
 */
export async function reconcileRoutes(app: App, serving: Serving): Promise<void> {
  await app.register(
    async (api: App) => {
      limitCallers(api, serving);
      api.setNotFoundHandler(answerUnknownPath);
      api.removeAllContentTypeParsers();
      api.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: batchBounds.bytes },
        (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );
      batchRoute(api, serving);
      suggestRoutes(api, serving);
      pageRoutes(api, serving);
    },
    { prefix: reconcilePath },
  );
}

/** Adds the manifest, and `queries` and `extend` batches in the query string or a form. */
function batchRoute(api: App, serving: Serving): void {
  const { mirror, reader } = serving;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const asked = {
      ...(request.query as ReconcileParameters),
      ...((request.body ?? {}) as ReconcileParameters),
    };
    for (const batch of ['queries', 'extend'] as const) {
      const written = one(asked[batch]);
      if (written === undefined) continue;
      return sendText(request, reply, (await reader.read({ batch, values: { written } })).text);
    }
    if (request.method === 'POST')
      throw badParameters([{ parameter: 'queries', message: 'is missing, and so is extend' }]);
    return sendJson(request, reply, manifestOf(originOf(request, serving), mirror.citation()));
  };
  // `batchText` validates.
  const reads = { validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify };
  const config = { takesPosts: true };
  const atOnce = { ...reads, prefixTrailingSlash: 'no-slash' } as const;
  api.get('/', { schema: described.getReconcile, ...atOnce }, answer);
  api.post('/', { schema: described.reconcile, config, ...atOnce }, answer);
  const slashed = { schema: { hide: true }, prefixTrailingSlash: 'slash' } as const;
  api.get('/', slashed, answer);
  api.post('/', { ...slashed, config }, answer);
}

function suggestRoutes(api: App, { mirror }: Serving): void {
  const get = (path: string, find: (asked: ReconcileParameters, request: FastifyRequest) => object | null) =>
    api.get(path, { schema: { hide: true } }, (request, reply) => {
      const found = inOneView(mirror.current(), () => find(request.query as ReconcileParameters, request));
      if (found === null)
        throw new RefusedRequestError(404, 'There is no entity, type or property of that id.');
      return sendJson(request, reply, found);
    });
  get('/suggest/entity', ({ prefix, type, cursor }) => ({
    result: suggestedEntities(mirror.current(), one(prefix) ?? '', one(type)).slice(placeOf(cursor)),
  }));
  for (const what of ['type', 'property'] as const)
    get(`/suggest/${what}`, ({ prefix, cursor }) => ({
      result: suggestedWords(what, one(prefix) ?? '').slice(placeOf(cursor)),
    }));
  for (const what of ['entity', 'type', 'property'])
    get(`/flyout/${what}`, ({ id }) => flyoutOf(mirror.current(), what, one(id) ?? ''));
  get('/properties', ({ type, limit }) => proposedProperties(one(type), placeOf(limit)));
}

function pageRoutes(api: App, serving: Serving): void {
  const { mirror, settings } = serving;
  const refusal = () => new RefusedRequestError(404, 'There is no politician or party of that id.');
  api.get('/view', { schema: { hide: true } }, (request, reply) => {
    const entity = entityOf(mirror.current(), one((request.query as ReconcileParameters).id) ?? '');
    if (entity === null) throw refusal();
    return reply.redirect(`${settings.basePath ?? ''}${recordPath(entity.kind, entity.slug)}`, 303);
  });
  api.get('/preview', { schema: { hide: true } }, (request, reply) => {
    const framed = framedFor(request, serving);
    const shown = entityHtml(
      mirror.current(),
      one((request.query as ReconcileParameters).id) ?? '',
      framed.language,
    );
    if (shown === null) throw refusal();
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-language', framed.language)
      .header('vary', 'Accept-Language, Accept-Encoding, Authorization')
      .header('content-security-policy', embeddedPolicy);
    return reply.send(embedded(framed, shown).text);
  });
}

function sendJson(request: FastifyRequest, reply: FastifyReply, answer: object): FastifyReply {
  return sendText(request, reply, JSON.stringify(answer));
}

/** Sends JSON, or with `callback` a script that calls it (JSONP). */
function sendText(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const callback = one((request.query as ReconcileParameters).callback);
  if (callback === undefined)
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  if (!/^[A-Za-z_$][\w$.]{0,99}$/.test(callback))
    throw badParameters([{ parameter: 'callback', message: 'must be the name of a function' }]);
  reply.header('content-type', 'text/javascript; charset=utf-8');
  return reply.send(
    `/**/${callback}(${text.replace(/[\u2028\u2029]/g, (each) => (each === '\u2028' ? '\\u2028' : '\\u2029'))});`,
  );
}

function one(value: string | string[] | undefined): string | undefined {
  return [value].flat()[0];
}

/** A list offset or limit; 0 for anything but a positive number. */
function placeOf(written: string | string[] | undefined): number {
  const place = Math.floor(Number(one(written) ?? 0));
  return place > 0 ? place : 0;
}
