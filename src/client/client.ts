import type { Interface, Problem } from './interface.ts';

export type * from './interface.ts';

/** An endpoint of the interface, such as `/politicians/{slug}`. */
export type Path = keyof Interface;

/** Path and query parameters of an endpoint. */
export type ParametersOf<P extends Path> = Interface[P]['parameters'];

/** Response type of an endpoint. */
export type AnswerOf<P extends Path> = Interface[P]['answer'];

/** Endpoints that return JSON. */
export type JsonPath = { [P in Path]: AnswerOf<P> extends 'bytes' ? never : P }[Path];
/** Endpoints that return files. */
export type FilePath = Exclude<Path, JsonPath>;
/** Endpoints that return lists, page by page. */
export type ListPath = { [P in Path]: AnswerOf<P> extends { items: unknown[] } ? P : never }[Path];

/** Item type of a list. */
export type ItemOf<P extends ListPath> = AnswerOf<P> extends { items: (infer Item)[] } ? Item : never;

type Arguments<P extends Path> =
  Record<string, never> extends ParametersOf<P>
    ? [parameters?: ParametersOf<P>, request?: RequestOptions]
    : [parameters: ParametersOf<P>, request?: RequestOptions];

/** Options of one request. */
export type RequestOptions = { signal?: AbortSignal };

export type ClientOptions = {
  /** Base URL of the interface with its version, such as `http://127.0.0.1:8000/api/v1`. */
  baseUrl: string | URL;
  /** A viewer token; sent only to `baseUrl`. */
  token?: string;
  /** The global `fetch` by default. */
  fetch?: typeof globalThis.fetch;
  /** How often a request refused with 429 or 503 is retried; 3 by default. */
  retries?: number;
  /** Longest Retry-After to wait for; 65,000 by default. */
  maxWaitMs?: number;
  /** Waits for `ms` or rejects when the signal aborts; uses `setTimeout` by default. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/** An error response or one that is not JSON: its status and the server's explanation. */
export class ApiError extends Error {
  readonly url: string;
  readonly status: number;
  /** The RFC 9457 body, if any; `problem.errors` names each invalid parameter. */
  readonly problem: Problem | null;
  /** Retry-After of the response; null if it has none. */
  readonly retryAfterMs: number | null;

  constructor(url: string, response: Response, { problem, reason }: { problem: Problem | null; reason: string }) {
    super(`${url}: ${reason}`);
    this.name = 'ApiError';
    this.url = url;
    this.status = response.status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
  }
}

export type Client = {
  /** Returns the JSON response; throws an ApiError for an error status. */
  get<P extends JsonPath>(path: P, ...requestArguments: Arguments<P>): Promise<AnswerOf<P>>;
  /** Returns the response with a file, its body unread; throws an ApiError for an error status. */
  open<P extends FilePath>(path: P, ...requestArguments: Arguments<P>): Promise<Response>;
  /** Yields the pages of a list, from the requested one to the last. */
  pages<P extends ListPath>(path: P, ...requestArguments: Arguments<P>): AsyncGenerator<AnswerOf<P>, void, undefined>;
  /** Yields all items of a list; each page is fetched once its items are needed. */
  items<P extends ListPath>(path: P, ...requestArguments: Arguments<P>): AsyncGenerator<ItemOf<P>, void, undefined>;
};

type Values = Record<string, unknown>;

/** Returns a client of `hemicycle serve` or of the service itself; it depends only on `fetch`. */
export function createClient({
  baseUrl,
  token,
  fetch: send = globalThis.fetch,
  retries = 3,
  maxWaitMs = 65_000,
  sleep = wait,
}: ClientOptions): Client {
  const baseAddress = String(baseUrl).replace(/\/+$/, '');
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  /** Sends a request; retries 429 and 503 as the options allow. Throws an ApiError for the last error status. */
  async function ask(path: string, values: Values, { signal }: RequestOptions, accept: string): Promise<Response> {
    const url = `${baseAddress}${requestPath(path, values)}`;
    for (let attempt = 0; ; attempt += 1) {
      const response = await send(url, { headers: { accept, ...authorization }, ...(signal ? { signal } : {}) });
      if (response.ok) return response;
      const error = await readApiError(url, response);
      const waitMs = error.retryAfterMs;
      const isTransient = error.status === 429 || error.status === 503;
      if (!isTransient || waitMs === null || waitMs > maxWaitMs || attempt >= retries) throw error;
      signal?.throwIfAborted();
      await sleep(waitMs, signal);
      signal?.throwIfAborted();
    }
  }

  async function get(path: string, values: Values = {}, request: RequestOptions = {}): Promise<Values> {
    const response = await ask(path, values, request, 'application/json');
    const type = response.headers.get('content-type') ?? '';
    if (/^application\/(\S+\+)?json\b/i.test(type)) return (await response.json()) as Values;
    await response.body?.cancel();
    const reason = `answers ${type || 'without a type'}, not JSON`;
    throw new ApiError(response.url, response, { problem: null, reason });
  }

  async function* pages(path: string, values: Values = {}, request: RequestOptions = {}) {
    const visitedCursors = new Set<unknown>();
    for (let cursor = values.cursor; ; ) {
      const page = await get(path, cursor === undefined ? values : { ...values, cursor }, request);
      yield page;
      cursor = page.next_cursor;
      if (cursor === null || cursor === undefined) return;
      if (visitedCursors.has(cursor)) throw new RangeError(`${path}: the server leads in a circle`);
      visitedCursors.add(cursor);
    }
  }

  async function* items(path: string, values?: Values, request?: RequestOptions) {
    for await (const page of pages(path, values, request)) yield* page.items as unknown[];
  }

  const open = (path: string, values: Values = {}, request: RequestOptions = {}) => ask(path, values, request, '*/*');
  return { get, open, pages, items } as unknown as Client;
}

/** Waits for `ms`, or until the signal aborts. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** Fills path and query with the values; lists are comma-separated, as the API description specifies. */
function requestPath(path: string, values: Values): string {
  const query = new URLSearchParams();
  const pathParameters = new Set<string>();
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    pathParameters.add(name);
    const text = String(values[name] ?? '');
    // `fetch` resolves `.` and `..`, even percent-encoded; an empty segment names another endpoint.
    if (/^\.{0,2}$/.test(text)) throw new RangeError(`${path}: ${name} cannot be "${text}"`);
    return encodeURIComponent(text);
  });
  for (const [name, value] of Object.entries(values))
    if (!pathParameters.has(name) && value !== undefined && value !== null)
      query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return query.size === 0 ? filledPath : `${filledPath}?${query}`;
}

async function readApiError(url: string, response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const problem = problemIn(text);
  const reason = problem?.detail ?? `answered ${response.status} ${response.statusText}`.trim();
  return new ApiError(url, response, { problem, reason });
}

function problemIn(text: string): Problem | null {
  try {
    const problem = JSON.parse(text);
    return typeof problem?.detail === 'string' && typeof problem.status === 'number' ? problem : null;
  } catch {
    return null;
  }
}

/** Parses Retry-After (seconds or an HTTP date) into milliseconds from now; null if it is neither. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
