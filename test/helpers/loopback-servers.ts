import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';

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
    serve: async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}/api/v1`,
    closeAll: () => {
      for (const server of opened.splice(0)) server.close();
    },
  };
}

/** A proxy that passes requests on to where they are for, and notes that in `tunnelled`. */
export function createProxy(tunnelled: (string | undefined)[]): Server {
  const proxy = createServer((request, response) => {
    tunnelled.push(request.url);
    const { method, headers } = request;
    const onward = send(request.url!, { method: method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  return proxy.on('connect', (request: IncomingMessage, socket, head) => {
    tunnelled.push(request.url);
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
  });
}
