import { Ajv2020 } from 'ajv/dist/2020.js';

type Schema = {
  type?: string | string[];
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  items?: Schema;
};

export type Parameter = { name: string; in: 'query' | 'path'; required?: boolean; schema: Schema };

type Answer = { description: string; content?: Record<string, { schema: object }>; headers?: object };

/** An operation of the document, and how it is asked for. */
export type Operation = {
  path: string;
  tags: string[];
  parameters: Parameter[];
  responses: Record<string, Answer>;
};

/** The document that a server publishes about itself. */
export type ApiDocument = { paths: Record<string, { get: Omit<Operation, 'path'> }>; components: object };

/** What a document promises, and whether values keep it. */
export type Promises = {
  operations: Operation[];
  /** What is wrong with a value under a parameter's schema; null if nothing is. */
  faultOfParameter(parameter: Parameter, value: unknown): string | null;
  /** What is wrong with the body of an answer of that status and media type; null if nothing is. */
  faultOfBody(operation: Operation, answer: { status: number; type: string }, body: unknown): string | null;
  /** Every example of the document that its own schema refuses. */
  wrongExamples(): { exampleCount: number; wrong: string[] };
};

/** Reads a document with a JSON Schema 2020-12 validator that the server does not use. */
export function readPromises(document: ApiDocument): Promises {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const faultAt = (pointer: string, value: unknown): string | null => {
    const validate = ajv.getSchema(`document#${pointer}`)!;
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({
    ...get,
    path,
    parameters: get.parameters ?? [],
  }));
  const pointerTo = ({ path }: Operation, ...parts: (string | number)[]) => pointerOf(['paths', path, 'get', ...parts]);
  const places = new Map(
    operations.flatMap((operation) =>
      operation.parameters.map((parameter, at) => [parameter, pointerTo(operation, 'parameters', at)]),
    ),
  );
  return {
    operations,
    faultOfParameter: (parameter, value) => faultAt(`${places.get(parameter)}/schema`, value),
    faultOfBody: (operation, { status, type }, body) =>
      faultAt(pointerTo(operation, 'responses', status, 'content', type, 'schema'), body),
    wrongExamples() {
      const examples = examplesOf(document, []);
      const wrong = examples.flatMap(({ location, schema, value }) => {
        const fault = faultAt(schema, value);
        return fault === null ? [] : [`${location}: ${fault}`];
      });
      return { exampleCount: examples.length, wrong };
    },
  };
}

type Example = { location: string; schema: string; value: unknown };

/** Examples stand in schemas (a list), or beside them (a map, or a single one). */
function examplesOf(node: unknown, path: (string | number)[]): Example[] {
  if (typeof node !== 'object' || node === null) return [];
  const { examples, example, schema } = node as Record<string, unknown>;
  const of = schema === undefined ? path : [...path, 'schema'];
  const values = Array.isArray(examples)
    ? examples
    : Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(({ value }) => value);
  const own = path.at(-1) === 'properties' ? [] : [...values, ...(example === undefined ? [] : [example])];
  return [
    ...own.map((value) => ({ location: path.join('/'), schema: pointerOf(of), value })),
    ...Object.entries(node).flatMap(([name, inner]) =>
      name === 'examples' || name === 'example' ? [] : examplesOf(inner, [...path, name]),
    ),
  ];
}

function pointerOf(parts: (string | number)[]): string {
  return parts
    .map((part) => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}
