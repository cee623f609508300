import type { FastifyRequest } from 'fastify';
import { badParameters } from './problem.ts';

type Property = { type?: string };
type QuerySchema = { properties?: Record<string, Property> };

/**
 * Keeps of a query what its route declares, with lists split at their commas; refuses what no schema can see:
 * parameters given twice, characters that end a text elsewhere, numbers in other notations.
 */
export async function readParameters(request: FastifyRequest): Promise<void> {
  const given = request.query as Record<string, string | string[]>;
  const declared = (request.routeOptions.schema?.querystring as QuerySchema | undefined)?.properties ?? {};
  const errors: { parameter: string; message: string }[] = [];
  const read: Record<string, string | string[]> = {};
  for (const [parameter, property] of Object.entries(declared)) {
    const value = given[parameter];
    if (value === undefined) continue;
    const message = typeof value === 'string' ? complaint(value, property) : 'must be given only once';
    if (message !== null) errors.push({ parameter, message });
    else read[parameter] = property.type === 'array' ? splitList(value as string) : value;
  }
  if (errors.length > 0) throw badParameters(errors);
  request.query = read;
}

function complaint(value: string, { type }: Property): string | null {
  if (value.includes('\0')) return 'must not contain the character U+0000';
  if (type === 'integer' && !/^-?\d{1,15}$/.test(value)) return 'must be a whole number';
  return null;
}

function splitList(value: string): string[] {
  return value.split(',').map((item) => item.trim());
}
