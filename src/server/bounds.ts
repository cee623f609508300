/** Limits on the resources that callers can use; `Ms` are milliseconds. */
export const defaultBounds = {
  /** Connections at a time; more are closed at once. */
  connections: 2048,
  /** Connections of one address, or one IPv6 /64; trusted proxies are exempt. */
  connectionsPerAddress: 256,
  headerBytes: 16_384,
  headersMs: 10_000, // time to send the headers
  requestMs: 30_000, // time to send the whole request
  /** Idle time of a connection during a response. */
  idleMs: 90_000,
  /** Time that a long query may wait for a reader, and CPU time that it may then use. */
  readMs: 5000,
  readWallMs: 60_000, // elapsed time that a long query may take on a busy machine
  /** Concurrent long queries, of all callers and of one. */
  readers: 3,
  readersPerCaller: 2,
  /** Concurrent exports, of all callers and of one. */
  exports: 8,
  exportsPerCaller: 2,
  cacheBytes: 32 * 2 ** 20, // memory for cached responses
};

export type Bounds = typeof defaultBounds;
