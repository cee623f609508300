/** Exit codes of the program; frozen, see the README. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notFound: 3,
  authentication: 4,
  service: 5,
  network: 6,
  rateLimited: 7,
  stale: 8,
  locked: 9,
  configuration: 10,
  ambiguous: 11,
  verification: 12,
  changesFound: 20,
  interrupted: 130,
  terminated: 143,
} as const;
