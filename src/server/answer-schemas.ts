import { type RefusalStatus, refusalTable } from '../errors.ts';
import type { ListQuestion } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { indexedKinds } from '../store/word-index/search-index.ts';
import { capitalise } from '../words/speech.ts';
import schemas from './answer-schemas.json' with { type: 'json' };
import { type DocumentedSchema, fieldsSchema, listSchema, schemaRef } from './record-schemas.ts';

const { hit, searchAnswer, problem, taken: resolvedNamesSchema, suggestions } = schemas;

/** Returns the name of the response schema of a list question; both searches share `SearchAnswer`. */
export function pageSchemaName({ name, schema }: ListQuestion): string {
  return schema === 'SearchAnswer' ? schema : `${capitalise(name)}Page`;
}

/** Schemas of one page of results, for all list questions except the searches. */
export const pageSchemas = questions.flatMap((question): DocumentedSchema | [] => {
  if (question.answers !== 'list' || question.schema === 'SearchAnswer') return [];
  const { schema, parameters, isInterface, answerFields = [] } = question;
  // Endpoints of the service's interface match names literally and suggest corrections; others report resolved names.
  const hasSuggestions = isInterface && Object.values(parameters).some(({ names }) => names !== null);
  const namesParties = Object.values(parameters).some((each) => each.names === 'party' || each.groupNamesIn !== null);
  const extraFieldsSchema = fieldsSchema(answerFields);
  return {
    $id: pageSchemaName(question),
    type: 'object',
    description: `A page of the answer to \`${question.path}\`.`,
    properties: {
      items: listSchema('The items of this page.', schemaRef(schema)),
      total: { type: ['integer', 'null'], description: 'Number of all matches; null if unknown.' },
      next_cursor: { type: ['string', 'null'], description: 'Cursor of the next page; null on the last page.' },
      ...extraFieldsSchema.properties,
      ...(hasSuggestions ? { suggestions } : {}),
      ...(!isInterface && namesParties ? { taken: resolvedNamesSchema } : {}),
    },
    required: ['items', 'total', 'next_cursor', ...extraFieldsSchema.required],
  };
});

const notModifiedSchema = { type: 'null', description: 'The cached response of the client is still current.' };

/** Returns the documented responses of an operation by status: 200, 304, 401, 429, 503 and the given problems. */
export function operationResponses(
  okSchema: DocumentedSchema,
  ...problemStatuses: (403 | 404 | 409 | 410 | 416 | 422)[]
): Record<number, DocumentedSchema> {
  return { 200: okSchema, 304: notModifiedSchema, ...problemResponses(...problemStatuses, 401, 429, 503) };
}

/** Returns the documented problem responses, by status. */
export function problemResponses(...statuses: RefusalStatus[]): Record<number, DocumentedSchema> {
  const content = { 'application/problem+json': { schema: schemaRef('Problem') } };
  return Object.fromEntries(statuses.map((status) => [status, { description: refusalTable[status], content }]));
}

/** Returns the schema of an object whose fields are not described. */
export function objectSchema(description: string): DocumentedSchema {
  return { type: 'object', description, additionalProperties: true };
}

const hitType = { ...hit.properties.type, enum: [...indexedKinds].map(({ name }) => name) };

/** Schemas of any record, of a search hit, of a search answer and of a problem (RFC 9457). */
export const sharedSchemas: DocumentedSchema[] = [
  {
    $id: 'AnyRecord',
    ...objectSchema('A record of the kind that was asked for, with every field that the mirror holds of it.'),
  },
  { ...hit, properties: { ...hit.properties, type: hitType } },
  searchAnswer,
  problem,
];
