import { compile } from 'json-schema-to-typescript';
import { type Document, documentsIn, isDocument, type Json } from '../model/document.ts';
import { openScratchMirror } from '../store/open.ts';
import { createApp } from './app.ts';

/** Path prefix of the API; base URLs of clients end in it. */
const apiPrefix = '/api/v1';

/** Returns the OpenAPI document of a server with an empty mirror. */
export async function apiDescription(): Promise<Document> {
  const mirror = openScratchMirror('');
  using _ = { [Symbol.dispose]: mirror.close };
  const settings = { citation: { name: '', siteUrl: null }, rateLimit: false, semantic: false };
  await using app = await createApp({ mirror, settings });
  return (await app.inject('/openapi.json')).json();
}

/** Returns the TypeScript source of the types of records, responses and GET paths of an OpenAPI document. */
export function clientInterfaceSource(description: Document): Promise<string> {
  const endpointEntries = Object.entries(description.paths as Record<string, Document>)
    .filter(([path]) => path.startsWith(`${apiPrefix}/`))
    .map(([path, pathItem]) => [path.slice(apiPrefix.length), endpointSchema(pathItem.get as Document)]);
  const { schemas } = description.components as { schemas: Document };
  const schema = { ...closedObject(Object.fromEntries(endpointEntries)), definitions: schemas };
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/definitions/');
  return compile(JSON.parse(text, addAnyType), 'Interface', {
    bannerComment: '// Written by `npm run build` from /openapi.json (src/server/client-interface.ts). Never edited.',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  });
}

/** Returns the schema of an endpoint: its `parameters`, and its `answer`, which is `'bytes'` unless it is JSON. */
function endpointSchema({ summary, parameters, responses }: Document): Document {
  const parameterList = documentsIn(parameters);
  const fields = parameterList.map(({ name, description, schema }) => [name, { ...(schema as Document), description }]);
  const required = parameterList.flatMap((each) => (each.required === true ? [each.name!] : []));
  const { 200: success } = responses as Record<string, Document>;
  const { 'application/json': json } = (success!.content ?? {}) as Record<string, Document>;
  const answer = json?.schema ?? { const: 'bytes' };
  const parametersSchema = { ...closedObject(Object.fromEntries(fields)), required };
  return { ...closedObject({ parameters: parametersSchema, answer }), description: summary! };
}

const closedObject = (properties: Document): Document => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
});

/** JSON reviver: adds `type: 'any'` to a schema with only a description, which the compiler would type as an object. */
function addAnyType(_key: string, value: Json): Json {
  const hasOnlyDescription = isDocument(value) && Object.keys(value).join() === 'description';
  return hasOnlyDescription && typeof value.description === 'string' ? { ...value, type: 'any' } : value;
}
