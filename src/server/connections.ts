import type { Server, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigurationError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { Bounds } from './bounds.ts';
import { networkOf } from './limits.ts';
import { Semaphore } from './semaphore.ts';
import type { ServerSettings, Serving } from './serving.ts';

/** Closes connections beyond the limits; trusted proxies have no own one. The first one closed is told. */
export function boundConnections(
  server: Server,
  { connections, connectionsOfOne }: Bounds,
  { trustedProxies = [], onFailure }: Pick<ServerSettings, 'trustedProxies'> & Pick<Serving, 'onFailure'>,
): void {
  server.maxConnections = connections;
  const semaphore = new Semaphore({ most: connections, mostOfOne: connectionsOfOne });
  const isTrusted = createAddressCheck(trustedProxies);
  let isTold = false;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Unset for a Unix socket or a closed connection.
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const release = semaphore.tryAcquire(networkOf(remoteAddress));
    if (typeof release === 'function') {
      socket.once('close', release);
      return;
    }
    socket.destroy();
    if (!isTold)
      onFailure(
        new ConfigurationError(
          say`one address asked for more than ${connectionsOfOne} connections at a time; what is beyond is closed`,
          say`a proxy that passes on the requests of many is named with --trust-proxy`,
        ),
      );
    isTold = true;
  });
}

function createAddressCheck(listed: string[]): (address: string) => boolean {
  const networks = listed.map((each): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (each.includes('/')) return ipaddr.parseCIDR(each);
    const address = ipaddr.process(each);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
  return (address) =>
    ipaddr.isValid(address) &&
    ipaddr.subnetMatch(ipaddr.process(address), { listed: networks }, 'other') === 'listed';
}
