import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance as App } from 'fastify';
import { type Citation, odbl, sourceText, webAddress } from '../model/attribution.ts';
import { findExample } from '../questions/examples.ts';
import type { Question } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import type { Mirror } from '../store/mirror.ts';
import { objectSchema, operationResponses, pageSchemas, problemResponses, sharedSchemas } from './answer-schemas.ts';
import describedHeaders from './described-headers.json' with { type: 'json' };
import { quotas, unlimitedRoutes } from './limits.ts';
import { feedSchemas, recordSchemas } from './record-schemas.ts';
import { type FixedResponse, fixedResponse } from './responses.ts';
import { memoizeLast } from './served-mirror.ts';
import type { ServerContext, ServerSettings } from './serving.ts';
import webhookMessage from './webhook-message.json' with { type: 'json' };

const schemas = [...recordSchemas, ...pageSchemas, ...feedSchemas, ...sharedSchemas];

/** The documented response headers as OpenAPI `components.headers`. */
const headerComponents = Object.fromEntries(
  Object.entries(describedHeaders).map(([name, { description, example }]) => {
    const type = typeof example === 'number' ? ('integer' as const) : ('string' as const);
    return [name, { description, schema: { type }, example }];
  }),
);

type OpenApiPaths = Record<string, { get?: { parameters?: { name: string; example?: unknown }[] } }>;

/** Adds `/openapi.json`, which describes all routes added afterwards; returns a function that creates its response. */
export async function describeApi(app: App, { mirror, settings, answers, waitForSlot }: ServerContext) {
  for (const schema of schemas) app.addSchema(schema);
  await app.register(import('@fastify/swagger'), {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Hemicycle', version: 'v1' },
      servers: [{ url: settings.basePath || '/', description: 'This server.' }],
      tags: [
        { name: 'service', description: 'The interface of the service.' },
        { name: 'hemicycle', description: 'Extensions of Hemicycle.' },
        { name: 'server', description: 'About this server.' },
      ],
      security: [{}, { viewer: [] }],
      components: {
        securitySchemes: { viewer: { type: 'http', scheme: 'bearer', description: 'Token of a viewer.' } },
        headers: headerComponents,
      },
    },
    transform({ schema, url }) {
      const { response, ...otherSchema } = (schema ?? {}) as { response?: object };
      // Only a server with allowed host names checks the Host header.
      const commonResponses = problemResponses(400, 414, 431, ...(settings.allowedHosts ? ([421] as const) : []));
      return { schema: { ...otherSchema, response: { ...response, ...commonResponses } }, url };
    },
    transformObject(document) {
      const { openapiObject } = document as Extract<typeof document, { openapiObject: unknown }>;
      for (const [path, methods] of Object.entries(openapiObject.paths as Record<string, Record<string, ApiOperation>>))
        for (const operation of Object.values(methods)) completeOperation(path, operation);
      return openapiObject;
    },
    hideUntagged: true, // pages, assets and endpoints with a protocol of their own
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  const generate = async (): Promise<FixedResponse> => {
    const { info, paths, ...otherSections } = structuredClone(app.swagger()) as { info: object; paths: OpenApiPaths };
    const citation = mirror.citation();
    const title = `${citation.name}, served by Hemicycle`;
    const description = introductionText(citation, settings);
    const ownInfo = { ...info, title, description, ...operatorFields(citation, settings) };
    for (const question of questions) {
      await (waitForSlot('streams') ?? setImmediate()); // let other requests run
      if (mirror.isReadable()) addExamples(paths, question, mirror.current());
    }
    return fixedResponse(
      JSON.stringify({ ...otherSections, info: ownInfo, paths, webhooks: { watch: webhookMessage } }),
    );
  };
  const generateForState = memoizeLast((_state: string) => generate()); // reused until edition or citation change
  const describe = async () =>
    mirror.isReadable() ? generateForState(JSON.stringify([mirror.edition(), mirror.citation()])) : generate();
  const schema = {
    tags: ['server'],
    operationId: 'getOpenapi',
    summary: 'This description.',
    response: operationResponses(objectSchema('An OpenAPI 3.1 document.')),
  };
  app.get('/openapi.json', { schema }, async (request, reply) => answers.sendFixed(request, reply, await describe()));
  return describe;
}

function operatorFields({ publisher, contact }: Citation, { basePath = '' }: ServerSettings): object {
  const isMail = /^[^\s@]+@[^\s@]+$/.test(contact ?? '');
  const url = webAddress(contact ?? '');
  const contactDetails = {
    ...(publisher ? { name: publisher } : {}),
    ...(isMail ? { email: contact } : url === null ? {} : { url }),
  };
  return {
    // OpenAPI has one licence, but the terms differ between exports and other data: `/about` states them.
    license: {
      name: 'Open Database License 1.0 for whole-dataset exports; free for non-commercial use for the rest',
      url: `${basePath}/about`,
    },
    termsOfService: `${basePath}/about`,
    ...(Object.keys(contactDetails).length > 0 ? { contact: contactDetails } : {}),
  };
}

/** Adds to an operation what route schemas cannot express: the style of list parameters, and the response headers. */
function completeOperation(path: string, operation: ApiOperation): void {
  for (const parameter of operation.parameters ?? [])
    if (parameter.schema.type === 'array') Object.assign(parameter, { style: 'form', explode: false });
  for (const [status, response] of Object.entries(operation.responses)) {
    const headers = headersOf(path, operation, Number(status));
    if (Object.keys(headers).length > 0) Object.assign(response, { headers });
  }
}

type ApiOperation = { parameters?: { name: string; schema: { type?: unknown } }[]; responses: Record<string, object> };

function headersOf(path: string, { parameters = [], responses }: ApiOperation, status: number) {
  const isCounted = !unlimitedRoutes.test(path);
  const isSuccess = [200, 206, 304].includes(status);
  const isFile = path.includes('/export/') && (status === 200 || status === 206);
  const names: (keyof typeof describedHeaders)[] = [
    ...(isFile ? (['Content-Disposition', 'Accept-Ranges'] as const) : []),
    ...(status === 206 || status === 416 ? (['Content-Range'] as const) : []),
    ...(isSuccess && '304' in responses ? (['ETag', 'Last-Modified'] as const) : []),
    ...(status === 431 ? [] : (['Link'] as const)),
    ...(isSuccess && parameters.some(({ name }) => name === 'as_of') ? (['Memento-Datetime'] as const) : []),
    ...(isCounted && !uncountedStatuses.has(status) ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Statuses of requests refused before rate limiting; their responses lack its headers. */
const uncountedStatuses = new Set([400, 414, 421, 431]);

/** Replaces example values by ones with results in this mirror; removes those for which there are none. */
function addExamples(paths: OpenApiPaths, question: Question, mirror: Mirror): void {
  for (const parameter of paths[`/api/v1${question.path}`]?.get?.parameters ?? []) {
    const { name, example } = parameter;
    const newExample = name in question.parameters ? findExample(mirror, question, name) : undefined;
    if (newExample === null) delete parameter.example;
    else if (newExample !== undefined) parameter.example = Array.isArray(example) ? newExample.split(',') : newExample;
  }
}

/** Example requests in the introduction, which every mirror can answer. */
const exampleRequests = [
  '/politicians?limit=3',
  '/ballots?margin=5&sort=margin&limit=3',
  '/search?q=logement',
  '/feed?types=promise&limit=3',
  '/changes?since=7d',
];

function introductionText(citation: Citation, { rateLimit, basePath = '' }: ServerSettings): string {
  const limitText = rateLimit
    ? `At most ${quotas.anonymous} requests a minute per address, ${quotas.viewer} for a viewer ` +
      '(`Authorization: Bearer TOKEN`); above that 429 with `Retry-After`.'
    : 'The number of requests is not limited.';
  return [
    'A local copy of a public, read-only information service about politicians and parties.',
    `${sourceText({ name: citation.name, url: citation.siteUrl, retrieved_at: null })}.`,
    `Dataset exports are licensed under the Open Database License 1.0 (${odbl.url}). All other data is free for ` +
      'non-commercial use, with the citation above. Quoted content may have its own licence: see the field ' +
      '`licence` of its source.',
    `Five requests to start with:\n\n\`\`\`\nSITE=http://127.0.0.1:8000${basePath}  # the address of this ` +
      `server\n${exampleRequests.map((path) => `curl "$SITE/api/v1${path}"`).join('\n')}\n\`\`\``,
    'A list has the form `{"items": […], "total", "next_cursor"}`. For the next page, pass `next_cursor` as ' +
      '`cursor`. `/guide` has a page for each task.',
    limitText,
    'Numbers are written in decimal digits. For a list, separate values with commas or repeat the parameter; ' +
      'any other parameter must be given once. The character U+0000 is refused. Unknown parameters are ignored.',
    'Every reading endpoint takes `as_of`: it returns the state of this mirror at that time, with ' +
      '`Memento-Datetime` (RFC 7089) in the response. A time before its first record is refused.',
    'Records contain all fields of the service, including those that are not described here. Errors are ' +
      '`application/problem+json` (RFC 9457).',
    'Names are matched to records at `/reconcile` (Reconciliation Service API 0.2), whose manifest lists its ' +
      'other URLs.',
  ].join('\n\n');
}
