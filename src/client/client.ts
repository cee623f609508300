import type { Interface, Problem } from './interface.ts';

export type * from './interface.ts';

/** An address of the interface, such as `/politicians/{slug}`. */
export type Path = keyof Interface;

/** Parameters of an address, in its path and its query alike. */
export type ParametersOf<P extends Path> = Interface[P]['parameters'];

/** Type of an address's answer. */
export type AnswerOf<P extends Path> = Interface[P]['answer'];

/** Addresses that answer JSON, those that answer files, and those that answer lists. */
export type JsonPath = { [P in Path]: AnswerOf<P> extends 'bytes' ? never : P }[Path];
export type FilePath = Exclude<Path, JsonPath>;
export type ListPath = { [P in Path]: AnswerOf<P> extends { items: unknown[] } ? P : never }[Path];

/** One item of a list. */
export type ItemOf<P extends ListPath> = AnswerOf<P> extends { items: (infer Item)[] } ? Item : never;

/** Parameters may be omitted if none is required. */
type Arguments<P extends Path> =
  Record<string, never> extends ParametersOf<P>
    ? [parameters?: ParametersOf<P>, request?: RequestOptions]
    : [parameters: ParametersOf<P>, request?: RequestOptions];

/** Options of a single request. */
export type RequestOptions = { signal?: AbortSignal };

export type ClientOptions = {
  /** The address of the interface with its version, such as `http://127.0.0.1:8000/api/v1`. */
  baseUrl: string | URL;
  /** A viewer token; it goes to that address only. */
  token?: string;
  /** How requests are sent; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch;
  /** How often a request refused with 429 or 503 is retried; 3 by default. */
  retries?: number;
  /** Longest Retry-After to wait for, in milliseconds; 65,000 by default. */
  maxWaitMs?: number;
  /** Waits for a number of milliseconds, or rejects when the signal aborts; uses `setTimeout` by default. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/** An error response, or one that is not JSON: its status, and the server's explanation. */
export class ApiError extends Error {
  readonly url: string;
  readonly status: number;
  /** The body, where it is one of RFC 9457; `problem.errors` names each bad parameter. */
  readonly problem: Problem | null;
  /** How long the server asks to wait, in milliseconds; null where it does not say. */
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
  /** The JSON answer of an address; throws an ApiError for an error status. */
  get<P extends JsonPath>(path: P, ...requestArguments: Arguments<P>): Promise<AnswerOf<P>>;
  /** The response with a file, its body unread; throws an ApiError for an error status. */
  open<P extends FilePath>(path: P, ...requestArguments: Arguments<P>): Promise<Response>;
  /** The pages of a list, from the requested one to the last. */
  pages<P extends ListPath>(path: P, ...requestArguments: Arguments<P>): AsyncGenerator<AnswerOf<P>, void, undefined>;
  /** All items of a list to its end; each page is fetched once its items are needed. */
  items<P extends ListPath>(path: P, ...requestArguments: Arguments<P>): AsyncGenerator<ItemOf<P>, void, undefined>;
};

type Values = Record<string, unknown>;

/** A client of the interface: of `hemicycle serve`, or of the service itself. It needs nothing but `fetch`. */
export function createClient({
  baseUrl,
  token,
  fetch: send = globalThis.fetch,
  retries = 3,
  maxWaitMs = 65_000,
  sleep = wait,
}: ClientOptions): Client {
  const base = String(baseUrl).replace(/\/+$/, '');
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function ask(path: string, values: Values, { signal }: RequestOptions, accept: string): Promise<Response> {
    const url = `${base}${addressOf(path, values)}`;
    for (let again = 0; ; again += 1) {
      const response = await send(url, {
        headers: { accept, ...authorization },
        ...(signal ? { signal } : {}),
      });
      if (response.ok) return response;
      const error = await refusalOf(url, response);
      const waitMs = error.retryAfterMs;
      const isPassing = error.status === 429 || error.status === 503;
      if (!isPassing || waitMs === null || waitMs > maxWaitMs || again >= retries) throw error;
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
    throw new ApiError(response.url, response, {
      problem: null,
      reason: `answers ${type || 'without a type'}, not JSON`,
    });
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

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** The address with the values in its path and its query; lists have commas between, as the description says. */
function addressOf(path: string, values: Values): string {
  const query = new URLSearchParams();
  const placed = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    placed.add(name);
    const text = String(values[name] ?? '');
    // `fetch` resolves these as path segments, even when they are percent-encoded.
    if (/^\.{0,2}$/.test(text)) throw new RangeError(`${path}: ${name} cannot be "${text}"`);
    return encodeURIComponent(text);
  });
  for (const [name, value] of Object.entries(values))
    if (!placed.has(name) && value !== undefined && value !== null)
      query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return query.size === 0 ? filled : `${filled}?${query}`;
}

async function refusalOf(url: string, response: Response): Promise<ApiError> {
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
