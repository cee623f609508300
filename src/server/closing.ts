import type { FastifyInstance } from 'fastify';

/** How soon a connection is closed that was kept alive behind its last answer. */
const lookMs = 50;

/** Ends a server: nothing new is taken, what is being answered is finished, and cut after `graceMs`. */
export async function closeGracefully(app: FastifyInstance, graceMs: number): Promise<void> {
  const { server } = app;
  // Closing ends those connections only that are idle at its beginning.
  const look = setInterval(() => server.closeIdleConnections(), lookMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(look);
    clearTimeout(cut);
  }
}
