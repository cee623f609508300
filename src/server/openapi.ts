import swagger from '@fastify/swagger';
import type { FastifyInstance as App } from 'fastify';
import { type Citation, odbl, sourceText } from '../model/attribution.ts';
import type { Mirror } from '../store/mirror.ts';
import {
  commonResponses,
  hitSchema,
  objectSchema,
  pageSchemas,
  problemSchema,
  searchAnswerSchema,
  unchanged,
} from './answer-schemas.ts';
import { type DescribedOperation, headerComponents, headersOf } from './described-headers.ts';
import { quotas } from './limits.ts';
import { type DescribedPaths, withExamples } from './openapi-examples.ts';
import {
  anyRecordSchema,
  feedSchemas,
  profileSchemas,
  questionSchemas,
  recordSchemas,
} from './record-schemas.ts';
import { type FixedResponse, fixedResponse } from './responses.ts';
import { onceAnEdition } from './served-mirror.ts';
import type { ServerSettings, Serving } from './serving.ts';

const schemas = [
  ...recordSchemas,
  ...profileSchemas,
  ...questionSchemas,
  ...pageSchemas,
  ...feedSchemas,
  anyRecordSchema,
  hitSchema,
  searchAnswerSchema,
  problemSchema,
];

type Description = { info: object; paths: DescribedPaths };

/** Adds `/openapi.json`, which describes all routes added to `app` afterwards. */
export async function describeApi(app: App, { mirror, settings, answers }: Serving): Promise<void> {
  for (const schema of schemas) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hemicycle',
        version: 'v1',
      },
      servers: [{ url: settings.basePath || '/', description: 'This server.' }],
      tags: [
        { name: 'service', description: 'The interface of the service.' },
        {
          name: 'hemicycle',
          description: 'Beyond the interface of the service: only a Hemicycle answers these.',
        },
        { name: 'server', description: 'About this server.' },
      ],
      security: [{}, { viewer: [] }],
      components: {
        securitySchemes: {
          viewer: { type: 'http', scheme: 'bearer', description: 'Token of a viewer.' },
        },
        headers: headerComponents,
      },
    },
    transform({ schema, url }) {
      const { response, ...rest } = (schema ?? {}) as { response?: object };
      const common = commonResponses({ isNamed: settings.allowedHosts !== undefined });
      return { schema: { ...rest, response: { ...response, ...common } }, url };
    },
    transformObject(document) {
      const { openapiObject } = document as Extract<typeof document, { openapiObject: unknown }>;
      const paths = openapiObject.paths as Record<string, Record<string, ApiOperation>>;
      for (const [path, methods] of Object.entries(paths))
        for (const operation of Object.values(methods)) complete(path, operation);
      return openapiObject;
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  const describe = (current: Mirror | null): FixedResponse => {
    const { info, paths, ...rest } = app.swagger() as Description;
    const citation = mirror.citation();
    const title = `${citation.name}, served by Hemicycle`;
    const about = { ...info, title, description: introduction(citation, settings) };
    const exemplified = current ? withExamples(paths, current) : paths;
    return fixedResponse(JSON.stringify({ ...rest, info: about, paths: exemplified }));
  };
  const described = onceAnEdition(mirror, () => describe(mirror.current()));
  app.get(
    '/openapi.json',
    {
      schema: {
        tags: ['server'],
        operationId: 'getOpenapi',
        summary: 'This description.',
        response: { 200: objectSchema('An OpenAPI 3.1 document.'), 304: unchanged },
      },
    },
    (request, reply) => {
      return answers.fixed(request, reply, mirror.isThere() ? described() : describe(null));
    },
  );
}

type ApiOperation = {
  parameters?: { name: string; schema: { type?: unknown } }[];
  responses: DescribedOperation['responses'];
};

/** Adds what route schemas cannot express: the style of list parameters and the response headers. */
function complete(path: string, { parameters = [], responses }: ApiOperation): void {
  for (const parameter of parameters) {
    if (parameter.schema.type === 'array') Object.assign(parameter, { style: 'form', explode: false });
  }
  for (const [status, response] of Object.entries(responses)) {
    const headers = headersOf({ path, parameters, responses }, Number(status));
    if (Object.keys(headers).length > 0) Object.assign(response, { headers });
  }
}

function introduction(citation: Citation, { rateLimit }: ServerSettings): string {
  const limits = rateLimit
    ? `At most ${quotas.anonymous} requests in any minute per address, ${quotas.viewer} for a viewer ` +
      '(`Authorization: Bearer TOKEN`); above that 429 with `Retry-After`.'
    : 'The number of requests is not limited.';
  return [
    'A local copy of a public, read-only information service about politicians and parties.',
    `${sourceText({ name: citation.name, url: citation.siteUrl, retrieved_at: null })}.`,
    `Whole-dataset exports are under the Open Database License 1.0 (${odbl.url}); everything else is free for non-commercial use, with the citation above. What stands in them may be under licences of its own: each source states its \`licence\` where one is known.`,
    limits,
    'A parameter is given once, a list also again and again; numbers are written in decimal digits and lists with commas, around which spaces mean nothing; none may hold the character U+0000. Parameters that are not described here are ignored.',
    'Every endpoint that reads takes `as_of`: what this mirror had seen by then, with `Memento-Datetime` (RFC 7089) on the answer; a moment before its first record is refused.',
    'Records keep the fields of the service, those that are not described here too. Errors are `application/problem+json` (RFC 9457).',
    'Whom names mean is asked at `/reconcile`, by the Reconciliation Service API 0.2, whose manifest stands there and names its other addresses.',
  ].join('\n\n');
}
