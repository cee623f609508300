/** Limits on the resources that callers can use; `Ms` are milliseconds. */
export const defaultBounds = {
  connections: 2048, // connections at a time; more are closed at once
  connectionsPerAddress: 256, // connections of one address, or one IPv6 /64; trusted proxies are exempt
  headerBytes: 16_384,
  headersMs: 10_000, // time to send the headers, and the whole request
  requestMs: 30_000,
  idleMs: 90_000, // idle time of a connection during a response
  readMs: 5000, // time that a long query may wait, and CPU time that it may use
  readWallMs: 60_000, // elapsed time that a long query may take on a busy machine
  readers: 3, // concurrent long queries, of all callers and of one
  readersPerCaller: 2,
  exports: 8, // concurrent exports, of all callers and of one
  exportsPerCaller: 2,
  cacheBytes: 32 * 2 ** 20, // memory for cached responses
};

export type Bounds = typeof defaultBounds;
