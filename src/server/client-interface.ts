import { writeFileSync } from 'node:fs';
import { type Document, documentsIn, isDocument, type Json, textOf } from '../model/document.ts';
import { openScratchMirror } from '../store/open.ts';
import { createApp } from './app.ts';

/** Path prefix of the interface; base URLs of clients end in it. */
const apiPrefix = '/api/v1';

/** Returns the OpenAPI document of an empty mirror. */
export async function apiDescription(): Promise<Document> {
  const mirror = openScratchMirror('');
  const settings = { citation: { name: '', siteUrl: null }, rateLimit: false, semantic: false };
  const app = await createApp({ mirror, settings });
  try {
    return (await app.inject('/openapi.json')).json();
  } finally {
    await app.close();
    mirror.close();
  }
}

/** Writes the client's generated types to that file. */
export async function writeClientInterface(file: string): Promise<void> {
  writeFileSync(file, clientInterfaceSource(await apiDescription()));
}

/** Returns the TypeScript source of the types of records, responses and paths of an OpenAPI document. */
export function clientInterfaceSource(description: Document): string {
  const { schemas } = description.components as { schemas: Record<string, Document> };
  const typeAliases = Object.entries(schemas).map(
    ([name, schema]) => `${docOf(schema, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const addresses = Object.entries(description.paths as Record<string, Document>)
    .filter(([path]) => path.startsWith(`${apiPrefix}/`))
    .map(([path, item]) => addressText(path.slice(apiPrefix.length), item.get as Document));
  return `// Written by \`npm run build\` from /openapi.json (src/server/client-interface.ts). Never edited by hand.

${typeAliases.join('\n')}
/** What each address takes, and what it answers: \`'bytes'\` for what is no JSON. */
export type Interface = {
${addresses.join('')}};
`;
}

function addressText(path: string, operation: Document): string {
  const fields = documentsIn(operation.parameters).map((parameter) => {
    const name = String(parameter.name);
    const optional = parameter.required === true ? '' : '?';
    return `${docOf(parameter, '      ')}      ${keyOf(name)}${optional}: ${typeOf(parameter.schema, '      ')};\n`;
  });
  const parameters = fields.length === 0 ? '{}' : `{\n${fields.join('')}    }`;
  return `${docOf({ description: operation.summary ?? operation.description ?? null }, '  ')}  '${path}': {
    parameters: ${parameters};
    answer: ${answerOf(operation)};
  };
`;
}

function answerOf(operation: Document): string {
  const answers = operation.responses as Record<string, Document>;
  const content = answers['200']!.content as Record<string, Document> | undefined;
  const json = content?.['application/json'];
  return json ? typeOf(json.schema, '    ') : "'bytes'";
}

function typeOf(schema: Json | undefined, indent: string): string {
  if (!isDocument(schema)) return 'unknown';
  const reference = textOf(schema, '$ref');
  if (reference !== null) return reference.slice(reference.lastIndexOf('/') + 1);
  const choices = documentsIn(schema.anyOf ?? schema.oneOf);
  if (choices.length > 0) return unionOf(choices.map((choice) => typeOf(choice, indent)));
  if (Array.isArray(schema.enum)) return unionOf(schema.enum.map((value) => literalOf(value)));
  if (schema.const !== undefined) return literalOf(schema.const);
  const types = [schema.type ?? []].flat().map(String);
  return types.length === 0 ? 'unknown' : unionOf(types.map((type) => plainType(type, schema, indent)));
}

function plainType(type: string, schema: Document, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return `(${typeOf(schema.items, indent)})[]`.replace(/^\((\w+)\)/, '$1');
  if (type === 'object') return objectType(schema, indent);
  return type;
}

function objectType(schema: Document, indent: string): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const inner = `${indent}  `;
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Document>).map(
    ([name, field]) =>
      `${docOf(field, inner)}${inner}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field, inner)};\n`,
  );
  const { additionalProperties: additional } = schema;
  // An index signature must cover the named fields too, so it is `unknown` next to them.
  const indexType = isDocument(additional) && fields.length === 0 ? typeOf(additional, inner) : 'unknown';
  const isOpen = additional === true || isDocument(additional) || (additional === undefined && fields.length === 0);
  if (isOpen) fields.push(`${inner}[field: string]: ${indexType};\n`);
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`;
}

const unionOf = (types: string[]) => [...new Set(types)].join(' | ');

const literalOf = (value: Json) => (typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : String(value));

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : literalOf(name));

function docOf({ description }: Document, indent: string): string {
  if (typeof description !== 'string' || description === '') return '';
  return `${indent}/** ${description.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`;
}
