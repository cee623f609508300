import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Servers of one test file on free ports, to be closed together after each test. */
export function listeningServers() {
  const opened: Server[] = [];

  async function listen(server: Server): Promise<number> {
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  return {
    listen,
    /** The base address of a plain HTTP server. */
    serve: async (listener: RequestListener) =>
      `http://127.0.0.1:${await listen(createServer(listener))}/api/v1`,
    closeAll: () => {
      for (const server of opened.splice(0)) server.close();
    },
  };
}
