import type { OmittedField } from '../model/bounds.ts';
import type { Phrase } from '../words/speech.ts';
import type { Pace } from './pace.ts';

/** Limits of size (bytes), time (milliseconds) and attempts. */
export type Limits = typeof defaultLimits;

/** The default limits. */
export const defaultLimits = {
  /** Bytes after decompression. */
  maxJsonBytes: 64 * 2 ** 20,
  maxFileBytes: 2 * 2 ** 30,
  connectTimeoutMs: 15_000,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 60_000, // longest gap between two chunks of a body
  /** Longest time for a whole response. */
  totalJsonMs: 2 * 60_000,
  totalFileMs: 60 * 60_000,
  maxWaitMs: 15 * 60_000, // longest wait before a request; a longer one is an error
  attempts: 5,
};

/** Counts of a client's requests; `waitedMs` covers all waits, `excess` lists fields omitted as too large. */
export type RequestTally = ReturnType<typeof newRequestTally>;

/** Creates an empty tally of requests. */
export function newRequestTally() {
  return { requests: 0, byStatus: {} as Record<string, number>, bytes: 0, waitedMs: 0, excess: [] as OmittedField[] };
}

/** Options of a client; clock, sleep and random are injected. */
export type ServiceClientOptions = {
  baseUrl: string;
  token: string | null;
  /** Header template; `Authorization: Bearer {token}` by default. */
  authHeader?: string;
  userAgent: string;
  pace: Pace;
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
  random?: () => number;
  /** Ends waits and prevents further requests; a response in transit is still read. */
  signal?: AbortSignal;
  /** Receives a line for each request and response, never with the token. */
  trace?: (line: string) => void;
  /** Receives the `Date` of each response in milliseconds; an exception ends the request. */
  onDate?: ((dateMs: number, url: string) => void) | undefined;
  /** Called before a wait that follows a refusal or failure. */
  onWait?: (ms: number, reason: Phrase) => void;
  limits?: Partial<Limits>;
  /** True to allow other origins at private addresses; by default only if the service itself has one. */
  isPrivate?: boolean;
  /** False to use HTTP/1.1 only; HTTP/2 as well by default. */
  allowH2?: boolean;
};
