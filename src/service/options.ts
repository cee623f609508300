import type { OmittedField } from '../model/bounds.ts';
import type { Pace } from './pace.ts';

/** How much and how long a client takes, bytes and milliseconds. */
export type Limits = {
  /** Bytes after decompression. */
  maxJsonBytes: number;
  maxFileBytes: number;
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  /** Longest silence within a body. */
  idleTimeoutMs: number;
  /** Longest time for a whole answer, however steadily it drips. */
  totalJsonMs: number;
  totalFileMs: number;
  maxWaitMs: number;
  /** How often one request is tried before its failure stands. */
  attempts: number;
};

/** What holds where a client is told nothing else. */
export const defaultLimits: Limits = {
  maxJsonBytes: 64 * 2 ** 20,
  maxFileBytes: 2 * 2 ** 30,
  connectTimeoutMs: 15_000,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  totalJsonMs: 5 * 60_000,
  totalFileMs: 60 * 60_000,
  maxWaitMs: 15 * 60_000,
  attempts: 5,
};

/** What a client asked so far; `waitedMs` is spent on its turn in the budget and on what the service asked to wait for. */
export type RequestTally = {
  requests: number;
  byStatus: Record<string, number>;
  bytes: number;
  waitedMs: number;
  /** The fields that records were taken without. */
  excess: OmittedField[];
};

/** What a client is made of; the clock, sleep and chance are the caller's. */
export type ServiceClientOptions = {
  baseUrl: string;
  token: string | null;
  /** Header with {token} in it. */
  authHeader: string;
  userAgent: string;
  pace: Pace;
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
  random?: () => number;
  /** Ends waits and lets no further request start; an answer that is on its way is still taken. */
  signal?: AbortSignal;
  /** Told of each request and answer; never of the token. */
  trace?: (line: string) => void;
  /** Told the moment that each answer states, milliseconds; whatever it throws ends the request. */
  onDate?: ((dateMs: number) => void) | undefined;
  /** Told of a wait after a refusal or failure, and what is waited for. */
  onWait?: (ms: number, awaited: string) => void;
  limits?: Partial<Limits>;
};
