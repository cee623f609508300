import described from './described-headers.json' with { type: 'json' };

type HeaderName = keyof typeof described;

/** Names of the response headers that OpenAPI documents and scripts of other origins may read (CORS). */
export const exposedHeaders = Object.keys(described);

/** These headers as OpenAPI `components.headers`. */
export const headerComponents = Object.fromEntries(
  Object.entries(described).map(([name, { description, example }]) => [
    name,
    {
      description,
      schema: { type: typeof example === 'number' ? ('integer' as const) : ('string' as const) },
      example,
    },
  ]),
);

/** The parts of an OpenAPI operation that route schemas leave to be completed. */
export type ApiOperation = {
  parameters?: { name: string; schema: { type?: unknown } }[];
  responses: Record<string, object>;
};

/** `$ref`s to the headers that a response of that status may have. */
export function headersOf(path: string, { parameters = [], responses }: ApiOperation, status: number) {
  const isApi = path.startsWith('/api/');
  const isCounted = isApi || path === '/reconcile';
  const isGiven = [200, 206, 304].includes(status);
  const looksBack = parameters.some(({ name }) => name === 'as_of');
  const isFile = path.includes('/export/') && (status === 200 || status === 206);
  const names: HeaderName[] = [
    ...(isFile ? (['Content-Disposition', 'Accept-Ranges'] as const) : []),
    ...(status === 206 || status === 416 ? (['Content-Range'] as const) : []),
    ...(isGiven && '304' in responses ? (['ETag'] as const) : []),
    ...(isGiven && isApi ? (['Last-Modified'] as const) : []),
    ...(status === 431 ? [] : (['Link'] as const)),
    ...(isGiven && looksBack ? (['Memento-Datetime'] as const) : []),
    ...(isCounted && !uncounted.has(status) ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Statuses sent before rate limiting, without its headers. */
const uncounted = new Set([400, 414, 421, 431]);
