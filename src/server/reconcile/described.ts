import type { Citation } from '../../model/attribution.ts';
import { objectSchema, problemResponses } from '../answer-schemas.ts';
import {
  type DocumentedSchema,
  listSchema as list,
  objectOf,
  textSchema as text,
} from '../record-schemas.ts';
import { batchBounds } from './batch.ts';
import { types } from './vocabulary.ts';

/** Path of the reconciliation service; clients store it, so it must not change. */
export const reconcilePath = '/reconcile';

/** Size of a preview in pixels. */
const previewSize = { width: 430, height: 300 };

const called = (description: string, more: Record<string, DocumentedSchema> = {}): DocumentedSchema =>
  objectOf(description, { id: text('Its id in this API.'), name: text('Its name.'), ...more }, [
    'id',
    'name',
  ]);

const candidate = called('A politician or party that the name may mean.', {
  type: list('Politician, or party.', called('A type.')),
  score: { type: 'number', description: 'From 0 to 100.' },
  match: { type: 'boolean', description: 'True if it may be taken without review; never for homonyms.' },
  features: list('Facts stated with the name, and whether they agree.', {
    type: 'object',
    properties: {
      id: text('party, department or born.'),
      value: { type: 'boolean', description: 'True if it agrees with the record.' },
    },
    required: ['id', 'value'],
  }),
});

const results: DocumentedSchema = {
  type: 'object',
  description: 'Response to `queries`: candidates by the name of each query.',
  additionalProperties: {
    type: 'object',
    properties: { result: list('Candidates, best first.', candidate) },
    required: ['result'],
  },
};

const extension = objectOf(
  'Response to `extend`: a row for each id, with a list of values for each property.',
  {
    meta: list('The properties.', called('A property.')),
    rows: { type: 'object', description: 'Rows by id.', additionalProperties: objectSchema('A row.') },
  },
);

/** The manifest (Reconciliation Service API 0.2), with URLs at the origin of the request. */
export function manifestOf(origin: string, { name }: Citation): object {
  const at = `${origin}${reconcilePath}`;
  const suggesting = (what: string) => ({
    service_url: origin,
    service_path: `${reconcilePath}/suggest/${what}`,
    flyout_service_path: `${reconcilePath}/flyout/${what}?id=\${id}`,
  });
  return {
    versions: ['0.1', '0.2'],
    name: `${name} (Hemicycle)`,
    identifierSpace: `${at}/view?id=`,
    schemaSpace: `${at}/properties?id=`,
    documentation: `${origin}/docs`,
    logo: `${origin}/assets/icon.svg`,
    defaultTypes: types,
    view: { url: `${at}/view?id={{id}}` },
    preview: { url: `${at}/preview?id={{id}}`, ...previewSize },
    suggest: {
      entity: suggesting('entity'),
      type: suggesting('type'),
      property: suggesting('property'),
    },
    extend: {
      propose_properties: { service_url: origin, service_path: `${reconcilePath}/properties` },
      property_settings: [
        {
          name: 'limit',
          label: 'Limit',
          type: 'number',
          default: 0,
          help_text: 'Values at most for each row; 0 for all of them.',
        },
        {
          name: 'date',
          label: 'Day',
          type: 'text',
          default: '',
          help_text: 'The day whose parties and affiliations are meant, as 2026-11-22; empty for no day.',
        },
      ],
    },
  };
}

/** Route schemas of the reconciliation API: manifest and batches; the manifest names the other URLs. */
export const described = {
  getReconcile: {
    tags: ['hemicycle'],
    operationId: 'getReconciliationManifest',
    summary: 'the manifest of the Reconciliation Service API 0.2, with which OpenRefine matches names',
    description:
      'Lists the URLs of suggestions, previews and table extension. A batch may be sent in the query string too, as `queries` or `extend`.',
    response: {
      200: {
        ...objectOf('The manifest.', {
          versions: list('Versions of the API.', text('A version.')),
          name: text('Name of the service.'),
          identifierSpace: text('URL prefix of ids.'),
          schemaSpace: text('URL prefix of property ids.'),
        }),
        additionalProperties: true,
      },
      ...problemResponses(401, 422, 429, 503),
    },
  },
  reconcile: {
    tags: ['hemicycle'],
    operationId: 'reconcile',
    summary: 'match names to politicians and parties, or add columns to a table of them',
    description: `At most ${batchBounds.queries} queries, or ${batchBounds.cells} cells of ${batchBounds.ids} ids, in ${batchBounds.bytes / 1024} KiB. A batch counts as one request.`,
    consumes: ['application/x-www-form-urlencoded'],
    body: {
      type: 'object',
      properties: {
        queries: text('A JSON object; by any key `{"query","type","limit","properties":[{"pid","v"}]}`.'),
        extend: text('A JSON object: `{"ids":[…],"properties":[{"id"}]}`.'),
      },
    },
    response: {
      200: { description: 'The results of the batch.', anyOf: [results, extension] },
      ...problemResponses(401, 413, 415, 422, 429, 503),
    },
  },
} as const;
