import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { fold } from '../../language/fold.ts';
import type { Citation } from '../../model/attribution.ts';
import { recordPath } from '../../model/kinds.ts';
import type { Mirror } from '../../store/mirror.ts';
import { readSnapshot } from '../../store/transaction.ts';
import { type Speech, say } from '../../words/speech.ts';
import { embeddedPage } from '../pages/frame.ts';
import { embeddedPolicy, type Html, html, htmlType, pageHeaders } from '../pages/html.ts';
import { frameContextOf, originOf } from '../pages/page-request.ts';
import { badParametersError, RefusedRequestError } from '../problem.ts';
import type { Reader } from '../reader.ts';
import type { ServerContext } from '../serving.ts';
import { batchBounds, firstValue, parseCount, type ReconcileBatch, type ReconcileParameters } from './batch.ts';
import propertySettings from './property-settings.json' with { type: 'json' };
import { type Entity, entityOf, entityTypes, matchingProperties, properties } from './vocabulary.ts';

/** Path of the reconciliation service; clients store it, so it must not change. */
const reconcilePath = '/reconcile';

/** Adds the Reconciliation Service API 0.2, which matches names to records; a batch counts as one request. */
export async function addReconcileRoutes(app: App, context: ServerContext): Promise<void> {
  // https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/
  await app.register(
    async (api: App) => {
      api.removeAllContentTypeParsers();
      const parserOptions = { parseAs: 'string', bodyLimit: batchBounds.bytes } as const;
      api.addContentTypeParser('application/x-www-form-urlencoded', parserOptions, (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );
      addBatchRoutes(api, context);
      addSuggestRoutes(api, context);
      addEntityPageRoutes(api, context);
    },
    { prefix: reconcilePath },
  );
}

/** Adds the manifest, and `queries` and `extend` batches in the query string or a form. */
function addBatchRoutes(api: App, context: ServerContext): void {
  const { mirror, reader } = context;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const parameters = { ...(request.query as ReconcileParameters), ...((request.body ?? {}) as ReconcileParameters) };
    for (const batch of ['queries', 'extend'] as const) {
      const json = firstValue(parameters[batch]);
      if (json !== undefined) return sendBatch(reply, { batch, values: { json } }, reader);
    }
    if (request.method === 'POST')
      throw badParametersError([{ parameter: 'queries', userText: 'is missing, and so is extend' }]);
    return manifestOf(originOf(request, context), mirror.citation());
  };
  api.get('/', answer);
  api.post('/', answer);
}

async function sendBatch(reply: FastifyReply, batch: ReconcileBatch, reader: Reader) {
  const { text } = await reader.read(batch, reply.request.caller!);
  return reply.header('content-type', 'application/json; charset=utf-8').send(text);
}

function manifestOf(origin: string, { name }: Citation): object {
  const baseUrl = `${origin}${reconcilePath}`;
  const suggestService = (type: string) => ({ service_url: origin, service_path: `${reconcilePath}/suggest/${type}` });
  return {
    versions: ['0.1', '0.2'],
    name: `${name} (Hemicycle)`,
    identifierSpace: `${baseUrl}/view?id=`,
    schemaSpace: `${baseUrl}/properties?id=`,
    documentation: `${origin}/docs`,
    logo: `${origin}/assets/icon.svg`,
    defaultTypes: entityTypes,
    view: { url: `${baseUrl}/view?id={{id}}` },
    preview: { url: `${baseUrl}/preview?id={{id}}`, width: 430, height: 300 }, // pixels
    suggest: { entity: suggestService('entity'), type: suggestService('type'), property: suggestService('property') },
    extend: {
      propose_properties: { service_url: origin, service_path: `${reconcilePath}/properties` },
      property_settings: propertySettings,
    },
  };
}

function addSuggestRoutes(api: App, { mirror, reader }: ServerContext): void {
  const get = (path: string, find: (parameters: ReconcileParameters) => object) =>
    api.get(path, (request) => readSnapshot(mirror.current(), () => find(request.query as ReconcileParameters)));
  api.get('/suggest/entity', (request, reply) =>
    sendBatch(reply, { batch: 'suggest', values: { json: JSON.stringify(request.query) } }, reader),
  );
  for (const [suggestionType, items] of Object.entries({ type: entityTypes, property: matchingProperties }))
    get(`/suggest/${suggestionType}`, ({ prefix, cursor }) => {
      const foldedPrefix = fold(firstValue(prefix) ?? '').trim();
      const matches = items.filter(({ id, name }) => [name, id].some((text) => fold(text).includes(foldedPrefix)));
      const result = matches.map(({ id, name, description }) => ({ id, name, description }));
      return { result: result.slice(parseCount(firstValue(cursor))) };
    });
  get('/properties', (query) => {
    const type = firstValue(query.type) ?? '';
    const limit = parseCount(firstValue(query.limit));
    const kindProperties = properties.filter(({ entityKind }) => type === '' || entityKind === type);
    const distinctProperties = [...new Map(kindProperties.map(({ id, name }) => [id, { id, name }])).values()];
    return { type, limit, properties: distinctProperties.slice(0, limit || distinctProperties.length) };
  });
}

function addEntityPageRoutes(api: App, context: ServerContext): void {
  const { mirror, settings } = context;
  const requestedEntity = (request: FastifyRequest): Entity => {
    const entity = entityOf(mirror.current(), firstValue((request.query as ReconcileParameters).id) ?? '');
    if (entity === null) throw new RefusedRequestError(404, say`There is no politician or party of that id.`);
    return entity;
  };
  api.get('/view', (request, reply) => {
    const { kind, slug } = requestedEntity(request);
    return reply.redirect(`${settings.basePath ?? ''}${recordPath(kind, slug)}`, 303);
  });
  api.get('/preview', (request, reply) => {
    const frameContext = frameContextOf(request, context);
    const entity = requestedEntity(request);
    const body = previewOf(mirror.current(), entity, frameContext.speech);
    reply.headers(pageHeaders(frameContext.language, embeddedPolicy)).header('content-type', htmlType);
    return reply.send(embeddedPage(frameContext, { title: entity.name, body }));
  });
}

function previewOf(mirror: Mirror, { kind, name, document }: Entity, speech: Speech): Html {
  const rows = properties
    .filter(({ entityKind, id }) => entityKind === kind && id !== 'slug' && !id.startsWith('affiliation_'))
    .flatMap((property) => {
      const texts = property
        .values(mirror, document, null)
        .flatMap((value) => ('name' in value ? value.name : (Object.values(value)[0] ?? [])))
        .map(String);
      const valueText = [...new Set(texts)].slice(0, 6).join(', ').slice(0, 400);
      return valueText === '' ? [] : [html`<dt>${speech.field(property.id)}</dt><dd>${valueText}</dd>`];
    });
  return html`<h1>${name}</h1><dl>${rows}</dl>`;
}
