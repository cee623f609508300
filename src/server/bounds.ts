/** Limits on the resources that callers can use. */
export const defaultBounds = {
  /** Connections at a time; more are closed at once. */
  connections: 2048,
  /** Connections of one address, or one IPv6 /64; trusted proxies are exempt. */
  connectionsOfOne: 256,
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 30_000,
  /** Idle time of a connection during a response. */
  silenceMs: 60_000,
  /** Time that a long query may wait, and time that it may run. */
  readMs: 5000,
  /** Concurrent long queries, of all callers and of one. */
  readers: 3,
  readersOfOne: 2,
  /** Concurrent exports, of all callers and of one. */
  exports: 8,
  exportsOfOne: 2,
  cacheBytes: 32 * 2 ** 20,
};

export type Bounds = typeof defaultBounds;
