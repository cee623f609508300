/** Response headers documented in OpenAPI and exposed to scripts of other origins (CORS). */
const described = {
  'Content-Disposition': {
    description: 'Name of the file.',
    example: 'attachment; filename="parties.csv"',
  },
  ETag: {
    description: 'Sent back in `If-None-Match`, the response is 304 until it changes.',
    example: '"a-2KYHPRQtqu3qXZq19KRmmU8N-eE"',
  },
  'Last-Modified': {
    description: 'When the mirror was last filled; absent during a sync.',
    example: 'Sun, 01 Nov 2026 06:00:00 GMT',
  },
  Link: {
    description:
      'The service that the data come from (`rel="via"`), and the licence of an export (`rel="license"`).',
    example: '<https://service.example/>; rel="via"',
  },
  'Memento-Datetime': {
    description: 'The moment of `as_of`, if given (RFC 7089).',
    example: 'Sun, 01 Nov 2026 23:59:59 GMT',
  },
  RateLimit: {
    description: 'With rate limits: requests left (`r`), and seconds until the next is possible (`t`).',
    example: '"anonymous";r=59;t=60',
  },
  'RateLimit-Policy': {
    description: 'With rate limits: requests allowed (`q`) in a number of seconds (`w`).',
    example: '"anonymous";q=60;w=60',
  },
  'Retry-After': { description: 'Seconds to wait.', example: 30 },
} as const;

type HeaderName = keyof typeof described;

/** Names of these headers. */
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
  const isGiven = status === 200 || status === 304;
  const looksBack = parameters.some(({ name }) => name === 'as_of');
  const isFile = path.includes('/export/') && status === 200;
  const names: HeaderName[] = [
    ...(isFile ? (['Content-Disposition'] as const) : []),
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
