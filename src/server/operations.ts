import type { Parameters } from '../questions/parameter.ts';
import type { Question } from '../questions/question.ts';
import { capitalise } from '../words/speech.ts';
import { operationResponses, pageSchemaName } from './answer-schemas.ts';
import { type DocumentedSchema, schemaRef } from './record-schemas.ts';

/** Returns the OpenAPI operation of a question's route; `x-beyond-interface` marks additions to the service's API. */
export function operationOf(question: Question, parameters: Parameters) {
  const entries = Object.entries(parameters);
  const pathParameters = entries.filter(([, { isPathPart }]) => isPathPart);
  return {
    tags: [question.isInterface ? 'service' : 'hemicycle'],
    operationId: question.operationId,
    summary: sentence(question.summary),
    ...(question.description === undefined ? {} : { description: question.description }),
    ...(question.isInterface ? {} : { 'x-beyond-interface': true }),
    ...(pathParameters.length > 0 ? { params: parametersSchema(pathParameters) } : {}),
    querystring: parametersSchema(entries.filter(([, { isPathPart }]) => !isPathPart)),
    response: operationResponses(
      schemaRef(question.answers === 'record' ? question.schema : pageSchemaName(question)),
      // A path parameter that accepts any word names a record, which may be missing.
      ...(pathParameters.some(([, { schema }]) => !('enum' in schema)) ? [404 as const] : []),
      ...(mayFindWithdrawn(question) ? [410 as const] : []),
      422,
    ),
  };
}

/** True if the question may answer 410: for a record, a `key`, or a politician outside the service's interface. */
function mayFindWithdrawn({ answers, isInterface, parameters }: Question): boolean {
  if (answers === 'record' || 'key' in parameters) return true;
  return !isInterface && Object.values(parameters).some(({ names }) => names === 'politician');
}

/** Returns the schema of parameters, for documentation only: `readValues` parses them. */
export function parametersSchema(parameters: [name: string, parameter: Parameters[string]][]): DocumentedSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(([name, { schema, description, isRequired, isList, isBeyondInterface }]) => {
        const { default: _, ...schemaWithoutDefault } = schema;
        const fullDescription = [sentence(description), ...(isList ? [listHint] : [])].join(' ');
        const extension = isBeyondInterface ? { 'x-beyond-interface': true } : {};
        return [name, { ...(isRequired ? schemaWithoutDefault : schema), description: fullDescription, ...extension }];
      }),
    ),
    required: parameters.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  };
}

/** Last sentence in the description of a parameter that takes several values. */
export const listHint = 'Comma-separated, or repeated.';

/** Returns the phrase as a sentence: with a capital letter, and a full stop unless it ends in `.`, `?` or `!`. */
export const sentence = (phrase: string): string => `${capitalise(phrase)}${/[.?!]$/.test(phrase) ? '' : '.'}`;
