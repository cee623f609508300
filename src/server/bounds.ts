/** What callers can make a server hold. */
export type Bounds = {
  /** Connections at a time; more are closed at once. */
  connections: number;
  /** Of these by one address, or one IPv6 network of 64 bits; trusted proxies hold as many as all. */
  connectionsOfOne: number;
  /** Address and headers together. */
  headerBytes: number;
  /** How long the headers of a request may take to arrive. */
  headersMs: number;
  /** How long a whole request may take to arrive. */
  requestMs: number;
  /** How long a connection may be silent while it is answered. */
  silenceMs: number;
  /** How long a question that takes long may wait, and how long it may take. */
  readMs: number;
  /** Such questions that are answered at a time. */
  readers: number;
  /** Exports that are sent at a time, to all callers and to one. */
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
