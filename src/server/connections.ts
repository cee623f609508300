import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigurationError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { Bounds } from './bounds.ts';
import { networkOf } from './limits.ts';
import type { ServerSettings, Serving } from './serving.ts';

/** Closes connections beyond the limits, per address the one longest without a request; trusted proxies are exempt. */
export function boundConnections(
  server: Server,
  { connections, connectionsOfOne }: Bounds,
  { trustedProxies = [], onFailure }: Pick<ServerSettings, 'trustedProxies'> & Pick<Serving, 'onFailure'>,
): void {
  server.maxConnections = connections;
  const isTrusted = createAddressCheck(trustedProxies);
  // By address; those that were longest without a request come first.
  const socketsByNetwork = new Map<string, Set<Socket>>();
  const socketsBeside = new WeakMap<Socket, Set<Socket>>();
  const pendingRequests = new WeakMap<Socket, number>();
  let isReported = false;
  server.on('request', ({ socket }, response) => {
    pendingRequests.set(socket, (pendingRequests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      pendingRequests.set(socket, pendingRequests.get(socket)! - 1);
      const own = socketsBeside.get(socket);
      if (own?.delete(socket)) own.add(socket);
    });
  });
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Unset for a Unix socket or a closed connection.
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const own = socketsByNetwork.get(network) ?? new Set();
    socketsByNetwork.set(network, own.add(socket));
    socketsBeside.set(socket, own);
    const forget = (closed: Socket) => {
      if (own.delete(closed) && own.size === 0) socketsByNetwork.delete(network);
    };
    socket.once('close', () => forget(socket));
    if (own.size <= connectionsOfOne) return;
    // The new one itself, if all others are being answered.
    const idle = [...own].find((each) => !pendingRequests.get(each))!;
    forget(idle);
    idle.destroy();
    if (!isReported)
      onFailure(
        new ConfigurationError(
          say`one address opened more than ${connectionsOfOne} connections; those idle longest are closed`,
          say`if a proxy forwards the requests of many clients, declare it with --trust-proxy`,
        ),
      );
    isReported = true;
  });
}

function createAddressCheck(listed: string[]): (address: string) => boolean {
  const networks = listed.map((each): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (each.includes('/')) return ipaddr.parseCIDR(each);
    const address = ipaddr.process(each);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
  return (address) =>
    ipaddr.isValid(address) && ipaddr.subnetMatch(ipaddr.process(address), { listed: networks }, 'other') === 'listed';
}
