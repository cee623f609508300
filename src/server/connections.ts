import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigurationError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { Bounds } from './bounds.ts';
import { networkOf } from './limits.ts';
import type { ServerContext, ServerSettings } from './serving.ts';

/** Limits connections in all (rejects new ones) and per network (closes the longest idle; trusted proxies exempt). */
export function limitConnections(
  server: Server,
  { connections, connectionsPerAddress }: Bounds,
  { trustedProxies = [], onFailure }: Pick<ServerSettings, 'trustedProxies'> & Pick<ServerContext, 'onFailure'>,
): void {
  server.maxConnections = connections;
  const isTrusted = createAddressCheck(trustedProxies);
  // Sets are in the order of the last request: the socket idle longest comes first.
  const socketsByNetwork = new Map<string, Set<Socket>>();
  const networkSocketsOf = new WeakMap<Socket, Set<Socket>>();
  const pendingRequests = new WeakMap<Socket, number>();
  let isReported = false;
  server.on('request', ({ socket }, response) => {
    pendingRequests.set(socket, (pendingRequests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      pendingRequests.set(socket, pendingRequests.get(socket)! - 1);
      const peers = networkSocketsOf.get(socket);
      if (peers?.delete(socket)) peers.add(socket); // moves it to the end
    });
  });
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket; // undefined for a Unix socket or a closed connection
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const peers = socketsByNetwork.get(network) ?? new Set();
    socketsByNetwork.set(network, peers.add(socket));
    networkSocketsOf.set(socket, peers);
    const forget = (closedSocket: Socket) => {
      if (peers.delete(closedSocket) && peers.size === 0) socketsByNetwork.delete(network);
    };
    socket.once('close', () => forget(socket));
    if (peers.size <= connectionsPerAddress) return;
    // If all others have pending requests, this is the new socket.
    const idleSocket = [...peers].find((each) => !pendingRequests.get(each))!;
    forget(idleSocket);
    idleSocket.destroy();
    if (isReported) return;
    isReported = true;
    const message = say`one address opened more than ${connectionsPerAddress} connections; those idle longest are closed`;
    const hint = say`if a proxy forwards the requests of many clients, declare it with --trust-proxy`;
    onFailure(new ConfigurationError(message, hint));
  });
}

function createAddressCheck(proxies: string[]): (address: string) => boolean {
  const networks = proxies.map((each): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (each.includes('/')) return ipaddr.parseCIDR(each);
    const address = ipaddr.process(each);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
  return (address) =>
    ipaddr.isValid(address) && ipaddr.subnetMatch(ipaddr.process(address), { listed: networks }, 'other') === 'listed';
}
