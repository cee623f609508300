import swagger from '@fastify/swagger';
import type { FastifyInstance as App } from 'fastify';
import { attributionOf, odbl } from '../model/attribution.ts';
import {
  commonResponses,
  feedItemSchema,
  hitSchema,
  objectSchema,
  problemSchema,
  searchAnswerSchema,
  unchanged,
} from './answer-schemas.ts';
import { quotas } from './limits.ts';
import { anyRecordSchema, profileSchemas, questionSchemas, recordSchemas } from './record-schemas.ts';
import { type FixedResponse, fixedResponse } from './responses.ts';
import type { ServerSettings, Serving } from './serving.ts';

const schemas = [
  ...recordSchemas,
  ...profileSchemas,
  ...questionSchemas,
  anyRecordSchema,
  feedItemSchema,
  hitSchema,
  searchAnswerSchema,
  problemSchema,
];

/** Serves `/openapi.json`, the description of every route that is added to `app` afterwards. */
export async function describeApi(app: App, { settings, answers }: Serving): Promise<void> {
  for (const schema of schemas) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${settings.citation.name}, served by Hemicycle`,
        version: 'v1',
        description: introduction(settings),
      },
      servers: [{ url: '/', description: 'This server.' }],
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
      },
    },
    transform({ schema, url }) {
      const { response, ...rest } = (schema ?? {}) as { response?: object };
      const common = commonResponses(url, { isNamed: settings.allowedHosts !== undefined });
      return { schema: { ...rest, response: { ...response, ...common } }, url };
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  let answer: FixedResponse | null = null;
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
      answer ??= fixedResponse(JSON.stringify(app.swagger()));
      return answers.fixed(request, reply, answer);
    },
  );
}

function introduction({ citation, rateLimit }: ServerSettings): string {
  const limits = rateLimit
    ? `At most ${quotas.anonymous} requests in any minute per address, ${quotas.viewer} for a viewer ` +
      '(`Authorization: Bearer TOKEN`); above that 429 with `Retry-After`.'
    : 'The number of requests is not limited.';
  return [
    'A local copy of a public, read-only information service about politicians and parties.',
    attributionOf(citation).text.replace(/;[^;]*$/, '.'),
    `Whole-dataset exports are under the Open Database License 1.0 (${odbl.url}); everything else is free for non-commercial use, with the citation above.`,
    limits,
    'A parameter is given once, a list also again and again; numbers are written in decimal digits and lists with commas, around which spaces mean nothing; none may hold the character U+0000. Parameters that are not described here are ignored.',
    'Every endpoint that reads takes `as_of`: what this mirror had seen by then, with `Memento-Datetime` (RFC 7089) on the answer; a moment before its first record is refused.',
    'Records keep the fields of the service, those that are not described here too. Errors are `application/problem+json` (RFC 9457).',
  ].join('\n\n');
}
