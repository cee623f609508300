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
