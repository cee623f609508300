import type { FastifySchemaValidationError } from 'fastify/types/schema.js';

/** What is wrong with each parameter, in words, from what the schema validator found. */
export function validationErrors(
  found: FastifySchemaValidationError[],
  where = 'querystring',
): { parameter: string; message: string }[] {
  const errors = new Map<string, string>();
  for (const { keyword, instancePath, params } of found) {
    const parameter = instancePath.split('/')[1] ?? String(params.missingProperty ?? where);
    if (!errors.has(parameter)) errors.set(parameter, messages[keyword]?.(params) ?? 'is not valid');
  }
  return [...errors].map(([parameter, message]) => ({ parameter, message }));
}

type Params = FastifySchemaValidationError['params'];

const messages: Record<string, (params: Params) => string> = {
  required: () => 'is required',
  type: ({ type }) => `must be ${type === 'integer' ? 'a whole number' : `of type ${type}`}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: () => 'must not be empty',
  pattern: () => 'must not be empty',
  maxLength: ({ limit }) => `must be at most ${limit} characters long`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as string[]).join(', ')}`,
};
