import { objectSchema, problemResponse } from '../answer-schemas.ts';
import type { DocumentedSchema } from '../record-schemas.ts';
import { batchBounds } from './batch.ts';

const text = (description: string): DocumentedSchema => ({ type: 'string', description });

const called = (description: string, more: Record<string, DocumentedSchema> = {}): DocumentedSchema => ({
  type: 'object',
  description,
  properties: { id: text('How it is called over the API.'), name: text('Its name.'), ...more },
  required: ['id', 'name'],
});

const list = (description: string, items: DocumentedSchema): DocumentedSchema => ({
  type: 'array',
  description,
  items,
});

const candidate = called('Somebody or something that the name may mean.', {
  type: list('Politician, or party.', called('A type.')),
  score: { type: 'number', description: 'From 0 to 100.' },
  match: {
    type: 'boolean',
    description: 'True where it may be taken without anybody looking; of homonyms never.',
  },
  features: list('What was stated beside the name, and whether it agrees (true) or differs (false).', {
    type: 'object',
    properties: {
      id: text('party, department or born.'),
      value: { type: 'boolean', description: 'Whether it agrees with the record.' },
    },
    required: ['id', 'value'],
  }),
});

const results: DocumentedSchema = {
  type: 'object',
  description: 'To `queries`: under the name of each query whom it may mean.',
  additionalProperties: {
    type: 'object',
    properties: { result: list('Candidates, the likeliest first.', candidate) },
    required: ['result'],
  },
};

const extension: DocumentedSchema = {
  type: 'object',
  description: 'To `extend`: a row for each id, in it a list of values for each property.',
  properties: {
    meta: list('The properties.', called('A property.')),
    rows: { type: 'object', description: 'Rows by id.', additionalProperties: objectSchema('A row.') },
  },
  required: ['meta', 'rows'],
};

const refusals = Object.fromEntries(
  ([401, 422, 429, 503] as const).map((each) => [each, problemResponse(each)]),
);

/** Route schemas of the reconciliation API: manifest and batches; the manifest names the other URLs. */
export const described = {
  getReconcile: {
    tags: ['hemicycle'],
    operationId: 'getReconciliationManifest',
    summary:
      'the manifest of the Reconciliation Service API 0.2, by which OpenRefine finds out whom names mean',
    description:
      'It names where entities, types and properties are suggested, shown and added to tables. A batch may stand in the address too, as `queries` or `extend`; with `callback` the answer is a script.',
    response: {
      200: {
        type: 'object',
        description: 'The manifest.',
        properties: {
          versions: list('Versions of the API.', text('A version.')),
          name: text('Name of the service.'),
          identifierSpace: text('What ids begin with, as an address.'),
          schemaSpace: text('What ids of properties begin with, as an address.'),
        },
        required: ['versions', 'name', 'identifierSpace', 'schemaSpace'],
        additionalProperties: true,
      },
      ...refusals,
    },
  },
  reconcile: {
    tags: ['hemicycle'],
    operationId: 'reconcile',
    summary: 'whom names mean, or what a table of politicians and parties is extended by',
    description: `At most ${batchBounds.queries} queries, or ${batchBounds.cells} cells of ${batchBounds.ids} ids, in ${batchBounds.bytes / 1024} KiB. A batch counts as one request.`,
    consumes: ['application/x-www-form-urlencoded'],
    body: {
      type: 'object',
      properties: {
        queries: text('A JSON object: under any name `{"query","type","limit","properties":[{"pid","v"}]}`.'),
        extend: text('A JSON object: `{"ids":[…],"properties":[{"id"}]}`.'),
      },
    },
    response: {
      200: { description: 'The answer to the batch.', anyOf: [results, extension] },
      413: problemResponse(413),
      415: problemResponse(415),
      ...refusals,
    },
  },
} as const;
