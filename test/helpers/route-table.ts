import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** A route of a server, as its framework was told of it. */
export type Route = Pick<RouteOptions, 'url' | 'config'> & { method: 'GET' | 'POST' };

/** Collects the routes that `work` adds, whatever adds them; those that the framework adds itself are left out. */
export async function routesAddedBy(work: () => Promise<unknown>): Promise<Route[]> {
  const routes: Route[] = [];
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ url, method, config }) => {
      for (const each of ['GET', 'POST'] as const)
        if ([method].flat().includes(each)) routes.push({ url, method: each, ...(config && { config }) });
    });
  diagnostics.subscribe('fastify.initialization', listen);
  try {
    await work();
  } finally {
    diagnostics.unsubscribe('fastify.initialization', listen);
  }
  return routes;
}

/** Keys of records of a mirror, and two groups: without them a route would only say that there is no such record. */
export type KnownKeys = Record<'politician' | 'party' | 'chamber' | 'ballot' | 'groups', string>;

/** A request to a route: the most that it gives, and another at each `number`. */
export type WorstRequest = {
  method: 'GET' | 'POST';
  url: string;
  body?: string;
  headers?: Record<string, string>;
};

/** The worst that can be asked of a route, anew at each `number`, every other one compressed; with `asOf` of the past. */
export function worstRequest(
  { method, url, config }: Route,
  keys: KnownKeys,
  { number, asOf }: { number: number; asOf: string | null },
): WorstRequest {
  // Each word is another in another request, and the beginning of many names.
  const words = Array.from({ length: 100 }, (_, at) => String.fromCharCode(97 + ((at + number) % 26)));
  const names = JSON.stringify(
    Object.fromEntries(words.slice(0, 50).map((word, at) => [`q${at}`, { query: `${word} ${number}` }])),
  );
  const isOfVotes = /compare|cohesion/.test(url);
  const values: Record<string, string> = {
    slug: url.includes('/parties/') ? keys.party : keys.politician,
    ...{ kind: 'politician', key: keys.politician, chamber: keys.chamber, scrutin_id: keys.ballot },
    // No ballot has so many words in its title.
    ...(isOfVotes ? { group: keys.groups } : { q: words.join(' ') }),
    ...{ prefix: words.join(' '), since: `${1970 + (number % 40)}-01-01`, whole: 'true' },
    ...{ entity: 'politicians', format: number % 2 === 0 ? 'csv' : 'parquet' },
    ...{ id: `politician:${keys.politician}`, queries: names, file: 'none.atom' },
    ...(asOf === null ? {} : { as_of: asOf }),
  };
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name]!));
  const query = new URLSearchParams();
  for (const [name, { schema }] of Object.entries(config?.parameters ?? pageParameters(values))) {
    const { maximum } = schema as { maximum?: number };
    const value = maximum === undefined ? values[name] : String(maximum - (number % maximum));
    // In the address of a mirror `since` is a position.
    const isLeftOut = url.includes(`:${name}`) || (url === '/api/v1/mirror' && name === 'since');
    if (value !== undefined && !isLeftOut) query.set(name, value);
  }
  const headers = { 'accept-encoding': number % 2 === 0 ? 'br' : 'identity', accept: '*/*' };
  if (method === 'GET') return { method, url: `${path}?${query}`, headers };
  const [type, body] =
    url === '/mcp'
      ? ['application/json', JSON.stringify(toolCall(number, words.join(' ')))]
      : ['application/x-www-form-urlencoded', String(new URLSearchParams({ queries: names }))];
  const accept = 'application/json, text/event-stream';
  return { method, url, body, headers: { ...headers, accept, 'content-type': type! } };
}

const toolCall = (id: number, q: string) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'search', arguments: { q } },
});

/** What a route without described parameters may be asked with; what it does not know it ignores. */
function pageParameters(values: Record<string, string>): Record<string, { schema: object }> {
  const parameters = Object.keys(values).map((name) => [name, { schema: {} }] as const);
  return { ...Object.fromEntries(parameters), limit: { schema: { maximum: 50 } } };
}
