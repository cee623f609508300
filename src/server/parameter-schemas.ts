import { type TSchema, Type } from 'typebox';

/** How many results: from 1 to the maximum of the interface. */
export function countParameter(maximum: number, description: string) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum, default: 20, description }));
}

/** A filter that must not be empty where it is given. */
export function filterParameter(description: string, example: string) {
  return Type.Optional(Type.String({ minLength: 1, maxLength: 500, description, examples: [example] }));
}

/** Longest part of a path that names a record; the router refuses others (414). */
export const longestName = 500;

/** The part of a path that names a record. */
export function nameParameter(description: string, example: string) {
  return Type.String({ maxLength: longestName, description, examples: [example] });
}

/** What is searched for; white space alone is nothing. */
export function queryParameter(description: string, example: string) {
  return Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description, examples: [example] });
}

/** One of a few words. */
export function choiceParameter<const Words extends readonly string[]>(words: Words, description: string) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description });
}

/** Some of a few words, separated by commas. */
export function listParameter<const Words extends readonly string[]>(words: Words, description: string) {
  const items = Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] });
  return Type.Optional(Type.Array(items, { minItems: 1, description, examples: [words.slice(0, 2)] }));
}

/** The token that continues a list. */
export const cursorParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Opaque token from `next_cursor` of the page before, with the same filters and sort.',
  }),
);

/** The parameters of a query; lists are written with commas. */
export function querySchema<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, { style: 'form', explode: false });
}
