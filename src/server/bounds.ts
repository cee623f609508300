/** Limits on the resources that callers can use. */
export type Bounds = {
  /** Connections at a time; more are closed at once. */
  connections: number;
  /** Connections of one address, or one IPv6 /64; trusted proxies are exempt. */
  connectionsOfOne: number;
  /** Bytes of address and headers together. */
  headerBytes: number;
  /** Time for the headers of a request to arrive. */
  headersMs: number;
  /** Time for a whole request to arrive. */
  requestMs: number;
  /** Idle time of a connection during a response. */
  silenceMs: number;
  /** Time that a long query may wait, and time that it may run. */
  readMs: number;
  /** Long queries that run at a time. */
  readers: number;
  /** Concurrent exports, of all callers and of one. */
  exports: number;
  exportsOfOne: number;
  /** The response cache: bodies in all codings, and their headers. */
  cacheBytes: number;
};

export const defaultBounds: Bounds = {
  connections: 2048,
  connectionsOfOne: 256,
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 60_000,
  readMs: 5000,
  readers: 2,
  exports: 8,
  exportsOfOne: 2,
  cacheBytes: 32 * 2 ** 20,
};
